/**
 * The entry point of the GitHub action: runs an agent under Mayday, or diagnoses a failed job; then writes outputs, annotations, the job
 * summary and, if asked, a comment on the pull request. It needs Node 24 and `mayday` on the PATH, and no package.
 */
import { spawnSync } from 'node:child_process';
import { appendFileSync } from 'node:fs';
import { commentOnPull } from './comment.ts';
import {
  annotation,
  calledOf,
  diagnosisSummary,
  type DiagnosisDocument,
  type RunDocument,
  runSummary,
} from './summary.ts';

const MAX_OUTPUT_BYTES = 64 * 1024 * 1024;

const { env } = process;
const input = (name: string): string => env[`INPUT_${name}`] ?? '';
const lines = (name: string): string[] =>
  input(name)
    .split('\n')
    .filter((line) => line.trim() !== '');
const given = (option: string, name: string): string[] => (input(name) === '' ? [] : [option, input(name)]);

/** The token is for GitHub only: the agent does not get it. */
function mayday(
  args: readonly string[],
  more: NodeJS.ProcessEnv = {},
): { readonly code: number; readonly stdout: string } {
  const { INPUT_TOKEN: _, ...rest } = env;
  const ran = spawnSync('mayday', args, {
    env: { ...rest, ...more },
    encoding: 'utf8',
    maxBuffer: MAX_OUTPUT_BYTES,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  if (ran.error !== undefined) throw ran.error;
  return { code: ran.status ?? 1, stdout: ran.stdout };
}

function output(values: Readonly<Record<string, string>>): void {
  const told = Object.entries(values).map(([name, value]) => `${name}=${value.replaceAll(/\s+/g, ' ')}\n`);
  appendFileSync(env['GITHUB_OUTPUT'] ?? '/dev/null', told.join(''));
}

async function publish(summary: string): Promise<void> {
  appendFileSync(env['GITHUB_STEP_SUMMARY'] ?? '/dev/null', `${summary}\n`);
  if (input('COMMENT') === '') return;
  const told = await commentOnPull(input('COMMENT'), summary, env);
  if (told !== null) console.log(annotation('warning', 'Mayday: no comment', told));
}

async function runAgent(): Promise<number> {
  const command = input('COMMAND');
  const { code, stdout } = mayday([
    'run',
    '--json',
    ...given('--agent', 'AGENT'),
    ...lines('CHECKS').flatMap((check) => ['--check', check]),
    ...lines('SCOPE').flatMap((glob) => ['--scope', glob]),
    ...given('--setup', 'SETUP'),
    ...given('--sink', 'SINK'),
    ...given('--budget-usd', 'BUDGET_USD'),
    ...given('--budget-time', 'BUDGET_TIME'),
    ...given('--max-wait', 'MAX_WAIT'),
    ...(input('TRUST') === 'true' ? ['--trust'] : []),
    input('TASK'),
    ...(command === '' ? [] : ['--', 'sh', '-c', command]),
  ]);
  // Without a document nothing was started; the reason is in the log of the step.
  if (stdout.trim() === '') return code;
  const run = JSON.parse(stdout) as RunDocument;
  output({
    run: run.run_id,
    state: run.state,
    proven: String(run.proven ?? ''),
    ref: run.delivered?.ref ?? '',
  });
  const asked = run.questions.find(({ state }) => state === 'open');
  if (asked !== undefined)
    console.log(annotation('warning', `Mayday: run ${run.run_id} needs you`, asked.text));
  else if (code !== 0)
    console.log(annotation('error', `Mayday: run ${run.run_id} is ${calledOf(run)}`, run.why));
  await publish(runSummary(run, mayday(['show', run.run_id]).stdout));
  return code;
}

/** Exit code 0: the diagnosis is there; the job that failed is red already. */
async function diagnose(): Promise<number> {
  const source = input('LOG') === '' ? ['--github', input('RUN_ID')] : [input('LOG')];
  const token = input('TOKEN') === '' ? {} : { GITHUB_TOKEN: input('TOKEN') };
  const { code, stdout } = mayday(['diagnose', '--json', ...source], token);
  if (code !== 0) return code;
  const found = JSON.parse(stdout) as DiagnosisDocument;
  output({ 'failure-type': found.failure_type, 'root-cause': found.root_cause });
  if (found.failure_type !== 'success') {
    const [place] = found.workspace.filter(({ line }) => line > 0);
    console.log(
      annotation('error', `Mayday: ${found.failure_type.replaceAll('_', ' ')}`, found.root_cause, place),
    );
  }
  await publish(diagnosisSummary(found));
  return 0;
}

if (input('TASK') === '' && input('LOG') === '' && input('RUN_ID') === '') {
  console.log(
    annotation('error', 'Mayday', 'give `task` to run an agent, or `log` or `run-id` to diagnose a failure'),
  );
  process.exitCode = 2;
} else process.exitCode = input('TASK') === '' ? await diagnose() : await runAgent();
