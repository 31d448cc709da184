/**
 * `reasonOfRepeating`, `unmovedStretch`: why calls that do not fail are made again and again, where the record shows it: edits that
 * stand only in messages, an edit that changes nothing or adds once more, an old program that still answers,
 * a branch that was not searched.
 */
import { firstGroupIn } from '../../../text/group-in.ts';
import { type Signal, SIGNALS } from '../../../vocabulary/signal.ts';
import type { TranscriptEntry } from '../../../vocabulary/transcript.ts';
import { commandOf } from '../../call-kind.ts';
import { checkOf } from '../../check-mark.ts';
import { callText, quote } from '../../detector.ts';
import { changes } from '../../detectors/staleness.ts';
import { outputsOf, type RecordedTurn } from '../recorded-turn.ts';
import type { FindReason, Reason } from './find-reason.ts';
import { absentProgram, tellAbsent } from './absent-program.ts';
import { editsFile, mostFrequent, type Repeated } from '../repeated-turns.ts';
import { isPaging } from '../stuck-pattern.ts';
import { editedPath, OPEN_FILE } from '../side-effects.ts';
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
  const tried = otherBranch(turns, stuck) ?? afterMissing(turns, stuck);
  if (tried !== null || call === undefined) return tried;
  return (
    oldProcess({ turns, failure: call }) ??
    looksInTurn(turns, stuck, groups) ??
    cutView(groups) ??
    editAgain(call) ??
    onlySaid(entries.slice(fromStep), stuck, call) ??
    unmoved({ turns, failure: call })
  );
}

const BRANCH = /^\s*(?:remotes\/)?([\w.-]+\/[\w./-]+)\s*$/gm;
/** As many empty searches as make the searching the trouble. */
const BARREN_LOOKS = 5;

/** Searches found nothing on this branch, and the record lists others. */
function otherBranch(turns: readonly RecordedTurn[], stuck: readonly RecordedTurn[]): Reason | null {
  const barren = stuck.filter(
    ({ barren: isBarren, kind }) => isBarren && (kind === 'search' || kind === 'read'),
  );
  const listing = turns.findLast(({ input }) => /\bgit branch\b/.test(commandOf(input)));
  if (barren.length < BARREN_LOOKS || listing === undefined) return null;
  const branches = [...listing.output.matchAll(BRANCH)]
    .map(([, name = '']) => name)
    .filter((name) => !/\/(?:HEAD|main|master)$/.test(name));
  const isSearched = turns.some((turn) => branches.some((name) => commandOf(turn.input).includes(name)));
  if (branches.length === 0 || isSearched) return null;
  return [
    `${barren.length} searches found nothing on this branch, and the others were not searched: ${branches.slice(0, 4).join(', ')}`,
    `Look for it there (\`git grep\`, \`git show ${branches[0]}:PATH\`), check out the branch that the task means, drop what was made up.`,
  ];
}

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
  return tellAbsent(turns, { ...missing, vain });
}

/** The same edit was accepted again and again: it changes nothing, or adds the same once more. */
function editAgain({ turn, turns }: Repeated): Reason | null {
  if (!editsFile(turn)) return null;
  const same = turns.filter(({ call }) => call === turn.call);
  const answers = new Set(same.map((each) => each.output));
  const file = editedPath(turn) ?? 'the file';
  const made = `the same edit of ${file} was made ${same.length} times, and each was accepted: ${callText(turn)}`;
  const last = same.at(-1) as RecordedTurn;
  const wish = last.said === '' ? '' : `; the agent says each time: ${quote(last.said)}`;
  return answers.size === 1
    ? [
        `${made}. Its answer was the same each time: it puts the same lines in place of themselves${wish}`,
        duplicateAt(last, file),
      ]
    : [
        `${made}. Its answer was another each time: each changed the file once more${wish}`,
        `Take the copies back (\`git checkout\`, or write ${file} anew), look at it, and make one edit over all lines that it replaces.`,
      ];
}

const WANTS_LESS = /\b(?:remov|delet|duplicat|twice|redundant)/i;
const EDIT_RANGE = /^\s*edit (\d+):(\d+)\s*\n/;
const LISTED = /^\s{0,8}(\d{1,6})(?:: ?|\t|\|)(.*)$/gm;

/** Where the text stands once more that an edit puts in place of itself, if the agent wants to be rid of a copy. */
function duplicateAt({ given, output, said }: RecordedTurn, file: string): string {
  const [head, from = '', to = ''] = EDIT_RANGE.exec(given) ?? [];
  if (!WANTS_LESS.test(said) || head === undefined)
    return `What has to change is outside of the lines that it replaces. Look at ${file} as it is, and edit the lines around them.`;
  const wanted = given
    .slice(head.length)
    .replace(/\n?end_of_edit[\s\S]*$/, '')
    .split('\n')
    .map((line) => line.trim());
  const lines = [...output.matchAll(LISTED)].map(
    ([, number, text = '']) => [Number(number), text.trim()] as const,
  );
  const copy = lines.find(
    ([number], at) =>
      (number < Number(from) || number > Number(to)) &&
      wanted.every((line, n) => lines[at + n]?.[1] === line),
  );
  if (copy !== undefined)
    return `The copy is in ${linesText(copy[0], copy[0] + wanted.length - 1)} of ${file}: put nothing there, and leave the rest.`;
  return [
    `The edit puts back what it should remove. If the copy is in ${linesText(Number(from), Number(to))}, put nothing there;`,
    `otherwise look at ${file} for the other copy, and delete that.`,
  ].join(' ');
}

function linesText(from: number, to: number): string {
  return from === to ? `line ${from}` : `lines ${from} to ${to}`;
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
  return [
    [
      `the changes stand only in the agent's messages (${written.length} code blocks); no call made them,`,
      `and \`${callText(turn)}\` ran the same ${count} times`,
    ].join(' '),
    'Make the change with a call of the editor, look at the file to see it there, and only then run it.',
  ];
}

/** As often the same program must print the same, with edits in between. */
const UNMOVED = 4;
/** A program that says that all is well may say so each time. */
const WELL = /\b(?:ok|pass(?:ed|es)?|success\w*|done|finished|up to date|no (?:errors?|issues|changes))\b/i;
const PORT_HELD =
  /^.*(?:EADDRINUSE|address already in use|port \d+ is (?:already )?(?:in use|allocated)).*$/im;

/** A program is started and asked again and again, and the record shows that its port was held. */
const oldProcess: FindReason = ({ turns, failure: { turn, count } }) => {
  const held = firstGroupIn(PORT_HELD, outputsOf(turns));
  if (held === undefined || editsFile(turn)) return null;
  return [
    [
      `an earlier start of the program still holds the port and answers as before the edits: ${quote(held)};`,
      `so \`${callText(turn)}\` gave the same ${count} times: ${quote(turn.output.trim())}`,
    ].join(' '),
    'End the old process (`ss -ltnp`, `kill`), start the program once, see in its log that it runs, and ask again.',
  ];
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
  return [
    `\`${callText(view.turn)}\` shows the same part ${view.count} times (${quote(cut)}); what is looked for is not in it`,
    `Ask for the line (\`grep -n ${words ?? 'NAME'}\` on that file), and open the file at that line; do not open it from the top again.`,
  ];
}

/** As many different looks make a round, and as many rounds a loop. */
const ROUND = 3;

/** The same looks in turn, with nothing edited in between: all that they tell is known. */
function looksInTurn(
  turns: readonly RecordedTurn[],
  stuck: readonly RecordedTurn[],
  groups: readonly Repeated[],
): Reason | null {
  const looks = stuck.filter(
    ({ kind, failed }) => !failed && (kind === 'read' || kind === 'search' || kind === 'other'),
  );
  const different = [...Map.groupBy(looks, ({ call }) => call).values()].filter(({ length }) => length > 1);
  if (different.length < ROUND || looks.length * 3 < stuck.length * 2 || stuck.some(changes)) return null;
  const round = different.slice(0, 5).map(([turn]) => callText(turn as RecordedTurn));
  const [file] = mostFrequent(looks.flatMap((turn) => OPEN_FILE.exec(turn.output)?.[1] ?? []));
  const missing = absentProgram(turns);
  const cannot = missing === null ? '' : `. It cannot run what it writes: ${quote(missing.last.errorLine)}`;
  return [
    `the same looks in turn, ${groups[0]?.count ?? ROUND} times, and no edit in between: ${round.join(' · ')}${cannot}`,
    [
      `What these calls tell is known. Make the edit now${file === null ? '' : ` (most looks are at ${file})`}, or say what is missing;`,
      missing === null
        ? 'do not open the same places again.'
        : `say that it was not run, because ${missing.name} is missing.`,
    ].join(' '),
  ];
}

const unmoved: FindReason = ({ turns, failure: { turn, turns: members, count } }) => {
  const printed = turn.output.trim();
  if (printed === '' || count < UNMOVED || editsBetween(turns, members) < UNMOVED - 1) return null;
  return [
    `\`${callText(turn)}\` printed the same ${count} times, whatever was edited: ${quote(printed)}`,
    'What runs is not what is edited: an old process, a built output, another copy. Let it print something new before the next edit.',
  ];
};

/** The stretch at the end of a record in which a program printed the same, byte for byte, after each edit. */
export function unmovedStretch(turns: readonly RecordedTurn[]): StuckStretch | null {
  const runs = turns.filter(
    (turn) => !turn.failed && turn.kind === 'run' && turn.waiting === null && checkOf(turn) !== 0,
  );
  const alike = Map.groupBy(runs, (turn) => `${checkOf(turn)} ${turn.output}`);
  for (const [key, members] of alike) {
    const last = members.at(-1) as RecordedTurn;
    const isLast = usefulAfter(turns, last.step) < RECOVERED_TURNS && !WELL.test(last.output);
    if (members.length < UNMOVED || !isLast || editsBetween(turns, members) < UNMOVED - 1) continue;
    return stretchOf(
      turns,
      { kind: 'call', key, turn: members[0] as RecordedTurn, turns: members, count: members.length },
      members[1]?.callStep ?? null,
    );
  }
  return null;
}

/** Between how many of the turns and the next one a file was edited. */
function editsBetween(turns: readonly RecordedTurn[], members: readonly RecordedTurn[]): number {
  return members.filter((member, at) => {
    const next = members[at + 1];
    return (
      next !== undefined &&
      turns.some(
        (turn) => turn.edit !== null && changes(turn) && turn.step > member.step && turn.step < next.callStep,
      )
    );
  }).length;
}
