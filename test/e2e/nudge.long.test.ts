/** An agent that goes round in circles is told so before it is stopped: shown with a scripted agent behind the Agent Client Protocol. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, it } from 'vitest';
import { WRITE } from '../fixtures/acp-write.ts';
import { type Box, inBox } from './box.ts';

const AGENT = resolve(import.meta.dirname, '../fixtures/acp-agent.mjs');
const SHORT = { backoff_ms: 10, stop_soft_ms: 5_000, stop_term_ms: 1_000 };
const AGAIN = { again: { tool: 'make', output: 'nothing to do' } };
/** `afterwards`: what it does at a second prompt in one life. */
async function run(
  box: Box,
  script: { readonly lives: readonly (readonly object[])[]; readonly afterwards: readonly object[] },
) {
  box.policy(SHORT);
  const file = join(box.folder, 'script.json');
  writeFileSync(file, JSON.stringify(script));
  const agent = `acp:${process.execPath} ${AGENT} ${file}`;
  const { exitCode } = await box.call('run', '--agent', agent, '--check', 'test -f a.txt', 'write a.txt');
  return { exitCode, shown: await box.show(), wire: readFileSync(`${file}.log`, 'utf8') };
}

it('an agent that loops until it is told so goes on in the same attempt, and nothing is stopped', () =>
  inBox(async (box) => {
    const { exitCode, shown, wire } = await run(box, {
      lives: [[AGAIN]],
      afterwards: [WRITE, { say: 'Done.' }],
    });
    expect(exitCode, JSON.stringify(shown.incidents)).toBe(0);
    expect(shown).toMatchObject({
      state: 'delivered',
      attempts: [{ nudge: { signal: 'looping', heard_at: expect.any(String) }, ended_by: 'itself' }],
      incidents: [],
    });
    expect(wire).toContain('you go round in circles');
    expect((await box.call('show', shown.run_id)).stdout).toContain('tells the agent');
  }));

it('an agent that ignores what it is told is stopped as one that loops, and resumed', () =>
  inBox(async (box) => {
    const { exitCode, shown } = await run(box, { lives: [[AGAIN], [WRITE]], afterwards: [AGAIN] });
    expect(exitCode, JSON.stringify(shown.incidents)).toBe(0);
    expect(shown).toMatchObject({
      attempts: [{ nudge: { heard_at: expect.any(String) } }, { nudge: null, resumed: true }],
      incidents: [{ class: 'looping', outcome: 'resolved' }],
    });
  }));
