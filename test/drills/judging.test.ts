import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { playDrill } from '../../src/drills/play-drill.ts';
import { readScenario, Scenario } from '../../src/drills/scenario.ts';
import { slowness } from '../slowness.ts';

const SCENARIO = (expected: string) => `
name: judged
task: {text: "write a.txt and b.txt", checks: ["test -f a.txt && test -f b.txt"]}
agent:
  attempts:
    - steps: [{write: {a.txt: "A"}}, {exit: 1}]
    - steps: [{write: {b.txt: "B"}}, {exit: 0}]
policy: {backoff_ms: 20}
expect: ${expected}
`;

async function play(expected: string) {
  const folder = mkdtempSync(join(tmpdir(), 'mayday-scenario-'));
  try {
    const file = join(folder, 'scenario.yaml');
    writeFileSync(file, SCENARIO(expected));
    return await playDrill(readScenario(file), { env: process.env });
  } finally {
    rmSync(folder, { recursive: true });
  }
}

it('a drill that expects what does not happen fails and says each difference', async () => {
  const { passed, why } = await play(
    '{state: abandoned, class: stalled, strategy: wait, phase: 4, attempts: 7, questions: 3, lost: 2, max_seconds: 0.001}',
  );
  expect(passed).toBe(false);
  for (const what of ['state', 'class', 'strategy', 'phase', 'attempts', 'questions', 'lost', 'took'])
    expect(why).toContain(what);
});

it('a drill that does not end is ended at its limit, with its agent, and says so in words', async () => {
  const scenario = Scenario.parse({
    name: 'endless',
    task: { text: 'write a.txt', checks: ['test -f a.txt'] },
    agent: { attempts: [{ steps: [{ hang: 600 }] }] },
    policy: { stop_soft_ms: 300, stop_term_ms: 300 },
    expect: { state: 'delivered' },
  });
  // Long enough for its agent to begin.
  const limitSeconds = Math.min(50, Math.ceil(3 * slowness()));
  const begun: number[] = [];
  const result = await playDrill(scenario, {
    env: process.env,
    limitMs: limitSeconds * 1_000,
    onEvent: (event) => {
      if (event.type === 'attempt_started')
        begun.push((event.handle as { leader: { pid: number } }).leader.pid);
    },
  });
  expect(result).toMatchObject({
    passed: false,
    state: 'abandoned',
    why: `still not over after ${limitSeconds} s, its limit`,
  });
  expect(begun).toHaveLength(1);
  expect(() => process.kill(begun[0] ?? 0, 0)).toThrow('ESRCH');
});
