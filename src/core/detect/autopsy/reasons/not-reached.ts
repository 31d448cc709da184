/**
 * `cachedResult`, `oldValueElsewhere`: why edits do not reach a failure: its result comes from a cache, another file still has the old
 * value.
 */
import { oneOf } from '../../../text/one-of.ts';
import { callText, quote } from '../../detector.ts';
import { changes } from '../../staleness.ts';
import { editOf } from '../../edit-target.ts';
import { editedPath, isSamePath } from '../side-effects.ts';
import { editsFile, editsWithin } from '../repeated-turns.ts';
import type { FindReason } from './find-reason.ts';

const FROM_CACHE = oneOf(
  /^.*(?:\bcache hit\b|\breplaying (?:logs|output)|\bFROM-CACHE\b|\b(?:local|remote) cache\b|\(cached\)).*$/im,
  /^.*\boutputs? match(?:es)? the cache\b.*$/im,
  /^.*\b(?:read|taken|loaded|restored) from (?:the )?cache\b.*$/im,
);
const PASSES = /^\s*ok\b|✓|✔|\bpass/i;
const RAN_AGAIN = /\bcache miss\b/i;

/** What failed is shown again from a cache, although files were edited: the check did not run. */
export const cachedResult: FindReason = ({ turns, failure: { turns: members } }) => {
  const edit = turns.find((turn) => changes(turn) && turn.edit !== null);
  const later = members.filter(({ step }) => step > (edit?.step ?? Infinity));
  const cached = later.flatMap((turn) => {
    const lines = turn.output.split('\n').filter((line) => FROM_CACHE.test(line) && !PASSES.test(line));
    return lines.length > 0 && !RAN_AGAIN.test(turn.output) ? [{ turn, line: lines.at(-1) as string }] : [];
  });
  const last = cached.at(-1);
  if (last === undefined || cached.length < 2 || cached.length * 2 < later.length) return null;
  return {
    cause:
      `the result may come from a cache (${cached.length} calls), and no edit since was tried then: ` +
      `${quote(last.line)} (\`${callText(last.turn)}\`)`,
    startHere:
      'Run it past the cache (its option for that: `--force`, `--no-cache`), and read that result. ' +
      'Then let the cache know the edited files (its inputs), so that an edit counts.',
  };
};

const VALUE = /[\w.@:/+-]{3,80}/g;
const NAMES_VALUE = /\d|\w[@./:-]\w/;
const HIT = /^((?:[\w.@+-]*\/)*[\w.@+-]+\.\w{1,6}):(\d+):(.*)$/gm;
const MADE = /(?:^|\/)(?:\.?cache|dist|build|out|target|generated|vendor|node_modules|tmp)\//;

/** The output still has a value that an edit took away, and a search showed it in another file. */
export const oldValueElsewhere: FindReason = ({ turns, failure: { turn, last } }) => {
  const edits = editsWithin(turns, 0, last.callStep).filter(({ edit }) => edit !== null);
  const gone = edits.flatMap((edit) => {
    const { from, to } = editOf(edit.given) ?? {};
    const values = from?.match(VALUE) ?? [];
    return values
      .filter((value) => NAMES_VALUE.test(value) && !(to ?? '').includes(value))
      .map((old) => ({ old, away: edit }));
  });
  const found = gone.find(({ old }) => last.output.includes(old));
  if (found === undefined || editsFile(turn)) return null;
  const { old, away } = found;
  for (const look of turns)
    for (const [, path = '', row, text = ''] of look.kind === 'search' ? look.output.matchAll(HIT) : []) {
      if (!text.includes(old) || edits.some((each) => isSamePath(editedPath(each) ?? '', path))) continue;
      const anew = MADE.test(path)
        ? `${path} is made from other files: make it anew (clear that cache, build it again)`
        : `Open ${path}, line ${row}: if the value comes from there, change it there`;
      return {
        cause:
          `\`${callText(turn)}\` still shows ${old}, which was edited away in ${away.edit?.path}: it may come from ${path}, ` +
          `line ${row} (${quote(text)}); \`${callText(look)}\` showed it, and no call edited that file`,
        startHere: `${anew}, then run \`${callText(turn)}\` once; take back the edits that were made in vain.`,
      };
    }
  return null;
};
