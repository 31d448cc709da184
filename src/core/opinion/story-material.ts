/**
 * `storyMaterial`: what a question about a run shows of its record besides the index of its calls: task, end, what repeats, turns in full.
 * Structure chooses: what stands in the stretch, what came before it, how it ended.
 */
import type { Autopsy } from '../detect/autopsy/autopsy.ts';
import type { RecordedTurn } from '../detect/autopsy/recorded-turn.ts';
import { allOf, repeated } from '../detect/autopsy/repeated-turns.ts';
import { storyExtract } from '../detect/autopsy/story-extract.ts';
import { changes } from '../detect/staleness.ts';
import { hashLoose } from '../detect/text-hash.ts';
import { counted } from '../text/counted.ts';
import { oneLine } from '../text/quote-fenced.ts';
import type { TranscriptEntry } from '../vocabulary/transcript.ts';
import { shorten } from './opinion-question.ts';
import { callLine, decides, LISTED_CHARS, newLines, READ_LINES } from './story-index.ts';
import { plainInput } from './story-record.ts';

const TASK_CHARS = 900;
const WORD_CHARS = 350;
const SHOWN_TURNS = 6;
const EDIT_CHARS = 600;
const CALL_CHARS = 350;
const RESULT_CHARS = 600;
const DECIDING_CHARS = 180;
/** The index of calls needs room, too. */
const TURNS_CHARS = 5_000;
const SAID_CHARS = 200;
const LISTED = 5;
const LISTED_STEPS = 8;
/** As far back as "lately" goes. */
const LATELY = 20;

const ENDED: Readonly<Record<Autopsy['endedBy'], string>> = {
  person: 'a person ended it',
  error: 'an error ended it',
  limit: 'a limit (money, turns, time or context) ended it',
  result: 'it ended by itself',
  'gave up': 'it gave up',
  'cut off': 'the record ends in the middle of it',
};

export function storyMaterial(entries: readonly TranscriptEntry[], found: Autopsy) {
  const extract = storyExtract(entries, found);
  const { turns, endedBy } = found;
  const lastChange = turns.findLast(changes);
  const groups = repeated(turns);
  const news = newLines(turns);
  const last = turns.slice(-LATELY);
  const { calls, edits, stretch } = extract;
  const changed = lastChange === undefined ? 'none' : `the last in entry ${lastChange.callStep}`;
  const messages = entries.flatMap((entry, at) => (entry.type === 'message' ? [{ ...entry, at }] : []));
  const persons = messages.filter(({ role }) => role === 'person');
  const first = persons[0] ?? messages[0];
  const late = persons.length > 1 ? persons.at(-1) : undefined;
  return {
    facts: [
      `The record has ${counted(entries.length, 'entry', 'entries')}, ${counted(calls, 'call')}; ` +
        `${edits} changed something (${changed}). How it ended: ${ENDED[endedBy]}.`,
      `Of the last ${counted(last.length, 'call')}, ${last.filter(({ failed }) => failed).length} failed ` +
        `and ${last.filter((turn) => news.get(turn) === null).length} printed no line that was new.`,
      ...(stretch === null
        ? []
        : [
            `What repeats most does so from entry ${stretch.fromStep} to ${stretch.toStep}: ` +
              `${counted(stretch.calls, 'call')}, ${stretch.edits} of them changed something.`,
          ]),
    ],
    material: [
      { title: 'The task, or the first message', text: first === undefined ? '' : said(first, TASK_CHARS) },
      { title: 'The last message of a person', text: late === undefined ? '' : said(late, WORD_CHARS) },
      { title: 'The end', text: endText(entries) },
      {
        title: 'What repeats, counted over the whole record',
        text: [
          ...groups.slice(0, LISTED).map((group) => repeatText(turns, group)),
          ...repeatedMessages(messages),
        ].join('\n'),
      },
      {
        title: 'Turns in full',
        text: shownTurns(entries, found, extract.shown, groups[0]?.turns[0]),
      },
    ],
  };
}

function said({ at, role, text }: { at: number; role: string; text: string }, chars: number): string {
  return `[${at} ${role}] ${shorten(text.trim(), chars)}`;
}

/** What stands after the last call, and is no count of tokens. */
function endText(entries: readonly TranscriptEntry[]): string {
  const at = entries.findLastIndex(({ type }) => type === 'tool_call' || type === 'tool_result');
  const rest = entries.flatMap((entry, step) =>
    step > at && 'text' in entry && entry.text.trim() !== ''
      ? [`[${step} ${entry.type}] ${shorten(entry.text.trim(), WORD_CHARS)}`]
      : [],
  );
  return rest.slice(-2).join('\n');
}

function repeatText(turns: readonly RecordedTurn[], group: ReturnType<typeof repeated>[number]): string {
  const all = allOf(turns, group);
  const steps = all.map(({ callStep }) => callStep);
  const shown = steps.length <= LISTED_STEPS ? steps : [...steps.slice(0, 4), '…', ...steps.slice(-3)];
  const { turn, kind } = group;
  const what =
    kind === 'call' || kind === 'look' ? 'this call' : turn.failed ? 'this failure' : 'this question';
  const line =
    turn.failed && turn.errorLine !== '' ? ` -> ${oneLine(turn.errorLine).slice(0, LISTED_CHARS)}` : '';
  return `${all.length} times ${what} (entries ${shown.join(', ')}): ${callLine(turn)}${line}`;
}

function repeatedMessages(messages: readonly { role: string; text: string; at: number }[]): string[] {
  const own = messages.filter(({ role, text }) => role !== 'person' && text.length > 15);
  return [...Map.groupBy(own, ({ text }) => hashLoose(text.slice(0, 300))).values()]
    .filter((same) => same.length > 2)
    .toSorted((a, b) => b.length - a.length)
    .slice(0, 2)
    .map((same) => {
      const text = oneLine(same[0]?.text ?? '').slice(0, 160);
      return `${same.length} times this message (first entry ${same[0]?.at}, last ${same.at(-1)?.at}): ${text}`;
    });
}

/** Those that the structure names, then the first of what repeats, then the last ones; as many as there is room for. */
function shownTurns(
  entries: readonly TranscriptEntry[],
  { turns }: Autopsy,
  named: readonly { readonly callStep: number }[],
  again: RecordedTurn | undefined,
): string {
  const steps = new Set(named.map(({ callStep }) => callStep));
  const order = [
    ...turns.filter(({ callStep }) => steps.has(callStep)),
    ...(again === undefined ? [] : [again]),
    ...turns.slice(-SHOWN_TURNS).toReversed(),
  ];
  let room = TURNS_CHARS;
  return [...new Set(order)]
    .slice(0, SHOWN_TURNS)
    .map((turn) => ({ at: turn.callStep, text: turnText(entries, turn) }))
    .filter(({ text }) => (room -= text.length) >= 0)
    .toSorted((a, b) => a.at - b.at)
    .map(({ text }) => text)
    .join('\n');
}

function turnText(entries: readonly TranscriptEntry[], turn: RecordedTurn): string {
  const { callStep, step, tool, given, kind, failed, output } = turn;
  const before = entries[callStep - 1];
  const words = before?.type === 'message' && before.role === 'agent' ? before.text.trim() : '';
  return [
    ...(words === '' ? [] : [`[${callStep - 1} agent] ${shorten(words, SAID_CHARS)}`]),
    `[${callStep} call ${tool}] ${shorten(plainInput(given).trim(), kind === 'edit' ? EDIT_CHARS : CALL_CHARS)}`,
    `[${step} result${failed ? ', failed' : ''}] ${deciding(output)}`,
  ].join('\n');
}

/** Of a longer output its beginning, the lines that say what failed, and its end. */
function deciding(output: string): string {
  const text = output.trim();
  if (text.length <= RESULT_CHARS) return text === '' ? '(nothing)' : text;
  const head = text.slice(0, RESULT_CHARS / 4);
  const tail = text.slice(-RESULT_CHARS / 4);
  let room = RESULT_CHARS / 2;
  const kept: string[] = [];
  for (const line of text.split('\n', READ_LINES).filter(decides)) {
    const shown = line.trim().slice(0, DECIDING_CHARS);
    if (shown.length > room || [head, tail, ...kept].some((part) => part.includes(shown))) continue;
    kept.push(shown);
    room -= shown.length;
  }
  return [head.trimEnd(), '[…]', ...(kept.length === 0 ? [] : [...kept, '[…]']), tail.trimStart()].join('\n');
}
