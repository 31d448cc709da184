/**
 * `cachedResult`, `notInBuild`, `oldValueElsewhere`: why edits do not reach a failure: its result comes from a cache, the build does not
 * take a new file, another file still has the old value.
 */
import { groupIn } from '../../../text/group-in.ts';
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
  return [
    `the result may come from a cache (${cached.length} calls), and no edit since was tried then: ` +
      `${quote(last.line)} (\`${callText(last.turn)}\`)`,
    'Run it past the cache (its option for that: `--force`, `--no-cache`), and read that result. ' +
      'Then let the cache know the edited files (its inputs), so that an edit counts.',
  ];
};

const UNKNOWN_SYMBOL = oneOf(
  /\bundefined reference to [`'"]?(?:[\w<>]+::)*(~?\w+)|\bcannot find ['"`](\w+)['"`] in scope/i,
  /\bunresolved external symbol \W?(?:\w+::)*(\w+)/i,
  /\bundefined symbols?[:\s][\s\S]{0,60}?["`'](?:\w+::)*_?(\w+)|\bunresolved reference:? ['"`]?(\w+)|\bundefined: (\w+)\b(?!\.)/i,
  /\bcannot find symbol\b[\s\S]{0,200}?symbol: +\w+ (\w+)|\btype or namespace name '(\w+)'/i,
);

/** What the build does not know is in a file that this run made. */
export const notInBuild: FindReason = ({ turns, failure: { turn, first } }) => {
  const symbol = groupIn(UNKNOWN_SYMBOL, turn.output);
  if (symbol === undefined || editsFile(turn)) return null;
  const word = new RegExp(`\\b${symbol.replace('~', '')}\\b`);
  const made = turns.find(
    (each) => changes(each) && each.edit?.from === 0 && each.step < first.step && word.test(each.given),
  );
  const path = made?.edit?.path;
  if (
    made === undefined ||
    path === undefined ||
    turn.errorLine.includes(path.slice(path.lastIndexOf('/') + 1))
  )
    return null;
  return [
    `${symbol} is in ${path}, which call ${turns.indexOf(made) + 1} made, but the build may not take that file: ${quote(turn.errorLine)}`,
    'Add it to what the build takes (its list of sources, the project file), or configure the build again: a list by pattern is read ' +
      `only then. The text of ${path} is not the trouble: take back what was changed in it for this.`,
  ];
};

const VALUE = /[\w.@:/+-]{3,80}/g;
const NAMES_VALUE = /\d|\w[@./:-]\w/;
const HIT = /^((?:[\w.@+-]*\/)*[\w.@+-]+\.\w{1,6}):(\d+):(.*)$/gm;
const MADE = /(?:^|\/)(?:\.?cache|dist|build|out|target|generated|vendor|node_modules|tmp)\//;

/** The output still has a value that an edit took away, and a search showed it in another file. */
export const oldValueElsewhere: FindReason = ({ turns, failure: { turn, last } }) => {
  const edits = editsWithin(turns, 0, last.callStep).filter(({ edit }) => edit !== null);
  const gone = edits.flatMap(({ given }) => {
    const { from, to } = editOf(given) ?? {};
    const values = from?.match(VALUE) ?? [];
    return values.filter((value) => NAMES_VALUE.test(value) && !(to ?? '').includes(value));
  });
  const old = gone.find((value) => last.output.includes(value));
  if (old === undefined || editsFile(turn)) return null;
  for (const look of turns)
    for (const [, path = '', row, text = ''] of look.kind === 'search' ? look.output.matchAll(HIT) : []) {
      if (!text.includes(old) || edits.some((each) => isSamePath(editedPath(each) ?? '', path))) continue;
      const anew = MADE.test(path)
        ? `${path} is made from other files: make it anew (clear that cache, build it again)`
        : `Change ${path}, line ${row}`;
      return [
        `\`${callText(turn)}\` still shows ${old}, which was edited away in ${edits[0]?.edit?.path}: what counts is ${path}, ` +
          `line ${row} (${quote(text)}); \`${callText(look)}\` showed it, and nothing changed it`,
        `${anew}, then run \`${callText(turn)}\` once; take back the edits that were made in vain.`,
      ];
    }
  return null;
};
