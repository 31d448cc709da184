import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { appendFileSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';

const MAIN = resolve(import.meta.dirname, '../../src/cli/main.ts');
const SESSION = '5c1e0000-0000-4000-8000-000000000002';

let home = '';
let workspace = '';
let session = '';
let children: ChildProcess[] = [];

beforeEach(() => {
  home = realpathSync(mkdtempSync(join(tmpdir(), 'mayday-attach-')));
  workspace = join(home, 'repo');
  const folder = join(home, '.claude', 'projects', '-repo');
  mkdirSync(workspace);
  mkdirSync(folder, { recursive: true });
  session = join(folder, `${SESSION}.jsonl`);
  writeFileSync(session, line('user', 'build it'));
});
afterEach(() => {
  for (const child of children) child.kill('SIGKILL');
  children = [];
  rmSync(home, { recursive: true, force: true });
});

function line(type: 'user' | 'assistant', content: unknown): string {
  const record = {
    type,
    sessionId: SESSION,
    cwd: workspace,
    timestamp: new Date().toISOString(),
    message: { role: type, content },
  };
  return `${JSON.stringify(record)}\n`;
}

function turn(id: string): string {
  return (
    line('assistant', [{ type: 'tool_use', id, name: 'Bash', input: { command: 'make' } }]) +
    line('user', [
      { type: 'tool_result', tool_use_id: id, content: 'make: *** No rule to make target', is_error: true },
    ])
  );
}

/** A process that is called like an agent, works in the workspace and does nothing. */
function agent(): ChildProcess {
  const program = join(home, 'claude');
  writeFileSync(program, 'setInterval(() => {}, 1000); process.stdout.write("up");');
  const child = spawn(process.execPath, [program], { cwd: workspace, stdio: ['ignore', 'pipe', 'inherit'] });
  children.push(child);
  return child;
}

function watcher(args: readonly string[] = []) {
  const env = { PATH: process.env['PATH'], HOME: home };
  const child = spawn(process.execPath, [MAIN, 'attach', '--json', '--interval', '0.05', ...args], {
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  children.push(child);
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const until = async (
    wanted: (notice: { type: string; signal?: { type: string; severity: string } }) => boolean,
  ) => {
    for (;;) {
      const { value, done } = await lines.next();
      if (done === true) throw new Error('attach ended before it said so');
      const notice = JSON.parse(value);
      if (wanted(notice)) return notice;
    }
  };
  return { child, until };
}

describe('mayday attach', () => {
  test('tells the signals of an agent that somebody else started, leaves it alone, and ends when it is gone', async () => {
    const other = agent();
    await once(other.stdout as NodeJS.ReadableStream, 'data');
    const { child, until } = watcher();
    const attached = await until((notice) => notice.type === 'attached');
    expect(attached).toMatchObject({ session_id: SESSION, pid: other.pid, advice: 'unknown' });
    for (let i = 0; i < 5; i++) appendFileSync(session, turn(`t${i}`));
    await until((notice) => notice.signal?.type === 'looping' && notice.signal.severity === 'critical');
    expect(other.exitCode).toBe(null);
    expect(other.signalCode).toBe(null);
    other.kill();
    await until((notice) => notice.type === 'process_gone');
    const [code] = await once(child, 'exit');
    expect(code).toBe(0);
  });

  test('calls a stopped process frozen within seconds', async () => {
    const other = agent();
    await once(other.stdout as NodeJS.ReadableStream, 'data');
    const { until } = watcher([SESSION.slice(0, 8)]);
    await until((notice) => notice.type === 'attached');
    const begun = performance.now();
    other.kill('SIGSTOP');
    await until((notice) => notice.signal?.type === 'frozen');
    expect(performance.now() - begun).toBeLessThan(10_000);
  });

  test('says whose turn it is instead of calling a waiting agent stalled', async () => {
    const { until } = watcher();
    await until((notice) => notice.type === 'attached');
    appendFileSync(session, line('assistant', [{ type: 'text', text: 'Done. What next?' }]));
    await until((notice) => notice.type === 'your_turn');
  });

  test('parks at a usage limit until it resets', async () => {
    const { until } = watcher();
    await until((notice) => notice.type === 'attached');
    const resets = Math.floor(Date.now() / 1000) + 3_600;
    appendFileSync(
      session,
      line('assistant', [{ type: 'text', text: `Claude AI usage limit reached|${resets}` }]),
    );
    const parked = await until((notice) => notice.type === 'parked');
    expect(parked.until).toBeGreaterThanOrEqual(resets * 1000);
  });

  test('ends with 130 when the person stops looking', async () => {
    const { child, until } = watcher();
    await until((notice) => notice.type === 'attached');
    child.kill('SIGINT');
    const [code] = await once(child, 'exit');
    expect(code).toBe(130);
  });
});
