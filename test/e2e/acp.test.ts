/** An agent behind the Agent Client Protocol, with the faults of the real ones. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, it } from 'vitest';
import { WRITE } from '../fixtures/acp-write.ts';
import { type Box, inBox } from './box.ts';

const AGENT = resolve(import.meta.dirname, '../fixtures/acp-agent.mjs');
const SHORT = { silence_ms: 1_500, backoff_ms: 10, stop_soft_ms: 5_000, stop_term_ms: 1_000 };

interface Script {
  readonly lives: readonly (readonly object[])[];
  readonly loadFails?: boolean;
  readonly staysAfterEof?: boolean;
}

type Shown = Awaited<ReturnType<Box['show']>>;

async function run(
  box: Box,
  script: Script,
): Promise<{ exitCode: number | null; shown: Shown; wire: string }> {
  const file = join(box.folder, 'script.json');
  writeFileSync(file, JSON.stringify(script));
  const agent = `acp:${process.execPath} ${AGENT} ${file}`;
  const { exitCode, stdout, stderr } = await box.call(
    'run',
    '--agent',
    agent,
    '--check',
    'test -f a.txt',
    '--json',
    'write a.txt',
  );
  if (stdout === '') throw new Error(stderr);
  return { exitCode, shown: JSON.parse(stdout) as Shown, wire: readFileSync(`${file}.log`, 'utf8') };
}

it('an ACP agent that works is left to work: edits allowed, usage told, MCP offered, nothing left behind', () =>
  inBox(async (box) => {
    const { exitCode, shown, wire } = await run(box, {
      lives: [[{ say: 'I wri' }, { say: 'te.' }, WRITE, { spawn: '600' }, { say: 'Done.' }]],
      staysAfterEof: true,
    });
    expect(exitCode).toBe(0);
    expect(shown).toMatchObject({
      state: 'delivered',
      attempts: [{ agent_session: 'ses_0' }],
      claims: [{ text: 'Done.' }],
      usage: { tokens: 15 },
    });
    expect(wire).toContain('"name":"mayday"');
    await box.until('nothing is left', () => box.processes().length === 0);
  }));

it('a command that nobody allowed is refused and becomes a question; once allowed, the same session goes on', () =>
  inBox(async (box) => {
    const publish = { kind: 'execute', title: 'publish it', rawInput: { command: 'npm publish' } };
    const { exitCode, shown } = await run(box, {
      lives: [
        [{ ask: { ...publish, afterwards: [{ write: { 'a.txt': 'too early' } }] } }],
        [{ ask: { ...publish, afterwards: [{ write: { 'a.txt': 'A' } }] } }],
      ],
    });
    expect(exitCode).toBe(3);
    expect(shown).toMatchObject({ incidents: [{ class: 'permission_denied' }] });
    const [question] = shown['questions'] as [{ id: string; options: { id: string; label: string }[] }];
    expect(question.options.find(({ id }) => id === 'allow')?.label).toContain('npm publish');
    await box.call('answer', question.id, 'allow');
    const ended = await box.until('it ended', async () => {
      const now = await box.show();
      return now.state === 'delivered' ? now : undefined;
    });
    expect(ended.attempts).toMatchObject([
      { agent_session: 'ses_0' },
      { agent_session: 'ses_0', resumed: true },
    ]);
  }));

it('a stall is cancelled by the protocol, and the session goes on; its replayed history is no new work', () =>
  inBox(async (box) => {
    box.policy(SHORT);
    const { exitCode, shown, wire } = await run(box, {
      lives: [
        [{ say: 'I begin.' }, { hang: true }],
        [WRITE, { say: 'Done.' }],
      ],
    });
    expect(exitCode).toBe(0);
    expect(shown).toMatchObject({
      attempts: [
        { exit_code: 130, signal: null },
        { resumed: true, agent_session: 'ses_0' },
      ],
      incidents: [{ outcome: 'resolved' }],
    });
    expect(wire).toContain('"method":"session/cancel"');
    expect((await box.call('logs', shown.run_id)).stdout).not.toContain('replayed');
  }));

it('killed in a tool, with a session that cannot be loaded, it goes on in a new one whose id is recorded', () =>
  inBox(async (box) => {
    box.policy(SHORT);
    const { exitCode, shown } = await run(box, {
      lives: [[{ tool: 'sleep 100' }, { die: 'SIGKILL' }], [WRITE]],
      loadFails: true,
    });
    expect(exitCode).toBe(0);
    expect(shown).toMatchObject({
      attempts: [{ signal: 'SIGKILL', agent_session: 'ses_0' }, { agent_session: 'ses_1' }],
      incidents: [{ class: 'crashed', outcome: 'resolved' }],
    });
  }));
