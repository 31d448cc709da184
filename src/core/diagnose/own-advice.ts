/** `ownAdvice`: what the failing program itself tells to do, at the cause or right below it; empty where it says nothing of the kind. */
import { inLines } from '../text/in-lines.ts';
import type { LineFinding } from './finding.ts';
import type { Line } from './lines/read-lines.ts';

/** Advice follows what it is about. */
const BELOW = 6;
const DO = [
  'run|use|try|add|install|set|call|edit|rebuild|commit|update|remove|rename|specify|change|correct',
  'consider|check',
].join('|');
const YOU = 'you (?:can|should|must|need to|have to|may want to)';
const ADVISES = [
  `^(?:hint|help|tip|suggestion|= help): (?<said>.{0,160}\\b(?:${DO})\\b.{3,200})$`,
  `^(?<said>(?:please|try|${YOU}) (?:to )?(?:${DO})\\b.{3,200})$`,
  `^(?<said>(?:run|use|try) [\`'"].{3,200})$`,
  `^(?<said>To [a-z]{2,20} .{2,80}, (?:please )?(?:${DO})\\b.{0,200})$`,
  `\\((?<said>(?:${DO})\\b[^()]{6,160})\\)`,
  '(?<said>\\b(?:did you (?:mean|forget)|maybe you meant) .{2,120})$',
  `[;.] (?<said>(?:please )?(?:${DO}) [^.;]{3,120}[.!]?)$`,
].map((source) => new RegExp(source, 'i'));
/** What hides the failure, weakens a protection, or only tells more about it is no remedy. */
const NO_REMEDY = inLines('i')`
  --(?:force|insecure|no-verify|ignore|allow|skip|verbose|debug|trace|stacktrace|info|help|no-)|\bsudo\b| -[kXv]\b|\b(?:disable|skip|
  ignore|turn off|bypass|more (?:info|details?|help)|for details|full log|stack ?trace|bug|report|issues?)\b|https?:\/\/|
  \b(?:documentation|manual|again|later|retry|contact|note)\b`;

export function ownAdvice(cause: LineFinding | null, lines: readonly Line[]): string {
  if (cause === null) return '';
  const near = lines.slice(cause.index, cause.index + BELOW + 1);
  for (const [at, { text }] of near.entries()) {
    const said = ADVISES.map((pattern) => pattern.exec(text)?.groups?.['said']).find(
      (each) => each !== undefined,
    );
    if (said === undefined || NO_REMEDY.test(said)) continue;
    // `To add an exception, call:` and the command below it.
    const next = said.endsWith(':') ? near.slice(at + 1, at + 3).find((line) => line.text !== '')?.text : '';
    if (next !== undefined && !NO_REMEDY.test(next)) return next === '' ? said : `${said} ${next}`;
  }
  return '';
}
