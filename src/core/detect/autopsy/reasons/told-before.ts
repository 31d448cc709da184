/**
 * `shownElsewhere`, `explainedBefore`, `removedStill`, `valueElsewhere`: what another call of the record tells about a failure that
 * repeats: the path or the name under which a listing or a search showed what is not found, the line of ordinary output or of a log that
 * explains the failure, that its thing was taken away in vain, the file with the wrong value.
 */
import { groupIn } from '../../../text/group-in.ts';
import { counted } from '../../../text/counted.ts';
import { oneOf } from '../../../text/one-of.ts';
import { commandOf } from '../../call-kind.ts';
import { callText, quote } from '../../detector.ts';
import { namesError } from '../../error-line.ts';
import { complains } from '../../../text/complains.ts';
import type { RecordedTurn } from '../recorded-turn.ts';
import { editedInVain, type FindReason, type Reason } from './find-reason.ts';
import { editsFile } from '../repeated-turns.ts';
import { changes } from '../../staleness.ts';
import { editedPaths, isSamePath } from '../side-effects.ts';
import { namesOfThings } from './record-facts.ts';
import { notesIn, TELLING } from './told-by-tool.ts';

const NO_SUCH = oneOf(
  /(?:^|[\s'"‘`:])([\w.@+/-]+?)\/?['"’`]?: no such file|no such file or directory[:,]? ?['"]?([\w.@+/-]+)/i,
  /can(?:no|')t (?:find|open) (?:module |file )?['"]?([\w.@+/-]+)/i,
  /\b(?:file|path|folder|directory)(?: name)? ['"]?([\w.@+/-]+)['"]? (?:was )?not found/i,
  /\b(?:file|path|folder|directory) ['"]?([\w.@+/-]+)['"]? does not exist/i,
);
const PATH = /(?:[A-Za-z]:)?[\w.@+-]{0,80}(?:\/[\w.@+-]{1,80}){1,40}/g;
const LISTS = /(?:^|[;&|\n]\s*)(?:ls|dir|tree|find|fd)\b/;
const LISTED_NAMES = 12;
const SHARED_CHARS = 3;

/** What is not found was shown by an earlier call under another path, or under a name that begins alike. */
export const shownElsewhere: FindReason = ({ turns, failure: { turn, last, count } }) => {
  const asked = groupIn(NO_SUCH, turn.errorLine);
  if (asked === undefined) return null;
  const worked = turns.filter((each) => !each.failed);
  const before = worked.filter((each) => each.step < last.callStep);
  const failed = `\`${callText(turn)}\` failed ${count} times`;
  const path = wholePath(before, asked);
  if (path === null) return nearName(before, asked, failed);
  const used = worked.filter(({ input, tool }) => tool === turn.tool && input.includes(path[0])).length;
  return pathTold(asked, failed, path, used);
};

/** The first whole path of it that a call was given or showed, and that call. */
function wholePath(
  before: readonly RecordedTurn[],
  asked: string,
): readonly [path: string, shown: RecordedTurn] | null {
  const tail = withoutDots(asked);
  // A bare name may stand at the end of many paths.
  if (!tail.includes('/') && !/\.\w+$/.test(tail)) return null;
  for (const shown of before) {
    const paths = `${shown.input}\n${shown.output}`.match(PATH);
    const path = paths?.find((each) => each.endsWith(`/${tail}`) && each !== asked);
    if (path !== undefined) return [path, shown];
  }
  return null;
}

function pathTold(
  asked: string,
  failed: string,
  [path, shown]: readonly [string, RecordedTurn],
  used: number,
): Reason {
  const root = path.slice(0, -withoutDots(asked).length);
  return used > 0
    ? [
        `${failed} with ${asked}, and worked ${counted(used, 'time')} with the whole path, ${path}; nothing was done with what that told`,
        `Use ${path} from the start. What it tells is known; what is missing stands elsewhere: search the tree for it, not this file.`,
      ]
    : [
        `${asked} is not there from where the calls look, so ${failed}; \`${callText(shown)}\` showed it as ${path}, and that was not used`,
        `Use ${path}, as it was shown, or go to ${root} first (\`cd ${root}\`). It is found: do not search for it again.`,
      ];
}

function withoutDots(path: string): string {
  return path.replace(/^(?:\.{0,2}\/)+/, '');
}

function nearName(before: readonly RecordedTurn[], asked: string, failed: string): Reason | null {
  const name = asked.slice(asked.lastIndexOf('/') + 1);
  const listing = before.findLast(({ input }) => LISTS.test(commandOf(input)));
  if (listing === undefined) return null;
  const names = listing.output.split(/\s+/).filter((each) => each !== '');
  const begin = name.slice(0, SHARED_CHARS).toLowerCase();
  const near = names.find((each) => each.slice(0, SHARED_CHARS).toLowerCase() === begin);
  const isSameWord = near?.toLowerCase().startsWith(name.toLowerCase()) === true;
  if (names.length > LISTED_NAMES || near === undefined || near.replace(/[/*@]$/, '') === name) return null;
  return [
    `there is no ${name}: the listing shows ${near}, and ${failed}`,
    `Use the name as it is listed, ${near}${isSameWord ? ', with upper and lower case as there' : ''}.`,
  ];
}

/** What ran before them tells nothing about the end of a long record. */
const LATEST = 2_000;

/** Another output explains what the failure names; of a state that stays bad, how it came to it. */
export const explainedBefore: FindReason = (record) => {
  const {
    turns,
    failure: { turn, last, count },
  } = record;
  if (editsFile(turn)) return null;
  const command = commandOf(turn.input);
  const names = namesOfThings(turn.errorLine).filter((name) => !command.includes(name));
  const usual = new Set(notesIn(turn.output).map(({ text }) => text));
  const isAbout = (text: string) => turn.isState || names.some((name) => text.includes(name));
  const notes = turns.slice(-LATEST).flatMap((other) => {
    const isOther = other.step < last.step && other.kind !== 'edit' && other.error !== turn.error;
    return isOther && (names.length > 0 || turn.isState)
      ? notesIn(other.output).map((note) => ({ other, ...note }))
      : [];
  });
  const isStatus = turn.isState || STATUS.test(command);
  const logged = isStatus ? logLines(turns.filter(({ step }) => step < last.step)) : [];
  const [best] = notes
    .filter(({ text, weight }) => weight >= TELLING && !usual.has(text) && isAbout(text))
    .toSorted((a, b) => b.weight - a.weight);
  const edited = editedInVain(record);
  const vain = edited === '' ? '' : `; the edits of ${edited} did not change that`;
  const cause = turn.isState
    ? `\`${callText(turn)}\` shows ${turn.errorLine} after each change, ${count} times`
    : `\`${callText(turn)}\` failed ${count} times: ${quote(turn.errorLine)}`;
  const [log] = logged;
  if (log !== undefined && best === undefined) {
    const said = logged.map(({ line }) => quote(line)).join(' · ');
    return [
      `${cause}. Its log (\`${callText(log.turn)}\`, call ${turns.indexOf(log.turn) + 1}) says: ${said}${vain}`,
      `Look first whether that is why (${quote(log.line)}); then look with \`${callText(turn)}\` once.`,
    ];
  }
  if (best !== undefined)
    return [
      `${cause}. \`${callText(best.other)}\` (call ${turns.indexOf(best.other) + 1}) had said: ${quote(best.text)}${vain}`,
      `Look first whether that is why (${quote(best.text)}), and mend it where it is set; then run \`${callText(turn)}\` once.`,
    ];
  if (!turn.isState) return null;
  return [
    `${cause}${vain}`,
    'Ask why it does not run before the next change: its last words and how it ended (its log, its exit code, its events).',
  ];
};

const STATUS = /\b(?:status|ps|get (?:pods?|deploy\w*|svc)|inspect|is-active)\b/;
const LOGS = /\b(?:logs?|journalctl|describe|events|dmesg)\b|\.log\b/;
const LOG_LINES = 2;
/** The time, the host and the program before what a log says. */
const LOG_HEAD = /^(?:\w{3} \d+ |\S*\d\d:\d\d:\d\d\S* |\[?\d{4}-\d\d-\d\d\S* )+(?:\S+ \S+\[\d+\]: )?/;

/** The first lines of a log that complain. */
function logLines(
  before: readonly RecordedTurn[],
): readonly { readonly turn: RecordedTurn; readonly line: string }[] {
  const turn = before.findLast(({ kind, input }) => kind !== 'edit' && LOGS.test(commandOf(input)));
  const lines = turn?.output.split('\n').map((line) => line.trim().replace(LOG_HEAD, '')) ?? [];
  const bad = [...new Set(lines.filter((line) => namesError(line) || complains(line)))];
  return turn === undefined ? [] : bad.slice(0, LOG_LINES).map((line) => ({ turn, line }));
}

const REMOVES =
  /^\s*(?:sudo )?(?:git (?:rm|lfs untrack)|rm|unlink|rmdir|\w+ (?:uninstall|remove|delete|drop))\b/;
const NAMED_THING = /[./_-]/;

/** What the failure names was taken away, and the failure names it still: what is looked at is not what was changed. */
export const removedStill: FindReason = ({ turns, failure: { turn, turns: members, last } }) => {
  const names = namesOfThings(turn.errorLine).filter(
    (name) => NAMED_THING.test(name) && !turn.input.includes(name),
  );
  const isRemoval = (each: RecordedTurn, name: string) =>
    commandOf(each.input)
      .split(/&&|\|\||[;|\n]/)
      .some((part) => REMOVES.test(part) && part.includes(name));
  for (const name of editsFile(turn) ? [] : names) {
    const removal = turns.find((each) => isRemoval(each, name) && each.step < last.callStep);
    const later = members.filter(
      ({ callStep, errorLine }) => callStep > (removal?.callStep ?? Infinity) && errorLine.includes(name),
    );
    if (removal === undefined || later.length < 2) continue;
    const isPush = /\bgit push\b/.test(commandOf(turn.input));
    return [
      [
        `${quote(turn.errorLine)}. ${name} was taken away by \`${callText(removal)}\` (call ${turns.indexOf(removal) + 1}),`,
        `and ${later.length} later calls are refused for it all the same: it is still in`,
        isPush
          ? 'an earlier commit, and a push sends all commits'
          : 'what the failing command looks at, maybe another copy of it',
      ].join(' '),
      isPush
        ? `Find the commit that has it (\`git log --oneline -- ${name}\`), and take it out of there: \`git rebase -i\`, ` +
          '`git filter-repo` or `git lfs migrate import`. A new commit, another branch or another setting of the push does not help.'
        : `Find the copy that it reads (a cache, a built output, an image), take it away there, and run \`${callText(turn)}\` once.`,
    ];
  }
  return null;
};

/** What a check got, in the words of the usual runners. */
const GOT = oneOf(
  /\bexpected:? (['"]?[\w.:/-]{2,60}['"]?) to (?:be|equal|match)\b/i,
  /\b(?:received|actual|got|but was)\b\W{1,6}(['"]?[\w.:/-]{2,60})/i,
  /\bassert (['"]?[\w.:/-]{2,60}['"]?) ==/i,
  /\bleft: (['"]?[\w.:/-]{2,60})/i,
);
const HIT = /^((?:[\w.@+-]*\/)*[\w.@+-]+\.\w{1,6}):(\d+):(.*)$/;

export const valueElsewhere: FindReason = ({ turns, failure: { turn, last, count } }) => {
  if (editsFile(turn)) return null;
  const value = groupIn(GOT, turn.output)?.replace(/^['"]|['"]$/g, '');
  const edited = editedPaths(turns.filter(changes));
  if (value === undefined || edited.length === 0) return null;
  const whole = new RegExp(`(?<![\\w.])${value.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')}(?![\\w.])`);
  for (const search of turns.filter(({ kind, step }) => kind === 'search' && step < last.callStep)) {
    const hits = search.output
      .split('\n')
      .flatMap((line) => (HIT.exec(line.trim()) === null ? [] : [HIT.exec(line.trim()) as RegExpExecArray]));
    const isAbout = hits.some(([, path = '']) => edited.some((each) => isSamePath(each, path)));
    const found = hits.find(
      ([, path = '', , text = '']) =>
        whole.test(text) &&
        !turns.some(({ kind, input }) => kind !== 'search' && kind !== 'test' && input.includes(path)),
    );
    if (!isAbout || found === undefined) continue;
    const [, path, row, text = ''] = found;
    return [
      `\`${callText(turn)}\` gets ${value} in all ${count} runs, and that stands in ${path}, line ${row}: ${quote(text)}. ` +
        `\`${callText(search)}\` showed it; no call opened that file, and the edits went to ${edited.join(', ')}`,
      `Open ${path}, line ${row}: the value may come from there. If it does, change it there, and run \`${callText(turn)}\` once.`,
    ];
  }
  return null;
};
