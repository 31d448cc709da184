/** `mayday drill [NAME or FILE...]`: breaks things on purpose and proves the rescue on this machine. */
import { existsSync, readdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { DrillResult } from '../../drills/judge-drill.ts';
import { playDrill } from '../../drills/play-drill.ts';
import { readScenario, type Scenario } from '../../drills/scenario.ts';
import { usageError } from '../../platform/mayday-error.ts';
import { PACKAGE_ROOT } from '../../platform/package-root.ts';
import type { Invocation } from '../command.ts';
import { wholeNumberOf } from '../option-values.ts';
import { writeText } from '../write-text.ts';

/** Drills mostly wait; more at once than this and they disturb each other's clocks on a small machine. */
const DEFAULT_JOBS = 4;
const MAX_JOBS = 64;
const DRILLS = join(PACKAGE_ROOT, 'drills');

export async function run(invocation: Invocation): Promise<number> {
  const { args, env, json, stdout, stderr, cwd } = invocation;
  const scenarios = (args.length === 0 ? bundled() : args.map((name) => locate(name, cwd))).map(readScenario);
  const jobs = wholeNumberOf(invocation, 'jobs', { max: MAX_JOBS }) ?? DEFAULT_JOBS;
  const results = await playAll(scenarios, jobs, env, (result) => {
    if (!json)
      writeText(
        stdout,
        [
          `${result.passed ? '✓' : '✗'} ${result.name.padEnd(44)} ${result.state.padEnd(11)}`,
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
  throw usageError(
    'NO_SCENARIO',
    `there is no bundled drill and no file called ${JSON.stringify(name.slice(0, 80))}`,
    [
      [
        'do',
        `bundled: ${bundled()
          .map((path) => path.replace(/^.*\/|\.yaml$/g, ''))
          .join(', ')}`,
      ],
    ],
  );
}
