/** `judgeDrill`: the result of a played scenario, compared with what it expects. */
import type { RunState } from '../core/state/run-state.ts';
import { stateWord } from '../core/view/state-word.ts';
import { compare } from './compare.ts';
import { countLost } from './count-lost.ts';
import type { Scenario } from './scenario.ts';

export interface DrillResult {
  readonly name: string;
  readonly passed: boolean;
  readonly state: string;
  readonly class: string | null;
  readonly strategy: string | null;
  readonly attempts: number;
  readonly seconds: number;
  readonly seconds_to_notice: number | null;
  readonly lost: number;
  readonly why: string;
}

export async function judgeDrill(
  scenario: Scenario,
  state: RunState,
  home: string,
  seconds: number,
): Promise<DrillResult> {
  const lost = await countLost(state, home);
  const first = state.incidents[0];
  const notice = secondsToNotice(state);
  const why = compare(scenario.expect, state, { seconds, notice, lost });
  return {
    name: scenario.name,
    passed: why.length === 0,
    state: stateWord(state),
    class: first?.class ?? null,
    strategy: first?.recoveries.at(-1)?.strategy ?? null,
    attempts: state.attempts.length,
    seconds: round(seconds),
    seconds_to_notice: notice === null ? null : round(notice),
    lost,
    why: why.join('; '),
  };
}

/** From when the trouble began (the last sign of life, the real end) to when Mayday knew. */
function secondsToNotice({ incidents, attempts }: RunState): number | null {
  const incident = incidents[0];
  const attempt = attempts.find(({ number }) => number === incident?.attempt);
  if (incident === undefined || attempt === undefined) return null;
  const signal = attempt.signals.find(
    ({ severity, at }) => severity === 'critical' && at <= incident.detectedAt,
  );
  const began = signal?.sinceAt ?? attempt.exitedAt ?? incident.detectedAt;
  return Math.max(0, incident.detectedAt - began) / 1000;
}

function round(seconds: number): number {
  return Math.round(seconds * 100) / 100;
}
