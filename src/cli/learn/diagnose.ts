/** `mayday diagnose [FILE]`: tells what failed in captured output, and what to do. */
import { resolve } from 'node:path';
import { Readable } from 'node:stream';
import { lookInWorkspace } from '../../agents/workspace/look-in-workspace.ts';
import { diagnoseLines } from '../../core/diagnose/diagnose.ts';
import { diagnosisJson, recoveryJson } from '../../core/view/diagnosis-json.ts';
import { type Line, LineSieve } from '../../core/diagnose/lines/read-lines.ts';
import type { Diagnosis, DiagnosisInput } from '../../core/vocabulary/diagnosis.ts';
import { isFile, isFolder } from '../../platform/file/file-kind.ts';
import { bounded, MAX_INPUT_BYTES, MAX_LINE_BYTES, namedChunks } from '../../platform/file/named-file.ts';
import { repositoryAround } from '../../platform/git/locate-repository.ts';
import { usageError } from '../../platform/mayday-error.ts';
import type { Invocation } from '../command.ts';
import { textOf, wholeNumberOf } from '../option-values.ts';
import { diagnoseArchive, unreadableArchive } from './diagnose-archive.ts';
import { usesColour } from '../render/colour.ts';
import { renderDiagnosis } from './diagnose-render.ts';
import { withGithubLogs } from './github-logs.ts';
import { opinionOn } from './diagnose-opinion.ts';
import type { OpinionAtHand } from './opinion-provider.ts';
import { writeText } from '../write-text.ts';

/** A look around is worth no long wait. */
const LOOK_MS = 5_000;

export async function run(invocation: Invocation): Promise<number> {
  const { options, stdout } = invocation;
  const nowMs = Date.now();
  if (options['jsonl'] === true) {
    const { diagnoseJsonl } = await import('./diagnose-jsonl.ts');
    const input = Readable.from(
      bounded(openInput(invocation, Infinity), { maxBytes: MAX_LINE_BYTES, perLine: true }),
    );
    // One question per line may be many: they are asked only where the person says so.
    const hand = textOf(invocation, 'opinion') === undefined ? null : await provider(invocation);
    const form = options['recovery'] === true ? recoveryJson : diagnosisJson;
    await diagnoseJsonl(input, stdout.stream, { nowMs, timeZone: timeZone() }, form, hand);
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
  const { diagnosis: rules, lines } = await read(invocation, status);
  const weighed = await opinionOn(rules, lines, status, () => provider(invocation));
  const workspace = workspaceOf(invocation);
  const diagnosis =
    workspace === null ? weighed : await lookInWorkspace(weighed, workspace, AbortSignal.timeout(LOOK_MS));
  const isSilent = lines.every(({ raw }) => raw.trim() === '');
  if (options['recovery'] === true) stdout.write(`${JSON.stringify(recoveryJson(diagnosis), null, 2)}\n`);
  else if (invocation.json) stdout.write(`${JSON.stringify(diagnosisJson(diagnosis), null, 2)}\n`);
  else if (isSilent && status.exitCode === null && status.signal === null)
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
): Promise<{ readonly diagnosis: Diagnosis; readonly lines: readonly Line[] }> {
  const github = textOf(invocation, 'github');
  if (github !== undefined)
    return await withGithubLogs(github, invocation.env, async (path) => {
      const told = await diagnoseArchive(path, status);
      if (told === null) throw unreadableArchive(github);
      return told;
    });
  const input = openInput(invocation);
  const [file = '-'] = invocation.args;
  const path = resolve(invocation.cwd, file);
  const archive = file === '-' || !isFile(path) ? null : await diagnoseArchive(path, status);
  if (archive !== null) return archive;
  const sieve = new LineSieve();
  const decoder = new TextDecoder();
  for await (const chunk of bounded(input, { maxBytes: MAX_INPUT_BYTES }))
    sieve.push(decoder.decode(chunk, { stream: true }));
  sieve.push(decoder.decode());
  const lines = sieve.lines();
  return { diagnosis: diagnoseLines(lines, status), lines };
}

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

function openInput(
  invocation: Invocation,
  maxBytes = MAX_INPUT_BYTES,
): Iterable<Buffer> | AsyncIterable<Buffer> {
  const [file] = invocation.args;
  if (file === undefined || file === '-') {
    if (process.stdin.isTTY)
      throw usageError('NO_INPUT', 'there is nothing to diagnose', [
        ['do', 'npm test 2>&1 | mayday diagnose    or    mayday diagnose FILE'],
      ]);
    return process.stdin;
  }
  const onWait = () => writeText(invocation.stderr, `mayday diagnose: waiting for what writes to ${file}\n`);
  return namedChunks(resolve(invocation.cwd, file), { maxBytes, onWait });
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

async function provider(invocation: Invocation): Promise<OpinionAtHand> {
  return await (await import('./opinion-provider.ts')).opinionProvider(invocation);
}
