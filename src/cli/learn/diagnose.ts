/** `mayday diagnose [FILE]`: tells what failed in captured output, and what to do. */
import { createReadStream } from 'node:fs';
import { access, constants, stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { Readable } from 'node:stream';
import { diagnoseLines } from '../../core/diagnose/diagnose.ts';
import { diagnosisJson } from '../../core/diagnose/diagnosis-json.ts';
import { LineSieve } from '../../core/diagnose/lines/read-lines.ts';
import type { DiagnosisInput } from '../../core/vocabulary/diagnosis.ts';
import { MaydayError, usageError } from '../../platform/mayday-error.ts';
import type { Invocation } from '../command.ts';
import { diagnoseJsonl } from './diagnose-jsonl.ts';
import { renderDiagnosis } from './diagnose-render.ts';

/** Large enough that reading is not the bottleneck, small enough to stay in the cache. */
const CHUNK_BYTES = 256 * 1024;

export async function run(invocation: Invocation): Promise<number> {
  const { options, stdout } = invocation;
  const input = await openInput(invocation);
  const clock = { nowMs: Date.now(), timeZone: Intl.DateTimeFormat().resolvedOptions().timeZone };
  if (options['jsonl'] === true) {
    await diagnoseJsonl(input, stdout, clock);
    return 0;
  }
  const sieve = new LineSieve();
  const decoder = new TextDecoder();
  for await (const chunk of input) sieve.push(decoder.decode(chunk as Uint8Array, { stream: true }));
  sieve.push(decoder.decode());
  const diagnosis = diagnoseLines(sieve.lines(), { ...statusOf(invocation), ...clock });
  if (invocation.json) stdout.write(`${JSON.stringify(diagnosisJson(diagnosis), null, 2)}\n`);
  else
    stdout.write(
      renderDiagnosis(diagnosis, stdout.isTTY === true && invocation.env['NO_COLOR'] === undefined),
    );
  return 0;
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
    throw new MaydayError(
      'INPUT_UNREADABLE',
      `cannot read ${JSON.stringify(file)}`,
      [
        ['happened', found === null ? 'there is no file of that name' : 'it is a directory, or not readable'],
        ['do', 'mayday diagnose FILE    or    COMMAND 2>&1 | mayday diagnose'],
      ],
      { exitCode: 2 },
    );
  return createReadStream(path, { highWaterMark: CHUNK_BYTES });
}

function statusOf({ options }: Invocation): Omit<DiagnosisInput, 'output'> {
  const word = (name: string): string | null => {
    const value = options[name];
    return typeof value === 'string' && value !== '' ? value : null;
  };
  return {
    exitCode: wholeNumber('exit-code', word('exit-code')),
    signal: word('signal'),
    command: word('command'),
    retryCount: wholeNumber('retry-count', word('retry-count')) ?? 0,
    featureId: word('feature'),
    issueNumber: wholeNumber('issue', word('issue')),
    failureTypeHint: word('failure-type'),
  };
}

function wholeNumber(name: string, value: string | null): number | null {
  if (value === null) return null;
  if (!/^-?\d{1,9}$/.test(value))
    throw usageError('WRONG_OPTION', `--${name} takes a whole number`, [
      ['happened', `it was given ${JSON.stringify(value)}`],
      ['do', `mayday diagnose --${name} 1`],
    ]);
  return Number(value);
}
