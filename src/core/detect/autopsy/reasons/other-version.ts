/** `otherVersion`: a line of the failing output asks for one version and names an older one that is there. */
import { callText, quote } from '../../detector.ts';
import { editsFile } from '../repeated-turns.ts';
import { editedInVain, type FindReason, thenRun } from './find-reason.ts';

const NUMBER = String.raw`v?(\d+(?:\.\d+)+)`;
const ASKS = new RegExp(
  String.raw`(?:requires?|required|needs?|expected|wants?|must be|at least|minimum|supports?|>=)[^\d\n]{0,40}?${NUMBER}`,
  'i',
);
const HAS = new RegExp(
  String.raw`(?:running|found|got|current(?:ly)?|installed|have|has|using|actual|but)\b[^\d\n]{0,40}?${NUMBER}`,
  'i',
);
const ABOUT_VERSION = /\bversions?\b|\brequires?\b|\bengines?\b|\btoolchain\b|\bincompatible\b|>=/i;

export const otherVersion: FindReason = (record) => {
  const { turn } = record.failure;
  if (editsFile(turn)) return null;
  const pairs = turn.output.split('\n').flatMap((line) => {
    const [asked, has] = [ASKS.exec(line), HAS.exec(line)];
    const isPair = isOlder(has?.[1] ?? '', asked?.[1] ?? '');
    return asked !== null && has !== null && isPair && ABOUT_VERSION.test(line)
      ? [{ line, asked: asked[1] as string, has: has[1] as string }]
      : [];
  });
  const [pair] = pairs;
  if (pair === undefined) return null;
  const { line, asked, has } = pair;
  const vain = editedInVain(record);
  return {
    cause: `${asked} is asked for and ${has} is there: ${quote(line)}${vain === '' ? '' : `; the edits of ${vain} did not change that`}`,
    startHere:
      `Let \`${callText(turn)}\` run with ${asked} (install it or switch to it; a person does, if the run may not), ` +
      `or change what asks for it; ${thenRun(record)}`,
  };
};

function isOlder(a: string, b: string): boolean {
  const [ofA, ofB] = [a, b].map((version) => version.split('.').map(Number)) as [number[], number[]];
  const at = ofB.findIndex((part, index) => part !== (ofA[index] ?? 0));
  return at >= 0 && (ofA[at] ?? 0) < (ofB[at] ?? 0);
}
