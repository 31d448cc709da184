/**
 * `replayRun`: the differences between the decisions of a journal and those of another policy. Each turn is decided under both, from the
 * history as it was recorded. It ends at the first decision that would lead the run elsewhere: what came next did not happen to such a run.
 * Another pause leads nowhere else.
 */
import { accepts } from '../decide/accepts.ts';
import { createState } from '../state/create-state.ts';
import { evolve } from '../state/evolve.ts';
import { currentAttempt, type RunState } from '../state/run-state.ts';
import { begin, step, type Step } from '../step.ts';
import type { ClassPolicies } from '../vocabulary/classes/class-policy.ts';
import type { Decision, Fact, FactOf, RunEvent } from '../vocabulary/events/event.ts';
import type { Policy } from '../vocabulary/policy.ts';
import type { AlarmChange } from './changed-alarms.ts';
import { changeTimers } from './decided-effects.ts';
import { decisionLine, type DecisionLine, sameWay } from './decision-line.ts';
import { type JournalTurn, journalTurns } from './journal-turns.ts';

export interface OtherPolicy {
  readonly policy: Policy;
  readonly classes?: ClassPolicies;
}

export interface Difference {
  readonly seq: number;
  readonly at: number;
  /** What both policies were asked about, as text. */
  readonly fact: string;
  readonly recorded: readonly DecisionLine[];
  readonly wouldBe: readonly DecisionLine[];
}

export interface Parting extends Difference {
  /** `version`: this Mayday would decide so under the recorded policy, too. */
  readonly because: 'policy' | 'version';
  /** What would follow, if a stopped attempt ends and leaves nothing behind. */
  readonly afterwards: readonly DecisionLine[];
  readonly next: { readonly fact: string; readonly fits: boolean } | null;
}

export interface Replayed {
  readonly runId: string;
  readonly turns: number;
  readonly compared: number;
  /** The same decisions, another pause. */
  readonly pauses: readonly Difference[];
  readonly parting: Parting | null;
  /** A fact that the other policy would not have let happen. */
  readonly unfit: { readonly seq: number; readonly fact: string } | null;
  /** Turns that this version of Mayday decides otherwise under the recorded policy. */
  readonly drifted: readonly number[];
}

/** Null: no journal of a run. */
export function replayRun(
  runId: string,
  events: readonly RunEvent[],
  { policy, classes }: OtherPolicy,
  alarms: ReadonlyMap<number, AlarmChange> = new Map(),
): Replayed | null {
  const turns = journalTurns(events);
  const created = turns[0]?.fact;
  if (created?.type !== 'run_created') return null;
  const options = classes === undefined ? created.options : { ...created.options, classes };
  const recorded = new Side(runId, created);
  const wouldBe = new Side(runId, { ...created, policy, options });
  const pauses: Difference[] = [];
  const drifted: number[] = [];
  const result = { runId, turns: turns.length, pauses, drifted, parting: null, unfit: null };
  for (const [compared, turn] of turns.entries()) {
    const { seq, fact, decisions } = turn;
    const again = recorded.decide(fact);
    if (JSON.stringify(again?.decisions) !== JSON.stringify(decisions)) drifted.push(seq);
    const because = drifted.at(-1) === seq ? ('version' as const) : ('policy' as const);
    for (const early of happensBefore(fact, { recorded, wouldBe }, alarms)) {
      const next = wouldBe.decide(early);
      if (next === null || next.decisions.length === 0) continue;
      const parting = {
        ...differenceAt(seq, early, [], next.decisions),
        because,
        ...after(next.state, fact),
      };
      return { ...result, compared, parting };
    }
    const next = isMissing(fact, wouldBe, alarms) ? NOTHING : wouldBe.decide(fact);
    if (next === null) return { ...result, compared, unfit: { seq, fact: factText(fact) } };
    const difference = differenceAt(seq, fact, decisions, next.decisions);
    const kind = compareSides(difference);
    if (kind === 'parted') {
      const state = next.state ?? wouldBe.state;
      const parting = { ...difference, because, ...after(state, turns[compared + 1]?.fact) };
      return { ...result, compared, parting };
    }
    if (kind === 'pause') pauses.push(difference);
    recorded.take(turn, again);
    wouldBe.take(turn, next);
  }
  return { ...result, compared: turns.length };
}

type Decided = Pick<Step, 'decisions' | 'timers'> & { readonly state: RunState | null };
const NOTHING: Decided = { state: null, decisions: [], timers: { set: [], cancel: [] } };

/** The run under one of the two policies: its history is the recorded one, its timers are its own. */
class Side {
  readonly #created: FactOf<'run_created'>;
  state: RunState;
  readonly timers = new Map<string, number>();

  constructor(runId: string, created: FactOf<'run_created'>) {
    this.#created = created;
    this.state = createState(runId, created);
  }

  decide(fact: Fact): Step | null {
    return fact.type === 'run_created' ? begin(this.state.runId, this.#created) : step(this.state, fact);
  }

  take({ fact, decisions, unread }: JournalTurn, decided: Decided | null): void {
    const lines = [...(fact.type === 'run_created' ? [] : [fact]), ...decisions, ...unread];
    this.state = lines.reduce(evolve, this.state);
    if (fact.type === 'timer_fired') this.timers.delete(fact.name);
    if (decided !== null) changeTimers(this.timers, decided.timers);
  }
}

/** The end of a pause comes when the record has it. */
const PAUSE = 'retry';

/** What only the other policy makes happen before this fact: a time that is over sooner, an alarm. */
function happensBefore(
  fact: Fact,
  { recorded, wouldBe }: { readonly recorded: Side; readonly wouldBe: Side },
  alarms: ReadonlyMap<number, AlarmChange>,
): readonly Fact[] {
  const due = [...wouldBe.timers].flatMap(([name, at]): Fact[] => {
    // One that was late in the record too is not over sooner.
    const isLate = (recorded.timers.get(name) ?? Infinity) <= fact.at;
    const fires = fact.type === 'timer_fired' && fact.name === name;
    return name === PAUSE || at > fact.at || isLate || fires ? [] : [{ type: 'timer_fired', at, name }];
  });
  const attempt = recorded.state.attempts.at(-1)?.number ?? 0;
  const added = (alarms.get(attempt)?.added ?? [])
    .filter(({ at }) => at <= fact.at && at > recorded.state.updatedAt)
    .map((signal): Fact => ({ type: 'signal_raised', at: signal.at, attempt, signal }));
  return [...due, ...added].toSorted((a, b) => a.at - b.at);
}

/** True: under the other policy there is no such alarm, or the time is not over yet. */
function isMissing(fact: Fact, { timers }: Side, alarms: ReadonlyMap<number, AlarmChange>): boolean {
  if (fact.type === 'signal_raised') return alarms.get(fact.attempt)?.dropped(fact.signal) === true;
  return fact.type === 'timer_fired' && fact.name !== PAUSE && (timers.get(fact.name) ?? Infinity) > fact.at;
}

/** A side that pauses takes the rest of the other's decisions after its pause. */
function compareSides({ recorded, wouldBe }: Difference): 'same' | 'pause' | 'parted' {
  const [own, other] = [recorded, wouldBe].map((lines) => lines.filter(({ type }) => type !== 'waiting'));
  const [short = [], long = []] = [own ?? [], other ?? []].toSorted((a, b) => a.length - b.length);
  const pauses = [pauseOf(recorded), pauseOf(wouldBe)];
  if (!short.every((line, index) => sameWay(line, long[index] as DecisionLine))) return 'parted';
  const isPaused = (short === own ? pauses[0] : pauses[1]) !== null;
  if (short.length < long.length && !isPaused) return 'parted';
  return pauses[0] === pauses[1] ? 'same' : 'pause';
}

/** How long a turn lets the run wait; null: not at all, or without an end. */
function pauseOf(lines: readonly DecisionLine[]): number | null {
  const waiting = lines.findLast(({ type }) => type === 'waiting' || type === 'question_asked');
  return waiting === undefined || waiting.until === null ? null : waiting.until - waiting.at;
}

function differenceAt(
  seq: number,
  fact: Fact,
  recorded: readonly Decision[],
  wouldBe: readonly Decision[],
): Difference {
  const lines = { recorded: recorded.map(decisionLine), wouldBe: wouldBe.map(decisionLine) };
  return { seq, at: fact.at, fact: factText(fact), ...lines };
}

function after(state: RunState, next: Fact | undefined): Pick<Parting, 'afterwards' | 'next'> {
  return {
    afterwards: assumeStopped(state).map(decisionLine),
    next: next === undefined ? null : { fact: factText(next), fits: accepts(state, next) },
  };
}

function factText(fact: Fact): string {
  const name = fact.type.replaceAll('_', ' ');
  if (fact.type === 'timer_fired') return `the time of "${fact.name}" is over`;
  if (!('attempt' in fact)) return name;
  const what = fact.type === 'signal_raised' ? `${fact.signal.type} (${fact.signal.severity})` : name;
  return `attempt ${fact.attempt}: ${what.replace('attempt ', '')}`;
}

function assumeStopped(state: RunState): readonly Decision[] {
  if (state.life.type !== 'stopping') return [];
  const { attempt, by: endedBy } = state.life;
  const at = state.updatedAt;
  const exit = { exitCode: null, signal: 'SIGTERM', outOfMemory: false, endedBy, exitedAt: at };
  const ended = step(state, { type: 'attempt_ended', at, attempt, exit });
  if (ended === null) return [];
  const examination = {
    claimsDone: false,
    claim: null,
    diagnosis: null,
    checkpoint: null,
    inFlight: null,
    raised: null,
    repeated: [],
    deniedTools: [],
    configChanged: [],
    unknownLines: 0,
    partialWork: ended.state.partialWork,
    agentSession: currentAttempt(ended.state)?.agentSession ?? null,
  };
  const examined = step(ended.state, { type: 'attempt_examined', at, attempt, examination });
  return [...ended.decisions, ...(examined?.decisions ?? [])];
}
