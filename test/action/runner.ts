/** A runner of GitHub for a test: plays the steps of `action.yml` with the inputs, files and variables that a real one gives. */
import { spawn } from 'node:child_process';
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { MAYDAY } from '../mayday-under-test.ts';
import type { Box } from '../e2e/box.ts';

const ROOT = join(import.meta.dirname, '../..');

interface Step {
  readonly id?: string;
  readonly if?: string;
  readonly uses?: string;
  readonly shell?: string;
  readonly run?: string;
  readonly env?: Readonly<Record<string, string>>;
}

interface Action {
  readonly inputs: Readonly<Record<string, { readonly default?: string }>>;
  readonly outputs: Readonly<Record<string, { readonly value: string }>>;
  readonly runs: { readonly using: string; readonly steps: readonly Step[] };
}

export interface Played {
  readonly exitCode: number | null;
  readonly log: string;
  readonly summary: string;
  readonly outputs: Readonly<Record<string, string>>;
}

export async function playAction(
  box: Box,
  inputs: Readonly<Record<string, string>>,
  variables: Readonly<Record<string, string>> = {},
): Promise<Played> {
  const action = parse(readFileSync(join(ROOT, 'action.yml'), 'utf8')) as Action;
  const unknown = Object.keys(inputs).filter((name) => action.inputs[name] === undefined);
  if (unknown.length > 0) throw new Error(`action.yml has no input ${unknown.join(', ')}`);
  const tools = programs(box);
  const files = {
    GITHUB_OUTPUT: join(box.folder, 'output'),
    GITHUB_STEP_SUMMARY: join(box.folder, 'summary'),
  };
  for (const file of Object.values(files)) writeFileSync(file, '');
  const given = { ...defaults(action), version: 'none', ...inputs };
  const fill = (text: string) =>
    text.replaceAll(/\$\{\{(.*?)\}\}/g, (_, expression: string) => value(expression, given, box));
  let log = '';
  let exitCode: number | null = 0;
  for (const step of action.runs.steps) {
    if (step.if !== undefined && given.version === 'none') continue;
    if (step.shell !== 'bash' || step.run === undefined)
      throw new Error('the runner plays steps of bash only');
    const env = Object.fromEntries(Object.entries(step.env ?? {}).map(([name, text]) => [name, fill(text)]));
    const child = spawn('bash', ['-e', '-o', 'pipefail', '-c', step.run], {
      cwd: box.repository,
      env: {
        PATH: `${tools}:${process.env['PATH']}`,
        HOME: box.folder,
        CI: 'true',
        GITHUB_ACTIONS: 'true',
        GITHUB_ACTION_PATH: ROOT,
        GITHUB_WORKSPACE: box.repository,
        GITHUB_REPOSITORY: 'team/project',
        ...files,
        ...variables,
        ...env,
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding('utf8').on('data', (text: string) => (log += text));
    exitCode = await new Promise<number | null>((settle) => child.once('close', settle));
  }
  const told = readFileSync(files.GITHUB_OUTPUT, 'utf8')
    .trim()
    .split('\n')
    .map((line) => line.split(/=(.*)/s));
  const outputs = Object.fromEntries(told.map(([name = '', text = '']) => [name, text]));
  const undeclared = Object.keys(outputs).filter((name) => name !== '' && action.outputs[name] === undefined);
  if (undeclared.length > 0) throw new Error(`action.yml declares no output ${undeclared.join(', ')}`);
  return { exitCode, log, summary: readFileSync(files.GITHUB_STEP_SUMMARY, 'utf8'), outputs };
}

function defaults({ inputs }: Action): Record<string, string> {
  return Object.fromEntries(Object.entries(inputs).map(([name, input]) => [name, input.default ?? '']));
}

/** The expressions that `action.yml` uses. */
function value(expression: string, given: Readonly<Record<string, string>>, box: Box): string {
  const [, input] = /^ inputs\.([\w-]+) $/.exec(expression) ?? [];
  if (input !== undefined) return (given[input] ?? '').replace('${{ github.token }}', 'the-token');
  if (expression.includes('MAYDAY_HOME')) return box.home;
  throw new Error(`the runner does not know the expression ${expression}`);
}

/** `mayday` and the `node` of setup-node on the PATH. */
function programs(box: Box): string {
  const folder = join(box.folder, 'tools');
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'mayday'), `#!/bin/sh\nexec '${process.execPath}' '${MAYDAY}' "$@"\n`, {
    mode: 0o755,
  });
  try {
    symlinkSync(process.execPath, join(folder, 'node'));
  } catch {
    // It is there from the action before.
  }
  return folder;
}
