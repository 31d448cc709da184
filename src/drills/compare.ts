/** `compare`: the differences between what a drill expects and what happened, each in words. */
import type { RunState } from '../core/state/run-state.ts';
import { stateWord } from '../core/view/state-word.ts';
import type { Scenario } from './scenario.ts';

export function compare(
  expected: Scenario['expect'],
  state: RunState,
  measured: { readonly seconds: number; readonly notice: number | null; readonly lost: number },
): string[] {
  const incidents = state.incidents.map((incident) => ({
    class: incident.class as string,
    strategy: incident.recoveries.at(-1)?.strategy as string | undefined,
    phase: incident.recoveries.at(-1)?.phase as number | undefined,
    return_to: incident.recoveries.at(-1)?.returnTo ?? incident.diagnosis?.returnTo ?? null,
  }));
  const differences: string[] = [];
  const same = (what: string, wanted: unknown, got: unknown) => {
    if (wanted !== undefined && JSON.stringify(wanted) !== JSON.stringify(got))
      differences.push(`${what}: expected ${JSON.stringify(wanted)}, got ${JSON.stringify(got)}`);
  };
  const each = (what: 'class' | 'strategy' | 'phase' | 'return_to', wanted: unknown) =>
    same(
      what,
      wanted,
      Array.isArray(wanted) ? incidents.map((incident) => incident[what]) : incidents[0]?.[what],
    );
  same('state', expected.state, stateWord(state));
  each('class', expected.class);
  each('strategy', expected.strategy);
  each('phase', expected.phase);
  each('return_to', expected.return_to);
  same('attempts', expected.attempts, state.attempts.length);
  same(
    'agents',
    expected.agents,
    state.attempts.map(({ agent }) => agent.name),
  );
  same('questions', expected.questions, state.questions.length);
  for (const text of [expected.question ?? []].flat())
    if (!state.questions.some(({ question }) => question.text.includes(text)))
      differences.push(
        `no question says ${JSON.stringify(text)}: ${JSON.stringify(state.questions.map(({ question }) => question.text))}`,
      );
  for (const text of [expected.tried ?? []].flat())
    if (!state.questions.some(({ question }) => question.tried.some((line) => line.includes(text))))
      differences.push(
        `no question says that ${JSON.stringify(text)} was tried: ${JSON.stringify(state.questions.map(({ question }) => question.tried))}`,
      );
  same('lost', expected.lost, measured.lost);
  if (expected.max_seconds !== undefined && measured.seconds > expected.max_seconds)
    differences.push(`took ${measured.seconds.toFixed(1)} s, at most ${expected.max_seconds}`);
  if (
    expected.max_seconds_to_notice !== undefined &&
    (measured.notice ?? Infinity) > expected.max_seconds_to_notice
  ) {
    differences.push(
      `noticed after ${measured.notice?.toFixed(1) ?? 'never'} s, at most ${expected.max_seconds_to_notice}`,
    );
  }
  return differences;
}
