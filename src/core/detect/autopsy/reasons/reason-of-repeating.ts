/**
 * `reasonOfRepeating`, `unmovedStretch`: why calls that do not fail are made again and again, where the record shows it: edits that
 * stand only in messages, an edit that changes nothing or adds once more, an old program that still answers.
 */
import { firstGroupIn } from '../../../text/group-in.ts';
import { type Signal, SIGNALS } from '../../../vocabulary/signal.ts';
import type { TranscriptEntry } from '../../../vocabulary/transcript.ts';
import { checkOf, isWorkAfterPause } from '../../check-mark.ts';
import { callText, quote } from '../../detector.ts';
import { changes } from '../../staleness.ts';
import { gapsWith, outputsOf, type RecordedTurn } from '../recorded-turn.ts';
import { type FindReason, firstReason, type Reason } from './find-reason.ts';
import { absentProgram, tellAbsent } from './absent-program.ts';
import { generatedFile } from './generated-file.ts';
import { editsFile, type Repeated, repeatedBy } from '../repeated-turns.ts';
import { TEST_FILE } from './switched-off.ts';
import { cachedResult, oldValueElsewhere } from './not-reached.ts';
import { sameEditAgain } from './same-edit-again.ts';
import { notBuilt, staleCode } from './stale-code.ts';
import { isPaging } from '../stuck-pattern.ts';
import { RECOVERED_TURNS, type StuckStretch, stretchOf, usefulAfter } from '../stuck-stretch.ts';

export function reasonOfRepeating(
  entries: readonly TranscriptEntry[],
  turns: readonly RecordedTurn[],
  { fromStep, turns: stuck, groups }: StuckStretch,
  alarms: readonly Signal[],
): Reason | null {
  const call = groups[0];
  if (
    call?.kind === 'ask' ||
    call?.kind === 'look' ||
    alarms.some(({ type }) => SIGNALS[type].startHere !== undefined)
  )
    return null;
  const missing = afterMissing(turns, stuck);
  if (missing !== null || call === undefined) return missing;
  const record = { turns, failure: call, task: '' };
  return (
    firstReason(record, [generatedFile, oldProcess, notBuilt, staleCode, cachedResult, oldValueElsewhere]) ??
    looksInTurn(entries, turns, stuck) ??
    cutView(groups) ??
    sameEditAgain(call) ??
    onlySaid(entries.slice(fromStep), stuck, call) ??
    unmoved(record)
  );
}

/** As many empty searches as make the searching the trouble. */
const BARREN_LOOKS = 5;

/** What is searched for since a program was found missing is a way to have it. */
function afterMissing(turns: readonly RecordedTurn[], stuck: readonly RecordedTurn[]): Reason | null {
  const missing = absentProgram(turns);
  const since = stuck.filter(({ step }) => missing !== null && step > missing.last.step);
  const vain = since.filter(
    ({ kind, barren, failed, input }) =>
      (kind === 'search' || kind === 'read') &&
      (barren || failed || (missing !== null && input.includes(missing.name))),
  );
  if (missing === null || vain.length < BARREN_LOOKS || vain.length * 5 < since.length * 2) return null;
  return tellAbsent(turns, { ...missing, vain: vain.filter(({ barren, failed }) => barren || failed) });
}

/** Code blocks in this many messages, and no edit, mean that the edits were only said. */
const SAID_EDITS = 3;

function onlySaid(
  later: readonly TranscriptEntry[],
  stuck: readonly RecordedTurn[],
  { turn, count }: Repeated,
): Reason | null {
  const said = later.filter((entry) => entry.type === 'message' && entry.role === 'agent');
  const written = said.filter((entry) => entry.type === 'message' && entry.text.includes('```'));
  if (stuck.some(changes) || written.length < SAID_EDITS || written.length * 2 < said.length) return null;
  return {
    cause:
      `the changes stand only in the agent's messages (${written.length} code blocks); no call made them, ` +
      `and \`${callText(turn)}\` ran the same ${count} times`,
    startHere:
      'Make the change with a call of the editor, look at the file to see it there, and only then run it.',
  };
}

/** As often the same program must print the same, with edits in between. */
const UNMOVED = 4;
/** What names a container or a commit differs in each run. */
const OWN_NUMBER = /\b(?=\d*[a-f])(?=[a-f]*\d)[\da-f]{4,}\b/g;
/** A program that says that all is well may say so each time. */
const WELL = /\b(?:ok|pass(?:ed|es)?|success\w*|done|finished|up to date|no (?:errors?|issues|changes))\b/i;
const PORT_HELD =
  /^.*(?:EADDRINUSE|address already in use|port \d+ is (?:already )?(?:in use|allocated)).*$/im;

/** A program is started and asked again and again, and the record shows that its port was held. */
const oldProcess: FindReason = ({ turns, failure: { turn, count } }) => {
  const held = firstGroupIn(PORT_HELD, outputsOf(turns));
  if (held === undefined || editsFile(turn)) return null;
  return {
    cause:
      `an earlier start of the program may still hold the port and answer as before the edits: ${quote(held)}; ` +
      `so \`${callText(turn)}\` gave the same ${count} times: ${quote(turn.output.trim())}`,
    startHere:
      'End the old process (`ss -ltnp`, `kill`), start the program once, see in its log that it runs, and ask again.',
  };
};

const FROM_BELOW = /\d+ more lines? above/i;
const CUT =
  /\(?(?:\d+ more lines? below|output (?:was )?truncated|\[?truncated\]?|lines? omitted)[^\n]{0,40}/i;
const SEARCHED = /\b(?:grep|rg|ag|search_file|search_dir)\b[^"'\n]*("[^"\n]+"|'[^'\n]+')/;

/** The same part of a file is shown again and again, and the answer says that it is only a part. */
function cutView(groups: readonly Repeated[]): Reason | null {
  const view = groups.find(({ turn }) => {
    const shown = turn.output;
    return turn.kind === 'read' && CUT.test(shown) && !FROM_BELOW.test(shown);
  });
  if (view === undefined || view.count * 2 < (groups[0]?.count ?? 0) || isPaging(view)) return null;
  const cut = CUT.exec(view.turn.output)?.[0] ?? '';
  const words = firstGroupIn(
    SEARCHED,
    groups.map(({ turn }) => turn.input),
  );
  return {
    cause: `\`${callText(view.turn)}\` shows the same part ${view.count} times (${quote(cut)})`,
    startHere:
      `Ask for the line (\`grep -n ${words ?? 'NAME'}\` on that file), and open the file at that line; do not open it ` +
      'from the top again.',
  };
}

/** As many different looks make a round, and as many rounds a loop. */
const ROUND = 3;

/** The same looks in turn, with nothing edited in between: all that they tell is known, unless the context loses it each time. */
function looksInTurn(
  entries: readonly TranscriptEntry[],
  turns: readonly RecordedTurn[],
  stuck: readonly RecordedTurn[],
): Reason | null {
  const looks = stuck.filter(
    ({ kind, failed }) => !failed && (kind === 'read' || kind === 'search' || kind === 'other'),
  );
  const different = [...Map.groupBy(looks, ({ call }) => call).values()].filter(({ length }) => length > 1);
  if (different.length < ROUND || looks.length * 3 < stuck.length * 2 || stuck.some(changes)) return null;
  const rounds = Math.min(
    ...different.map(([look]) => turns.filter(({ call }) => call === look?.call).length),
  );
  const round = different.slice(0, 5).map(([turn]) => callText(turn as RecordedTurn));
  const lost = compactionsIn(entries);
  if (lost > 1)
    return {
      cause:
        `the context was compacted ${lost} times, and what was read may be lost each time: the same ${different.length} looks ` +
        `were made at least ${rounds} times each, with no edit in between: ${round.join(' · ')}`,
      startHere:
        'Write what is known and what is to do into a file (or into the task), and begin with that. Open one file, change it, ' +
        'commit, and only then open the next; do not read all of them again.',
    };
  const never = neverOpened(turns.slice(-LATEST));
  const missing = absentProgram(turns);
  const cannot = missing === null ? '' : `. ${missing.name} was not found: ${quote(missing.last.errorLine)}`;
  return {
    cause: `the same ${different.length} looks, each at least ${rounds} times, and no edit in between: ${round.join(' · ')}${cannot}`,
    startHere: [
      'What these calls tell is known.',
      never.length === 0
        ? 'Make the edit now, or say what is missing;'
        : `Open what a search showed and no call opened (${never.join(', ')}), make the edit, or say what is missing;`,
      missing === null
        ? 'do not open the same places again.'
        : `say that it was not run, because ${missing.name} is missing.`,
    ].join(' '),
  };
}

const SHOWN_FILE = /(?:[\w.@+-]*\/)+[\w@+-][\w.@+-]*\.\w{1,5}\b/g;
const SHOWN_FILES = 3;
/** What was shown before them is another part of a long record. */
const LATEST = 1_000;

/** The files that searches showed most often and that no other call names. */
function neverOpened(turns: readonly RecordedTurn[]): readonly string[] {
  const shown = turns.flatMap(({ kind, failed, output }) =>
    kind === 'search' && !failed ? [...new Set(output.match(SHOWN_FILE))] : [],
  );
  const named = turns.filter(({ kind }) => kind !== 'search').map(({ input }) => input);
  return [...Map.groupBy(shown, (path) => path)]
    .filter(
      ([path]) =>
        !TEST_FILE.test(path) &&
        !named.some((input) => input.includes(path.slice(path.lastIndexOf('/') + 1))),
    )
    .toSorted(([, a], [, b]) => b.length - a.length)
    .slice(0, SHOWN_FILES)
    .map(([path]) => path);
}

/** Some agents note the summary of a compaction after the compaction itself. */
function compactionsIn(entries: readonly TranscriptEntry[]): number {
  return entries.filter(({ type }, at) => type === 'compaction' && entries[at - 1]?.type !== 'compaction')
    .length;
}

const unmoved: FindReason = ({ turns, failure: { turn, turns: members, count } }) => {
  const printed = turn.output.trim();
  if (printed === '' || count < UNMOVED || editsBetween(turns, members) < UNMOVED - 1) return null;
  return {
    cause: `\`${callText(turn)}\` printed the same ${count} times, whatever was edited: ${quote(printed)}`,
    startHere:
      'What runs may not be what is edited (an old process, a built output, another copy). Let it print something new before ' +
      'the next edit.',
  };
};

/** The stretch at the end of a record in which a program printed the same, byte for byte, after each edit. */
export function unmovedStretch(turns: readonly RecordedTurn[]): StuckStretch | null {
  const runs = turns.filter(
    (turn) => !turn.failed && ((turn.kind === 'run' && turn.waiting === null) || isWorkAfterPause(turn)),
  );
  const alike = Map.groupBy(runs, (turn) => `${checkOf(turn)} ${turn.output.replace(OWN_NUMBER, '0')}`);
  for (const [key, members] of alike) {
    const last = members.at(-1) as RecordedTurn;
    if (members.length < UNMOVED || WELL.test(last.output.trim().split('\n').at(-1) ?? '')) continue;
    if (usefulAfter(turns, last.step) >= RECOVERED_TURNS || editsBetween(turns, members) < UNMOVED - 1)
      continue;
    return stretchOf(turns, repeatedBy('call', key, members), null);
  }
  return null;
}

/** Between how many of the turns and the next one a file was edited. */
function editsBetween(turns: readonly RecordedTurn[], members: readonly RecordedTurn[]): number {
  return gapsWith(turns, members, (turn) => turn.edit !== null && changes(turn));
}
