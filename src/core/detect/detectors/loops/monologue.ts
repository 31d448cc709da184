/** `monologue`: notices talk instead of work: messages said before, a phrase that repeats, many without an action. */
import type { Signal } from '../../../vocabulary/signal.ts';
import { chantIn, isQuoted } from '../../chant.ts';
import { type Detector, type Level, levelOf, quote, raise, severityOf } from '../../detector.ts';
import { hashExact, hashLoose } from '../../text-hash.ts';
import type { Tick } from '../../tick.ts';
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
  /** The message that is being written: how much of it was looked at, since when it is seen, what was raised about it. */
  readonly open: { readonly chars: number; readonly since: number; readonly raised: Level };
}

const CLOSED: MonologueState['open'] = { chars: 0, since: 0, raised: 0 };
const NONE: MonologueState = { recent: [], heard: [], raised: 0, silentTalk: 0, since: 0, open: CLOSED };
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
/** A message that is being written is looked at again when so much was added. */
const OPEN_STEP_CHARS = 200;
/** It may still end by itself: it has to chant so many times as long as one that has ended. */
const OPEN_PATIENCE = 2;
/** A call that the harness did not read as one stands in the text as it was written. */
const MARKUP =
  /^\s{0,8}(<(function_calls|invoke|tool_call|tool_use|antml:|\|tool)|\{\s{0,8}"(name|tool|function|action)"\s{0,4}:|```tool)/;

export const monologue: Detector<MonologueState> = {
  name: 'monologue',
  init: NONE,
  next: (state, { entry, step, trail, policy }) => {
    if (entry.type === 'tick') return whileWriting(state, entry, step);
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
      ...talk(severity, reason, text, confidence),
      sinceAt: since,
      at,
      atStep: step,
      sinceStep,
    });
    const chanted = chantOf(text, 1);
    // What was raised while it was being written is not raised again.
    const chant =
      chanted === null || chanted.level <= state.open.raised
        ? []
        : [make(severityOf(chanted.level), chanted.reason, CHANT_CONFIDENCE)];
    // An agent that waits says so again and again.
    if ((trail.turns.at(-1)?.waiting ?? null) !== null)
      return [{ ...state, silentTalk, since, open: CLOSED }, chant];
    const { recent, heard } = remember(state, text, step);
    const isTelling = text.length >= TELLING_CHARS;
    const limits = isTelling
      ? [policy.loop_warn, policy.loop_stop - 1]
      : isPaging(trail)
        ? [WINDOW - 1, WINDOW]
        : NEVER;
    const found = again(recent, limits);
    const next = { recent, heard, raised: found.level, silentTalk, since, open: CLOSED };
    if (chant.length > 0) return [next, chant];
    if (found.level > 0 && found.level > state.raised)
      return [next, [make(severityOf(found.level as 1 | 2), found.reason, 0.85, found.sinceStep)]];
    if (silentTalk === policy.monologue_warn)
      return [next, [make('warning', `${silentTalk} messages in a row without a single action`, 0.4)]];
    return [next, []];
  },
};

function talk(
  severity: Signal['severity'],
  reason: string,
  text: string,
  confidence: number,
): Omit<Signal, 'at' | 'sinceAt'> {
  return {
    type: 'monologue',
    severity,
    reason,
    evidence: [quote(text)],
    confidence,
    suggestedAction: 'stop the turn and resume with one concrete next action',
    disproof: 'a message in other words, or a call that does something',
  };
}

/** Such a message may never end; the transcript has it only then. */
function whileWriting(
  state: MonologueState,
  tick: Tick,
  step: number,
): readonly [MonologueState, readonly Signal[]] {
  const { at, openText } = tick;
  if (openText === undefined) return [state.open === CLOSED ? state : { ...state, open: CLOSED }, []];
  const { text, chars } = openText;
  const before = chars < state.open.chars || state.open === CLOSED ? { ...CLOSED, since: at } : state.open;
  if (chars - before.chars < OPEN_STEP_CHARS || MARKUP.test(text)) return [{ ...state, open: before }, []];
  const chant = chantOf(text, OPEN_PATIENCE);
  const raised = Math.max(before.raised, chant?.level ?? 0) as Level;
  const next = { ...state, open: { chars, since: before.since, raised } };
  if (chant === null || chant.level <= before.raised) return [next, []];
  const signal = talk(severityOf(chant.level), chant.reason, text, CHANT_CONFIDENCE);
  return raise(next, tick, step, { ...signal, sinceAt: before.since });
}

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
  if (sameLevel === 0 && roundLevel === 0) return { level: 0, reason: '', sinceStep: last.step };
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

const CHANT_CONFIDENCE = 0.9;

interface Chanted {
  readonly level: 1 | 2;
  readonly reason: string;
}

function chantOf(text: string, patience: number): Chanted | null {
  const lines = chantedLines(text);
  const lineLevel = levelOf(lines, patience * CHANT_WARN, patience * CHANT_STOP);
  if (lineLevel !== 0)
    return { level: lineLevel, reason: `one line repeated ${lines} times inside one message` };
  const chant = chantIn(text);
  if (chant === null || chant.chars < PHRASE_TOTAL_CHARS) return null;
  const level = levelOf(chant.times, patience * PHRASE_WARN, patience * PHRASE_STOP);
  if (level === 0) return null;
  return { level, reason: `"${chant.phrase}" repeated ${chant.times} times inside one message` };
}

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
    const isSpeech =
      !isCode &&
      part.length >= CHANTED_CHARS &&
      !part.startsWith('|') &&
      !isQuoted(part) &&
      /\p{L}/u.test(part);
    row = isSpeech && part === previous ? row + 1 : 0;
    if (row > longest) longest = row;
    previous = part;
  }
  return longest === 0 ? 0 : longest + 1;
}
