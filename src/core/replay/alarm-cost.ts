/**
 * `replayMeaning`: what a replay would have meant for the run, and what false alarms cost: work done again since the last checkpoint and
 * the pause before the next attempt (minutes), further attempts, questions to a person. How long a person takes is not counted.
 *
 * A stop or a question is a false alarm when the record shows that the run went well without it, or when a person said so of the incident.
 * Where the record cannot tell, the result says so.
 */
import { minutes } from '../text/minutes.ts';
import type { Incident, RunState } from '../state/run-state.ts';
import type { DecisionLine } from './decision-line.ts';
import type { Parting, Replayed } from './replay-run.ts';

export interface Cost {
  readonly falseAlarms: number;
  readonly minutes: number;
  readonly attempts: number;
  readonly questions: number;
}

export interface ReplayMeaning {
  readonly verdict: 'same' | 'false_alarm' | 'false_alarm_spared' | 'caught_earlier' | 'missed' | 'unclear';
  readonly why: string;
  readonly now: Cost;
  readonly proposed: Cost;
}

export const NO_COST: Cost = { falseAlarms: 0, minutes: 0, attempts: 0, questions: 0 };
const MINUTE_MS = 60_000;

/** `recorded`: the run as the whole journal left it. */
export function replayMeaning(
  replayed: Replayed,
  recorded: RunState,
  falsePositives: ReadonlySet<string>,
): ReplayMeaning {
  const alarms = recorded.incidents.filter(({ id }) => falsePositives.has(id));
  const now = alarms.map((incident) => costOfIncident(recorded, incident)).reduce(add, NO_COST);
  const { parting } = replayed;
  if (parting === null) {
    const { unfit, pauses } = replayed;
    if (unfit !== null)
      return { verdict: 'unclear', why: `"${unfit.fact}" could not have happened`, now, proposed: now };
    const why = pauses.length === 0 ? 'the same decisions' : 'the same decisions after other pauses';
    return { verdict: 'same', why, now, proposed: now };
  }
  // What comes after the worlds parted did not happen in the other one.
  const kept = alarms
    .filter(({ detectedAt }) => detectedAt < parting.at)
    .map((incident) => costOfIncident(recorded, incident))
    .reduce(add, NO_COST);
  const [verdict, why] = judge(parting, recorded, falsePositives);
  const cost = verdict === 'false_alarm' ? costOfParting(parting, recorded) : NO_COST;
  return { verdict, why, now, proposed: add(kept, cost) };
}

function judge(
  parting: Parting,
  recorded: RunState,
  falsePositives: ReadonlySet<string>,
): readonly [ReplayMeaning['verdict'], string] {
  const { at, wouldBe } = parting;
  const wouldStop = stopIn(wouldBe);
  const didStop = stopIn(parting.recorded);
  if (wouldStop !== null && didStop === null) {
    const trouble = recorded.incidents.find(
      ({ attempt, id }) => attempt === wouldStop && !falsePositives.has(id),
    );
    if (trouble !== undefined && trouble.detectedAt >= at)
      return ['caught_earlier', `${trouble.class} was noticed ${minutes(trouble.detectedAt - at)} later`];
    return wentWell(recorded)
      ? ['false_alarm', `attempt ${wouldStop} went well without being stopped`]
      : ['unclear', 'the record does not say whether that attempt was in trouble'];
  }
  if (didStop !== null && wouldStop === null) {
    const stopped = recorded.incidents.find(({ attempt }) => attempt === didStop);
    return stopped !== undefined && falsePositives.has(stopped.id)
      ? ['false_alarm_spared', `a person said that ${stopped.id} was none`]
      : ['missed', `attempt ${didStop} would have gone on; the record cannot tell for how long`];
  }
  if (gaveUp(wouldBe) && !gaveUp(parting.recorded)) {
    if (recorded.questions.some(({ question }) => question.askedAt >= at))
      return ['caught_earlier', 'a person was asked later all the same'];
    return wentWell(recorded)
      ? ['false_alarm', 'the run went well without a person']
      : ['unclear', 'the run did not end well without a person either'];
  }
  return ['unclear', 'what would have come of it is not in the record'];
}

function stopIn(lines: readonly DecisionLine[]): number | null {
  const stop = lines.find(({ type, sends }) => type === 'stop_decided' && sends['by'] === 'mayday');
  return stop === undefined ? null : Number(stop.sends['attempt']);
}

function gaveUp(lines: readonly DecisionLine[]): boolean {
  return lines.some(
    ({ type, sends }) => type === 'question_asked' || (type === 'ended' && sends['state'] === 'abandoned'),
  );
}

function wentWell({ life }: RunState): boolean {
  return life.type === 'ended' && life.state !== 'abandoned';
}

function costOfParting({ at, wouldBe, afterwards }: Parting, recorded: RunState): Cost {
  const lines = [...wouldBe, ...afterwards];
  const stopped = stopIn(wouldBe) !== null;
  const pause = lines.findLast(({ type }) => type === 'waiting');
  const pauseMs = pause === undefined || pause.until === null ? 0 : pause.until - pause.at;
  const lostMs = (stopped ? at - savedBefore(recorded, at) : 0) + pauseMs;
  const questions = lines.filter(({ type }) => type === 'question_asked').length;
  const again = lines.some(
    ({ type, sends }) => type === 'recovery_decided' && sends['strategy'] !== 'escalate',
  );
  return { falseAlarms: 1, minutes: lostMs / MINUTE_MS, attempts: again ? 1 : 0, questions };
}

function costOfIncident(recorded: RunState, incident: Incident): Cost {
  const until =
    incident.resumedAt ?? (recorded.life.type === 'ended' ? recorded.life.at : recorded.updatedAt);
  return {
    falseAlarms: 1,
    minutes: Math.max(0, until - savedBefore(recorded, incident.detectedAt)) / MINUTE_MS,
    attempts: recorded.attempts.filter((attempt) => attempt.incident === incident.id).length,
    questions: recorded.questions.filter((asked) => asked.incident === incident.id).length,
  };
}

/** When the work that an end at this moment would lose began. */
function savedBefore({ attempts, checkpoints }: RunState, at: number): number {
  const times = [...attempts.map(({ startedAt }) => startedAt), ...checkpoints.map((saved) => saved.at)];
  return Math.min(at, Math.max(0, ...times.filter((time) => time !== null && time <= at).map(Number)) || at);
}

export function add(one: Cost, other: Cost): Cost {
  return {
    falseAlarms: one.falseAlarms + other.falseAlarms,
    minutes: one.minutes + other.minutes,
    attempts: one.attempts + other.attempts,
    questions: one.questions + other.questions,
  };
}
