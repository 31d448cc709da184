/**
 * `monologue`: notices talk instead of work: the same message again, messages that were all said before, a phrase repeated inside one
 * message, or many messages without an action.
 */
import type { Signal } from '../../../vocabulary/signal.ts';
import { chantIn } from '../../chant.ts';
import { type Detector, type Level, levelOf, quote, severityOf } from '../../detector.ts';
import { hashExact, hashLoose } from '../../text-hash.ts';
import type { Trail } from '../../trail.ts';

interface Said {
  readonly loose: number;
  readonly step: number;
  /** The message stood word for word among the ones before it. */
  readonly before: boolean;
}

interface MonologueState {
  readonly recent: readonly Said[];
  /** The exact hashes of the latest messages. */
  readonly heard: readonly number[];
  readonly raised: Level;
  readonly silentTalk: number;
  readonly since: number;
}

const NONE: MonologueState = { recent: [], heard: [], raised: 0, silentTalk: 0, since: 0 };
/** In this many messages the same one is counted. */
const WINDOW = 6;
/** Shorter messages such as "Let me check." are common in healthy runs; they count only if the whole window consists of them. */
const TELLING_CHARS = 60;
const SHORT_CHARS = 20;
/** In this many messages those are counted that were said before: healthy runs have two of twelve at most. */
const ROUND_WINDOW = 8;
const ROUND_WARN = 4;
const ROUND_STOP = 5;
const ROUND_CHARS = 40;
const REMEMBERED = 40;
/** Equal parts in a row. A list has similar short lines, a chant has equal ones. */
const CHANT_WARN = 8;
const CHANT_STOP = 20;
const CHANTED_LINES = 600;
const CHANTED_CHARS = 12;
/** A phrase without line breaks: that often, and over that many characters. */
const PHRASE_WARN = 6;
const PHRASE_STOP = 10;
const PHRASE_TOTAL_CHARS = 240;
/** A call that the harness did not read as one stands in the text as it was written. */
const MARKUP =
  /^\s{0,8}(<(function_calls|invoke|tool_call|tool_use|antml:|\|tool)|\{\s{0,8}"(name|tool|function|action)"\s{0,4}:|```tool)/;

export const monologue: Detector<MonologueState> = {
  name: 'monologue',
  init: NONE,
  next: (state, { entry, step, trail, policy }) => {
    if (entry.type === 'tool_call' || entry.type === 'progress') return [{ ...state, silentTalk: 0 }, []];
    if (entry.type !== 'message') return [state, []];
    if (entry.role === 'person' && trail.progressStep === step) return [{ ...NONE, since: entry.at }, []];
    if (entry.role !== 'agent' || MARKUP.test(entry.text)) return [state, []];
    const { text, at } = entry;
    const silentTalk = state.silentTalk + 1;
    const since = silentTalk === 1 ? at : state.since;
    const make = (
      severity: Signal['severity'],
      reason: string,
      confidence: number,
      sinceStep = step,
    ): Signal => ({
      type: 'monologue',
      severity,
      reason,
      sinceAt: since,
      at,
      atStep: step,
      sinceStep,
      evidence: [quote(text)],
      confidence,
      suggestedAction: 'stop the turn and resume with one concrete next action',
      disproof: 'a message in other words, or a call that does something',
    });
    const chant = chantSignal(text, make);
    // An agent that waits says so again and again.
    if ((trail.turns.at(-1)?.waiting ?? null) !== null) return [{ ...state, silentTalk, since }, chant];
    const { recent, heard } = remember(state, text, step);
    const isTelling = text.length >= TELLING_CHARS;
    const limits = isTelling
      ? [policy.loop_warn, policy.loop_stop - 1]
      : isPaging(trail)
        ? [WINDOW - 1, WINDOW]
        : NEVER;
    const found = again(recent, limits);
    const next = { recent, heard, raised: found.level, silentTalk, since };
    if (chant.length > 0) return [next, chant];
    if (found.level > 0 && found.level > state.raised)
      return [next, [make(severityOf(found.level as 1 | 2), found.reason, 0.85, found.sinceStep)]];
    if (silentTalk === policy.monologue_warn)
      return [next, [make('warning', `${silentTalk} messages in a row without a single action`, 0.4)]];
    return [next, []];
  },
};

function remember(
  state: MonologueState,
  text: string,
  step: number,
): Pick<MonologueState, 'recent' | 'heard'> {
  const isTelling = text.length >= ROUND_CHARS;
  const exact = isTelling ? hashExact(text.trim()) : 0;
  const before = isTelling && state.heard.includes(exact);
  // Of a few words each must be the same, of a long message the numbers may differ.
  const loose =
    text.length < SHORT_CHARS ? 0 : text.length < TELLING_CHARS ? hashExact(text) : hashLoose(text);
  return {
    recent: [...state.recent.slice(1 - ROUND_WINDOW), { loose, step, before }],
    heard: isTelling && !before ? [...state.heard.slice(1 - REMEMBERED), exact] : state.heard,
  };
}

interface Again {
  readonly level: Level;
  readonly reason: string;
  readonly sinceStep: number;
}

const NEVER = [WINDOW + 1, WINDOW + 1];

/** The same call with other numbers, again and again: some agents say the same few words before everything they do. */
function isPaging({ turns }: Trail): boolean {
  const last = turns.slice(1 - WINDOW);
  return last.every(({ callLoose }) => callLoose === last[0]?.callLoose);
}

/** The same message again, or a round of messages that were all said before. */
function again(recent: readonly Said[], [warn = 0, stop = 0]: readonly number[]): Again {
  const last = recent.at(-1) as Said;
  const window = recent.slice(-WINDOW);
  const same = last.loose === 0 ? [] : window.filter(({ loose }) => loose === last.loose);
  const sameLevel = levelOf(same.length, warn, stop);
  const round = last.before ? recent.filter(({ before }) => before) : [];
  const roundLevel = levelOf(round.length, ROUND_WARN, ROUND_STOP);
  if (sameLevel >= roundLevel)
    return {
      level: sameLevel,
      reason: `the agent has said the same ${same.length} times in its last ${window.length} messages`,
      sinceStep: same[0]?.step ?? last.step,
    };
  return {
    level: roundLevel,
    reason: `${round.length} of the agent's last ${recent.length} messages were said before, word for word`,
    sinceStep: round[0]?.step ?? last.step,
  };
}

function chantSignal(
  text: string,
  make: (severity: Signal['severity'], reason: string, confidence: number) => Signal,
): readonly Signal[] {
  const lines = chantedLines(text);
  const lineLevel = levelOf(lines, CHANT_WARN, CHANT_STOP);
  if (lineLevel > 0)
    return [make(severityOf(lineLevel as 1 | 2), `one line repeated ${lines} times inside one message`, 0.9)];
  const chant = chantIn(text);
  if (chant === null || chant.chars < PHRASE_TOTAL_CHARS) return [];
  const level = levelOf(chant.times, PHRASE_WARN, PHRASE_STOP);
  if (level === 0) return [];
  return [make(severityOf(level), `"${chant.phrase}" repeated ${chant.times} times inside one message`, 0.9)];
}

/** The length of the longest row of equal lines or sentences outside code blocks. */
function chantedLines(text: string): number {
  if (text.length < CHANTED_CHARS * CHANT_WARN) return 0;
  const parts = text.split(/\n|(?<=[.!?]) /, CHANTED_LINES);
  let longest = 0;
  let row = 0;
  let isCode = false;
  let previous = '';
  for (const each of parts) {
    const part = each.trim();
    if (part.startsWith('```') || part.startsWith('~~~')) isCode = !isCode;
    const isSpeech = !isCode && part.length >= CHANTED_CHARS && !part.startsWith('|') && /\p{L}/u.test(part);
    row = isSpeech && part === previous ? row + 1 : 0;
    if (row > longest) longest = row;
    previous = part;
  }
  return longest === 0 ? 0 : longest + 1;
}
