/** `printError`: prints what happened, what Mayday did, and what the person can do now. Its first line begins with `ERROR_MARK`. */
import { MaydayError } from './mayday-error.ts';
import { exhausted, pathOf } from './storage-error.ts';

export const ERROR_MARK = 'mayday: ';
const LABEL_WIDTH = 12;
const GAP = 2;

export function printError(thrown: unknown, stderr: { write(text: string): unknown }): number {
  const error = exhausted(thrown, pathOf(thrown));
  if (!(error instanceof MaydayError)) {
    const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
    stderr.write(
      [
        `${ERROR_MARK}a promise of Mayday's own code was broken (INTERNAL)\n${text}\n`,
        '  do          please report this; `mayday verify` tells whether the record holds\n',
      ].join(''),
    );
    return 1;
  }
  const width = Math.max(LABEL_WIDTH, ...error.advice.map(([label]) => label.length + GAP));
  const advice = error.advice.map(([label, text]) => `  ${label.padEnd(width)}${text}\n`);
  stderr.write(`${ERROR_MARK}${error.message} (${error.code})\n${advice.join('')}`);
  return error.exitCode;
}
