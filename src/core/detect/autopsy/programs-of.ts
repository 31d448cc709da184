/** `programsOf`: the programs that a command line runs, each with what it is asked, without those that only look or change files. */
import { commandOf, isShellCall } from '../call-kind.ts';
import { askedProgram } from '../check-mark.ts';
import type { RecordedTurn } from './recorded-turn.ts';

const LOOKS = new Set(
  'cd sed cat grep rg git rm cp mv echo ls printf touch find head tail wc export mkdir chmod sleep diff od which'.split(
    ' ',
  ),
);

export function programsOf({ tool, input, given }: RecordedTurn): readonly string[] {
  if (!isShellCall(tool, input)) return [];
  return commandOf(given)
    .split(/&&|\|\||;|\n/)
    .map((part) => askedProgram(part.trim()))
    .filter((part) => part !== '' && !LOOKS.has(part.split(/\s/, 1)[0] ?? '') && !/^\w=/.test(part));
}
