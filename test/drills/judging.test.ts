import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { playDrill } from '../../src/drills/play-drill.ts';
import { readScenario } from '../../src/drills/scenario.ts';

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
