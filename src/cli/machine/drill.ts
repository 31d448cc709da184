/** `mayday drill [NAME or FILE...]`: breaks things on purpose and proves the rescue on this machine. */
import { existsSync, readdirSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { columns } from '../../core/text/columns.ts';
import type { DrillResult } from '../../drills/judge-drill.ts';
import { playDrill } from '../../drills/play-drill.ts';
import { readScenario, type Scenario } from '../../drills/scenario.ts';
import { usageError } from '../../platform/mayday-error.ts';
import { PACKAGE_ROOT } from '../../platform/package-root.ts';
import type { Invocation } from '../command.ts';
import { wholeNumberOf } from '../option-values.ts';
import { distance } from '../../core/text/distance.ts';
import { print } from '../print.ts';
import { writeText } from '../write-text.ts';

/** Drills mostly wait; more at once than this and they disturb each other's clocks on a small machine. */
const DEFAULT_JOBS = 4;
const MAX_JOBS = 64;
const DRILLS = join(PACKAGE_ROOT, 'drills');

export async function run(invocation: Invocation): Promise<number> {
  const { args, env, json, stdout, stderr, cwd, options } = invocation;
  if (options['list'] === true) return list(invocation);
  const scenarios = (args.length === 0 ? bundled() : args.map((name) => locate(name, cwd))).map(readScenario);
  const jobs = wholeNumberOf(invocation, 'jobs', { max: MAX_JOBS, like: DEFAULT_JOBS }) ?? DEFAULT_JOBS;
  const results = await playAll(scenarios, jobs, env, (result) => {
    if (!json)
      writeText(
        stdout,
        [
          `${result.passed ? 'passed' : 'FAILED'}  ${result.name.padEnd(40)} ${result.state.padEnd(11)}`,
          `${(result.class ?? '-').padEnd(20)}${`${result.seconds} s`.padStart(8)}`,
          `${result.why ? `   ${result.why}` : ''}\n`,
        ].join(''),
      );
    else writeText(stderr, `${result.passed ? 'ok' : 'FAILED'} ${result.name}\n`);
  });
  const failed = results.filter(({ passed }) => !passed).length;
  if (json)
    stdout.write(`${JSON.stringify({ passed: results.length - failed, failed, scenarios: results })}\n`);
  else writeText(stdout, `drill: ${results.length - failed} passed, ${failed} failed\n`);
  return failed === 0 ? 0 : 1;
}

function list(invocation: Invocation): number {
  const drills = bundled().map((path) => ({ name: nameOf(path), about: readScenario(path).about ?? '' }));
  const rows = drills.map(({ name, about }) => [name, about]);
  return print(invocation, drills, columns(rows));
}

async function playAll(
  scenarios: readonly Scenario[],
  jobs: number,
  env: NodeJS.ProcessEnv,
  onResult: (result: DrillResult) => void,
): Promise<DrillResult[]> {
  const results: DrillResult[] = [];
  const queue = [...scenarios.entries()];
  const worker = async () => {
    for (let next = queue.shift(); next !== undefined; next = queue.shift()) {
      const [index, scenario] = next;
      const result = await playDrill(scenario, { env });
      results[index] = result;
      onResult(result);
    }
  };
  await Promise.all(Array.from({ length: jobs }, worker));
  return results;
}

function bundled(): string[] {
  return readdirSync(DRILLS)
    .filter((name) => name.endsWith('.yaml'))
    .toSorted()
    .map((name) => join(DRILLS, name));
}

function locate(name: string, cwd: string): string {
  const own = join(DRILLS, `${name}.yaml`);
  if (/^[\w-]+$/.test(name) && existsSync(own)) return own;
  const file = resolve(cwd, name);
  if (existsSync(file)) return file;
  const near = bundled().map(nameOf).filter(isLike(name)).slice(0, MAX_NEAR);
  throw usageError(
    'NO_SCENARIO',
    `there is no bundled drill and no file called ${JSON.stringify(name.slice(0, MAX_SHOWN))}`,
    [
      ...(near.length === 0 ? [] : ([['do', `did you mean ${near.join(', ')}?`]] as const)),
      ['do', 'mayday drill --list names all of them'],
    ],
  );
}

function nameOf(path: string): string {
  return basename(path, '.yaml');
}

const MAX_NEAR = 4;
const MAX_SHOWN = 80;
const MAX_TYPOS = 3;

/** It holds the word that was asked for, or a few letters make the difference. */
function isLike(wanted: string): (name: string) => boolean {
  const word = wanted.slice(0, MAX_SHOWN).toLowerCase();
  return (name) => (word.length > MAX_TYPOS && name.includes(word)) || distance(word, name) <= MAX_TYPOS;
}
