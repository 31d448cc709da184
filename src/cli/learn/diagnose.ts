/** `mayday diagnose [FILE]`: tells what failed in captured output, and what to do. */
import { createReadStream } from 'node:fs';
import { constants } from 'node:fs';
import { access, stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { Readable } from 'node:stream';
import type { RecoveryAnswer } from '../../agents/recovery/recovery-agent.ts';
import { lookInWorkspace } from '../../agents/recovery/look-in-workspace.ts';
import { diagnoseLines } from '../../core/diagnose/diagnose.ts';
import { diagnosisJson } from '../../core/diagnose/diagnosis-json.ts';
import { LineSieve } from '../../core/diagnose/lines/read-lines.ts';
import type { Diagnosis, DiagnosisInput } from '../../core/vocabulary/diagnosis.ts';
import { isFolder } from '../../platform/file/file-kind.ts';
import { repositoryAround } from '../../platform/git/repository-around.ts';
import { usageError } from '../../platform/mayday-error.ts';
import type { Invocation } from '../command.ts';
import { textOf, wholeNumberOf } from '../option-values.ts';
import { diagnoseArchive, unreadableArchive } from './diagnose-archive.ts';
import { usesColour } from '../render/colour.ts';
import { renderDiagnosis } from './diagnose-render.ts';
import { withGithubLogs } from './github-logs.ts';
import { needsRecoveryAgent } from '../../core/diagnose/confidence.ts';
import { allowedRecovery } from './allowed-recovery.ts';
import { writeText } from '../write-text.ts';

/** Large enough that reading is not the bottleneck, small enough to stay in the cache. */
const CHUNK_BYTES = 256 * 1024;
/** A look around is worth no long wait. */
const LOOK_MS = 5_000;

export async function run(invocation: Invocation): Promise<number> {
  const { options, stdout } = invocation;
  const nowMs = Date.now();
  if (options['jsonl'] === true) {
    const { diagnoseJsonl } = await import('./diagnose-jsonl.ts');
    await diagnoseJsonl(await openInput(invocation), stdout.stream, { nowMs, timeZone: timeZone() });
    return 0;
  }
  const status = {
    ...statusOf(invocation),
    nowMs,
    // Few texts tell a time of day, and asking for the zone is slow.
    get timeZone() {
      return timeZone();
    },
  };
  const { diagnosis: plain, output } = await read(invocation, status);
  const workspace = workspaceOf(invocation);
  const asked = needsRecoveryAgent(plain)
    ? await askModelToo(plain, () => ({ ...status, output }), workspace ?? invocation.cwd, invocation)
    : plain;
  const diagnosis =
    workspace === null ? asked : await lookInWorkspace(asked, workspace, AbortSignal.timeout(LOOK_MS));
  if (invocation.json) stdout.write(`${JSON.stringify(diagnosisJson(diagnosis), null, 2)}\n`);
  else if (output.trim() === '' && status.exitCode === null && status.signal === null)
    writeText(stdout, 'there is nothing to read: the output is empty\n');
  else writeText(stdout, renderDiagnosis(diagnosis, usesColour(stdout, invocation.env)));
  return 0;
}

function timeZone(): string {
  return Intl.DateTimeFormat().resolvedOptions().timeZone;
}

async function read(
  invocation: Invocation,
  status: Omit<DiagnosisInput, 'output'>,
): Promise<{ readonly diagnosis: Diagnosis; readonly output: string }> {
  const github = textOf(invocation, 'github');
  if (github !== undefined)
    return await withGithubLogs(github, invocation.env, async (path) => {
      const told = await diagnoseArchive(path, status);
      if (told === null) throw unreadableArchive(github);
      return told;
    });
  const input = await openInput(invocation);
  const [file = '-'] = invocation.args;
  const archive = file === '-' ? null : await diagnoseArchive(resolve(invocation.cwd, file), status);
  if (archive !== null) {
    input.destroy();
    return archive;
  }
  const sieve = new LineSieve();
  const decoder = new TextDecoder();
  for await (const chunk of input) sieve.push(decoder.decode(chunk as Uint8Array, { stream: true }));
  sieve.push(decoder.decode());
  const lines = sieve.lines();
  return { diagnosis: diagnoseLines(lines, status), output: lines.map(({ raw }) => raw).join('\n') };
}

/** The folder that is looked at: the named one, or the repository around; null for none. */
function workspaceOf({ cwd, options }: Invocation): string | null {
  const named = options['workspace'];
  if (named === 'none') return null;
  if (typeof named === 'string' && named !== '') {
    const path = resolve(cwd, named);
    if (!isFolder(path))
      throw usageError('WRONG_OPTION', `--workspace ${JSON.stringify(named)} is not a folder`, [
        ['do', 'mayday diagnose FILE --workspace .    or    --workspace none'],
      ]);
    return path;
  }
  return repositoryAround(cwd);
}

async function openInput(invocation: Invocation): Promise<Readable> {
  const [file] = invocation.args;
  if (file === undefined || file === '-') {
    if (process.stdin.isTTY)
      throw usageError('NO_INPUT', 'there is nothing to diagnose', [
        ['do', 'npm test 2>&1 | mayday diagnose    or    mayday diagnose FILE'],
      ]);
    return process.stdin;
  }
  const path = resolve(invocation.cwd, file);
  const found = await stat(path).catch(() => null);
  const readable = await access(path, constants.R_OK).then(
    () => true,
    () => false,
  );
  if (found === null || found.isDirectory() || !readable)
    throw usageError('INPUT_UNREADABLE', `cannot read ${JSON.stringify(file)}`, [
      ['happened', found === null ? 'there is no file of that name' : 'it is a directory, or not readable'],
      ['do', 'mayday diagnose FILE    or    COMMAND 2>&1 | mayday diagnose'],
    ]);
  return createReadStream(path, { highWaterMark: CHUNK_BYTES });
}

function statusOf(invocation: Invocation): Omit<DiagnosisInput, 'output'> {
  const word = (name: string): string | null => textOf(invocation, name) || null;
  const number = (name: string, min = 0): number | null =>
    word(name) === null ? null : (wholeNumberOf(invocation, name, { min }) ?? null);
  return {
    exitCode: number('exit-code', -MAX_SIGNAL_CODE),
    signal: word('signal'),
    command: word('command'),
    retryCount: number('retry-count') ?? 0,
    featureId: word('feature'),
    issueNumber: number('issue'),
    failureTypeHint: word('failure-type'),
  };
}

/** Python tells the end by a signal as a code below 0. */
const MAX_SIGNAL_CODE = 255;

/** Asks the model under `recovery:` about a failure of which the rules are not sure; its answer must pass every check. */
async function askModelToo(
  plain: Diagnosis,
  failed: () => DiagnosisInput,
  workspace: string,
  invocation: Invocation,
): Promise<Diagnosis> {
  const { env, stderr } = invocation;
  const recovery = await allowedRecovery(invocation, 'diagnose', true);
  if (recovery === undefined) return plain;
  const { createRedactor } = await import('../../record/redaction/redact.ts');
  const { RECOVERY_LIMITS, recover } = await import('../../agents/recovery/recovery-agent.ts');
  const input = failed();
  const asked = { ...input, output: createRedactor({ environment: env }).redact(input.output) };
  const stop = new AbortController().signal;
  if (recovery.provider === 'claude') {
    const cli = { command: recovery.command ?? ['claude'], model: recovery.model ?? null, env };
    const { recoverWithCli } = await import('../../agents/recovery/recover-with-cli.ts');
    return told(await recoverWithCli(plain, asked, workspace, cli, RECOVERY_LIMITS, stop));
  }
  const apiKey = env[recovery.key_variable] ?? '';
  if (apiKey === '') return plain;
  const provider = { type: recovery.provider, url: recovery.url, model: recovery.model, apiKey };
  return told(await recover(plain, asked, workspace, provider, RECOVERY_LIMITS, stop));

  function told(answer: RecoveryAnswer): Diagnosis {
    if (answer.type === 'kept')
      writeText(stderr, `mayday diagnose: the rules' answer is kept: ${answer.reason}\n`);
    return answer.diagnosis;
  }
}
