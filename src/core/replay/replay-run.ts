/**
 * `replayRun`: a journal under another policy. Two worlds take the same facts: one decides as recorded, the other by `step`.
 *
 *   together -> (only a pause differs) together, all that follows moved by it
 *            -> (another decision) parted: what happened next happened to a run that was decided otherwise
 *            -> (a fact cannot happen there) unfit: nothing more can be said
 */
import { accepts } from '../decide/accepts.ts';
import type { Decision, Examination, Fact, FactOf, RunEvent } from '../vocabulary/events/event.ts';
import { createState } from '../state/create-state.ts';
import { evolve } from '../state/evolve.ts';
import { begin, step } from '../step.ts';
import { decisionLine, type DecisionLine } from './decision-line.ts';
import { type JournalTurn, journalTurns } from './journal-turns.ts';
import { type AlarmChange, type OtherPolicy, WouldBeRun } from './would-be-run.ts';
import { haveParted, World } from './world.ts';
import { currentAttempt, type RunState } from '../state/run-state.ts';

export interface Difference {
  readonly seq: number;
  /** By the clock of the record. */
  readonly at: number;
  /** What both were told, in words. */
  readonly fact: string;
  readonly recorded: readonly DecisionLine[];
  readonly wouldBe: readonly DecisionLine[];
}

export interface Parting extends Difference {
  /** `version`: this Mayday would decide so under the recorded policy, too. */
  readonly because: 'policy' | 'version';
  /** What would follow, if a stopped attempt ends as told. */
  readonly afterwards: readonly DecisionLine[];
  readonly next: { readonly fact: string; readonly fits: boolean } | null;
}

export interface Replayed {
  readonly runId: string;
  readonly turns: number;
  readonly compared: number;
  /** Same way, another pause. */
  readonly pauses: readonly Difference[];
  readonly parting: Parting | null;
  readonly unfit: { readonly seq: number; readonly fact: string } | null;
  /** Turns that this version of Mayday decides otherwise under the recorded policy. */
  readonly drifted: readonly number[];
}

/** Null: no journal of a run. */
export function replayRun(
  runId: string,
  events: readonly RunEvent[],
  other: OtherPolicy,
  alarms: ReadonlyMap<number, AlarmChange> = new Map(),
): Replayed | null {
  const turns = journalTurns(events);
  return turns[0]?.fact.type === 'run_created' ? new Replay(runId, turns, other, alarms).run() : null;
}

class Replay {
  readonly #turns: readonly JournalTurn[];
  readonly #recorded: World;
  readonly #wouldBe: WouldBeRun;
  readonly #pauses: Difference[] = [];
  readonly #drifted: number[] = [];
  #parting: Parting | null = null;
  #unfit: Replayed['unfit'] = null;

  constructor(
    runId: string,
    turns: readonly JournalTurn[],
    other: OtherPolicy,
    alarms: ReadonlyMap<number, AlarmChange>,
  ) {
    this.#turns = turns;
    const created = (turns[0] as JournalTurn).fact as FactOf<'run_created'>;
    this.#recorded = new World(createState(runId, created));
    this.#wouldBe = new WouldBeRun(runId, created, other, { recorded: this.#recorded, alarms });
  }

  run(): Replayed {
    let compared = 0;
    while (compared < this.#turns.length && this.#compare(this.#turns[compared] as JournalTurn, compared))
      compared += 1;
    return {
      runId: this.#recorded.state.runId,
      turns: this.#turns.length,
      compared,
      pauses: this.#pauses,
      parting: this.#parting,
      unfit: this.#unfit,
      drifted: this.#drifted,
    };
  }

  /** Takes the turn in both worlds. False: they parted, or the turn cannot happen in the other one. */
  #compare(turn: JournalTurn, index: number): boolean {
    for (const fact of this.#wouldBe.before(turn.fact)) if (!this.#takeThere(fact, turn, index)) return false;
    const followed = this.#wouldBe.follow(turn.fact);
    if (followed === null) {
      this.#unfit = { seq: turn.seq, fact: factWords(turn.fact) };
      return false;
    }
    this.#takeAsRecorded(turn);
    for (const line of turn.unread) this.#wouldBe.skip(line);
    const difference = differenceAt(turn.fact.at, turn, turn.fact, turn.decisions, followed);
    if (haveParted(this.#recorded, this.#wouldBe)) return this.#part(difference, index + 1);
    if (pauseOf(difference.recorded) !== pauseOf(difference.wouldBe)) this.#pauses.push(difference);
    return true;
  }

  /** Takes a fact that happens in the would-be world only. False: the worlds parted. */
  #takeThere(fact: Fact, turn: JournalTurn, index: number): boolean {
    const decisions = this.#wouldBe.submit(fact);
    if (decisions === null || !haveParted(this.#recorded, this.#wouldBe)) return true;
    return this.#part(differenceAt(fact.at - this.#wouldBe.shiftMs, turn, fact, [], decisions), index);
  }

  #takeAsRecorded({ seq, fact, decisions, unread }: JournalTurn): void {
    const { state } = this.#recorded;
    const again = fact.type === 'run_created' ? begin(state.runId, fact) : step(state, fact);
    if (JSON.stringify(again?.decisions) !== JSON.stringify(decisions)) this.#drifted.push(seq);
    const lines = [...(fact.type === 'run_created' ? [] : [fact]), ...decisions, ...unread];
    if (fact.type === 'timer_fired') this.#recorded.timers.delete(fact.name);
    this.#recorded.take(lines.reduce(evolve, state), decisions, again?.timers ?? { set: [], cancel: [] });
  }

  #part(difference: Difference, nextIndex: number): false {
    const next = this.#turns[nextIndex]?.fact;
    const { state } = this.#wouldBe;
    this.#parting = {
      ...difference,
      because: this.#drifted.includes(difference.seq) ? 'version' : 'policy',
      afterwards: assumeStopped(state).map(decisionLine),
      next:
        next === undefined
          ? null
          : { fact: factWords(next), fits: accepts(state, this.#wouldBe.moved(next)) },
    };
    return false;
  }
}

function differenceAt(
  at: number,
  { seq }: JournalTurn,
  fact: Fact,
  recorded: readonly Decision[],
  wouldBe: readonly Decision[],
): Difference {
  return {
    seq,
    at,
    fact: factWords(fact),
    recorded: recorded.map(decisionLine),
    wouldBe: wouldBe.map(decisionLine),
  };
}

/** How long a turn lets the run wait; null: not at all, or without an end. */
function pauseOf(lines: readonly DecisionLine[]): number | null {
  const waiting = lines.findLast(({ type }) => type === 'waiting' || type === 'question_asked');
  return waiting === undefined || waiting.until === null ? null : waiting.until - waiting.at;
}
function factWords(fact: Fact): string {
  const name = fact.type.replaceAll('_', ' ');
  switch (fact.type) {
    case 'signal_raised':
      return `attempt ${fact.attempt}: ${fact.signal.type} (${fact.signal.severity})`;
    case 'attempt_ended': {
      const { exitCode, signal } = fact.exit;
      return `attempt ${fact.attempt} ended ${signal === null ? `with exit code ${exitCode ?? 'unknown'}` : `by ${signal}`}`;
    }
    case 'attempt_started':
      return `attempt ${fact.attempt} started${fact.damage === undefined ? '' : `: ${fact.damage.why}`}`;
    case 'attempt_examined':
    case 'attempt_unkillable':
      return name.replace('attempt', `attempt ${fact.attempt}`);
    case 'usage_reported':
    case 'progress_observed':
    case 'agent_told':
    case 'nudge_heard':
      return `attempt ${fact.attempt}: ${name}`;
    case 'timer_fired':
      return `the time of "${fact.name}" is over`;
    case 'question_answered':
      return `${fact.by} answered ${fact.option}`;
    case 'checks_finished':
      return `${fact.purpose} checks finished`;
    default:
      return name;
  }
}

function assumeStopped(state: RunState): readonly Decision[] {
  if (state.life.type !== 'stopping') return [];
  const { attempt } = state.life;
  const at = state.updatedAt;
  const exit = {
    exitCode: null,
    signal: 'SIGTERM',
    outOfMemory: false,
    endedBy: state.life.by,
    exitedAt: at,
  };
  const ended = step(state, { type: 'attempt_ended', at, attempt, exit });
  if (ended === null) return [];
  const examined = step(ended.state, {
    type: 'attempt_examined',
    at,
    attempt,
    examination: examinationOf(ended.state),
  });
  return [...ended.decisions, ...(examined?.decisions ?? [])];
}

function examinationOf(state: RunState): Examination {
  return {
    claimsDone: false,
    claim: null,
    diagnosis: null,
    partialWork: state.partialWork,
    checkpoint: null,
    inFlight: null,
    repeated: [],
    deniedTools: [],
    agentSession: currentAttempt(state)?.agentSession ?? null,
    raised: null,
    configChanged: [],
    unknownLines: 0,
  };
}
