import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  appendFileSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { MAYDAY } from '../../mayday-under-test.ts';

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
function agent(more = ''): ChildProcess {
  const program = join(home, 'claude');
  writeFileSync(program, `${more}\nsetInterval(() => {}, 1000); process.stdout.write("up");`);
  const child = spawn(process.execPath, [program], { cwd: workspace, stdio: ['ignore', 'pipe', 'inherit'] });
  children.push(child);
  return child;
}

function watcher(args: readonly string[] = [], cwd = home) {
  const env = { PATH: `${join(home, 'bin')}:${process.env['PATH']}`, HOME: home };
  const child = spawn(process.execPath, [MAYDAY, 'attach', '--json', '--interval', '0.05', ...args], {
    env,
    cwd,
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
  test('tells the signals of an agent that Mayday did not start, leaves it alone, and ends when it is gone', async () => {
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

  test('calls a stopped process frozen', async () => {
    writeFileSync(join(workspace, 'mayday.yaml'), 'policy: {frozen_ms: 200}\n');
    const other = agent();
    await once(other.stdout as NodeJS.ReadableStream, 'data');
    const { until } = watcher([SESSION.slice(0, 8)], workspace);
    await until((notice) => notice.type === 'attached');
    other.kill('SIGSTOP');
    await until((notice) => notice.signal?.type === 'frozen');
  });

  // Systems without these counts have no such sign of life, and say so.
  test.skipIf(spawnSync('ss', ['-V']).error !== undefined)(
    'sees bytes on the sockets of an agent that says nothing',
    async () => {
      const server = createServer((socket) => {
        const stream = setInterval(() => socket.write('data: x'), 100);
        socket.on('error', () => undefined).on('close', () => clearInterval(stream));
      });
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
      // Without its bytes it would be called silent half a second earlier.
      writeFileSync(join(workspace, 'mayday.yaml'), 'policy: {silence_ms: 3000, wordless_ms: 3500}\n');
      const { port } = server.address() as AddressInfo;
      const other = agent(`require('net').connect(${port}, '127.0.0.1').resume();`);
      await once(other.stdout as NodeJS.ReadableStream, 'data');
      const { until } = watcher([], workspace);
      const { signal } = await until((notice) => notice.signal?.type === 'stalled');
      server.close();
      expect(signal.reason).toContain('bytes move on its sockets');
      expect(signal.evidence).toContainEqual(expect.stringMatching(/^bytes on sockets: none for [01] s$/));
    },
  );

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
    expect(parked.until).toBe(resets * 1000 + 5_000);
  });

  test('resumes a parked session when its limit is over and its process is gone, if asked', async () => {
    writeFileSync(join(workspace, 'mayday.yaml'), 'policy: {reset_skew_ms: 0}\n');
    const heard = join(home, 'heard.json');
    const program = join(home, 'bin', 'claude');
    mkdirSync(join(home, 'bin'));
    writeFileSync(
      program,
      `#!${process.execPath}\nrequire('fs').writeFileSync(${JSON.stringify(heard)}, JSON.stringify([process.cwd(), ...process.argv.slice(2)]));`,
      { mode: 0o755 },
    );
    const other = agent();
    await once(other.stdout as NodeJS.ReadableStream, 'data');
    const { child, until } = watcher(['--resume'], workspace);
    await until((notice) => notice.type === 'attached');
    const resets = Math.floor(Date.now() / 1000) + 2;
    appendFileSync(
      session,
      line('assistant', [{ type: 'text', text: `Claude AI usage limit reached|${resets}` }]),
    );
    await until((notice) => notice.type === 'parked');
    other.kill();
    const over = await until((notice) => notice.type === 'limit_over');
    expect(over).toMatchObject({ process_gone: true });
    await once(child, 'exit');
    expect(Date.now()).toBeGreaterThanOrEqual(resets * 1000);
    const [cwd, ...args] = JSON.parse(readFileSync(heard, 'utf8')) as string[];
    expect(cwd).toBe(workspace);
    expect(args).toEqual(['-p', '--resume', SESSION, expect.stringContaining('limit is over')]);
  });

  test('sends no signal to the agent, whatever it sees and however it ends itself', async () => {
    writeFileSync(
      join(workspace, 'mayday.yaml'),
      'policy: {reset_skew_ms: 0}\nagent_policy: {claude: {silence_ms: 300, tool_silence_ms: 300, busy_factor: 1}}\n',
    );
    const signals = join(home, 'signals.txt');
    writeFileSync(signals, '');
    const other = agent(
      `for (const name of Object.keys(require('os').constants.signals)) {
        try { process.on(name, () => require('fs').appendFileSync(${JSON.stringify(signals)}, name + ' ')); } catch {}
      }`,
    );
    await once(other.stdout as NodeJS.ReadableStream, 'data');
    const first = watcher(['--resume'], workspace);
    await first.until((notice) => notice.type === 'attached');
    for (let i = 0; i < 5; i++) appendFileSync(session, turn(`t${i}`));
    await first.until((notice) => notice.signal?.type === 'looping' && notice.signal.severity === 'critical');
    await first.until((notice) => notice.signal?.type === 'stalled' && notice.signal.severity === 'critical');
    const resets = Math.floor(Date.now() / 1000) + 1;
    appendFileSync(
      session,
      line('assistant', [{ type: 'text', text: `Claude AI usage limit reached|${resets}` }]),
    );
    // The agent is still there: a second one in its session would be harm.
    expect(await first.until((notice) => notice.type === 'limit_over')).toMatchObject({
      process_gone: false,
    });
    first.child.kill('SIGINT');
    await once(first.child, 'exit');
    const second = watcher([], workspace);
    await second.until((notice) => notice.type === 'attached');
    second.child.kill('SIGKILL');
    await once(second.child, 'exit');
    expect([other.exitCode, other.signalCode, readFileSync(signals, 'utf8')]).toEqual([null, null, '']);
    // And the ear works.
    other.kill('SIGTERM');
    await expect.poll(() => readFileSync(signals, 'utf8')).toBe('SIGTERM ');
  });

  test('runs the notifier for what a person should know, and lives on when it fails', async () => {
    const heard = join(home, 'heard.jsonl');
    const { until } = watcher(['--notify', `cat >> ${heard}; exit 3`]);
    await until((notice) => notice.type === 'attached');
    for (let i = 0; i < 5; i++) appendFileSync(session, turn(`t${i}`));
    appendFileSync(session, line('assistant', [{ type: 'text', text: 'I give up. What next?' }]));
    await until((notice) => notice.type === 'your_turn');
    await expect.poll(() => readFileSync(heard, 'utf8'), { timeout: 60_000 }).toContain('your_turn');
    const notices = readFileSync(heard, 'utf8')
      .trim()
      .split('\n')
      .map((text) => JSON.parse(text));
    expect(new Set(notices.map(({ type, signal }) => signal?.severity ?? type))).toEqual(
      new Set(['critical', 'your_turn']),
    );
  });

  test('ends with 130 when the person stops looking', async () => {
    const { child, until } = watcher();
    await until((notice) => notice.type === 'attached');
    child.kill('SIGINT');
    const [code] = await once(child, 'exit');
    expect(code).toBe(130);
  });
});
