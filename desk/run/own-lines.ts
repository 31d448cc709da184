/** `ownLines`: what Mayday itself did during an attempt, as lines between those of its transcript. */
import type { RunJson } from '../../src/core/view/run-json.ts';
import { ms } from '../time.ts';

export interface OwnLine {
  readonly at: number;
  readonly text: string;
}

export function ownLines(run: RunJson, number: number): readonly OwnLine[] {
  const at = run.attempts.findIndex((attempt) => attempt.number === number);
  const attempt = run.attempts[at];
  const from = ms(attempt?.started_at);
  if (attempt === undefined || from === null) return [];
  const to = ms(run.attempts[at + 1]?.started_at) ?? Number.POSITIVE_INFINITY;
  const lines: OwnLine[] = [];
  const tell = (time: string | null, text: string) => {
    const when = ms(time);
    if (when !== null && when >= from && when < to) lines.push({ at: when, text });
  };
  if (attempt.resumed) tell(attempt.started_at, 'resumed the same conversation');
  for (const { at: when, reason } of attempt.signals) tell(when, `noticed: ${reason}`);
  if (attempt.nudge !== null) tell(attempt.nudge.at, `told the agent: ${attempt.nudge.text}`);
  if (attempt.ended_by === 'mayday') tell(attempt.ended_at, 'stopped the agent');
  for (const { at: when, command, passed } of run.checks)
    tell(when, `ran ${command}: ${passed ? 'passed' : 'failed'}`);
  for (const { detected_at, class: failure } of run.incidents)
    tell(detected_at, `opened an incident: ${failure.replaceAll('_', ' ')}`);
  for (const { number: saved, at: when, state } of run.checkpoints)
    if (state !== 'failed') tell(when, `saved checkpoint ${saved}`);
  return lines.toSorted((a, b) => a.at - b.at);
}
