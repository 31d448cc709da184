/**
 * A person at the board of Paperclip. `paperclip.ts set-up AGENT` starts its server, makes a company and hires an agent; `paperclip.ts work TASK CHECK`
 * writes a ticket and waits until Paperclip says that it is done or hands it to the board; `paperclip.ts close` ends the server.
 */
import { execFileSync, spawn } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  openSync,
  readFileSync,
  realpathSync,
  renameSync,
  writeFileSync,
} from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { dirname, join, resolve } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';

/** All migrations of its database on a busy machine. */
const START_MS = 240_000;
const LOOK_MS = 500;
/** A ticket that Paperclip recovers by itself is taken up again; one that waits for the board stays as it is. */
const LASTING_MS = 3_000;
const END_MS = 15_000;

interface Office {
  readonly base: string;
  readonly server: number;
  readonly company: string;
  readonly worker: string;
}

interface Made {
  readonly id: string;
}

interface HeartbeatRun {
  readonly status: string;
  readonly error: string | null;
}

const HOME = process.env['HOME'] as string;
const OFFICE = join(HOME, 'office.json');
const INSTANCE = 'instances/default';

const [verb, ...words] = process.argv.slice(2);
const [first = '', second = ''] = words;
process.exit(
  verb === 'set-up' ? await setUp(first) : verb === 'work' ? await work(first, second) : await close(),
);

async function setUp(agent: string): Promise<number> {
  // PostgreSQL refuses to run as root: Paperclip starts it as another user, who must get to its files.
  if (process.getuid?.() === 0) chmodSync(HOME, 0o711);
  const program = realpathSync(
    execFileSync('sh', ['-c', 'command -v paperclipai'], { encoding: 'utf8' }).trim(),
  );
  const folder = join(HOME, '.paperclip');
  execFileSync('cp', ['-a', await template(program), folder]);
  const file = join(folder, INSTANCE, 'config.json');
  const old = JSON.parse(readFileSync(file, 'utf8')).database.embeddedPostgresDataDir as string;
  const config = JSON.parse(
    readFileSync(file, 'utf8').replaceAll(old.slice(0, -`/${INSTANCE}/db`.length), folder),
  );
  const port = await freePort();
  config.server.port = port;
  config.database.embeddedPostgresPort = await freePort();
  writeFileSync(file, JSON.stringify(config));
  const server = start(program, ['run', '--data-dir', folder], port);
  const base = `http://127.0.0.1:${port}/api`;
  await ready(base);
  const company = await ask<Made>(base, '/companies', { name: 'Bench' });
  const worker = await ask<Made>(base, `/companies/${company.id}/agents`, {
    name: 'Worker',
    role: 'engineer',
    adapterType: `${agent}_local`,
    // The CLI of the bench, not the one that comes with Paperclip.
    adapterConfig: {
      engine: 'cli',
      cwd: process.cwd(),
      env: process.env,
      ...(agent === 'codex' && { model: 'gpt-5-codex', dangerouslyBypassApprovalsAndSandbox: true }),
    },
  });
  const made: Office = { base, server, company: company.id, worker: worker.id };
  writeFileSync(OFFICE, JSON.stringify(made));
  return 0;
}

async function work(task: string, check: string): Promise<number> {
  const { base, company, worker } = office();
  const description = `${task}. It is done when \`${check}\` passes.`;
  const ticket = await ask<Made>(base, `/companies/${company}/issues`, {
    title: task,
    description,
    status: 'todo',
    assigneeAgentId: worker,
  });
  let [seen, since] = ['', Date.now()];
  for (;;) {
    const { status } = await ask<{ readonly status: string }>(base, `/issues/${ticket.id}`);
    const runs = await ask<readonly HeartbeatRun[]>(
      base,
      `/companies/${company}/heartbeat-runs?agentId=${worker}`,
    );
    const now = `${status}: ${runs.map((run) => `${run.status} ${run.error ?? ''}`).join(', ')}`;
    if (now !== seen) {
      [seen, since] = [now, Date.now()];
      console.log(now);
    }
    const isAtWork = runs.some(
      (run) => !['succeeded', 'failed', 'cancelled', 'timed_out'].includes(run.status),
    );
    const isHandedOver = ['blocked', 'cancelled', 'in_review'].includes(status);
    if (!isAtWork && (status === 'done' || (isHandedOver && Date.now() - since > LASTING_MS))) {
      const comments = await ask<readonly { readonly body: string }[]>(base, `/issues/${ticket.id}/comments`);
      console.log(comments.map(({ body }) => body).join('\n'));
      return status === 'done' ? 0 : 1;
    }
    await pause(LOOK_MS);
  }
}

async function close(): Promise<number> {
  await end(office().server);
  return 0;
}

function office(): Office {
  return JSON.parse(readFileSync(OFFICE, 'utf8')) as Office;
}

/** What its first start leaves, made once: every cell gets a copy. */
async function template(program: string): Promise<string> {
  const folder = resolve(dirname(program), '../../../template');
  if (existsSync(folder)) return folder;
  const own = `${folder}-${process.pid}`;
  const database = join(own, INSTANCE, 'db');
  mkdirSync(database, { recursive: true, mode: 0o755 });
  if (process.getuid?.() === 0) execFileSync('chown', ['postgres:', database]);
  const port = await freePort();
  const server = start(program, ['onboard', '--yes', '--no-install-service', '--data-dir', own], port);
  await ready(`http://127.0.0.1:${port}/api`);
  await end(server);
  if (existsSync(folder)) return own;
  renameSync(own, folder);
  return folder;
}

function start(program: string, args: readonly string[], port: number): number {
  const log = openSync(join(HOME, 'paperclip.log'), 'a');
  const child = spawn(process.execPath, [program, ...args], {
    cwd: HOME,
    detached: true,
    stdio: ['ignore', log, log],
    env: { ...process.env, PORT: String(port), DO_NOT_TRACK: '1' },
  });
  child.unref();
  return child.pid as number;
}

async function end(server: number): Promise<void> {
  const lives = (): boolean => existsSync(`/proc/${server}`);
  if (lives()) process.kill(server, 'SIGTERM');
  for (const until = Date.now() + END_MS; lives() && Date.now() < until; ) await pause(100);
}

async function ready(base: string): Promise<void> {
  for (const until = Date.now() + START_MS; Date.now() < until; await pause(LOOK_MS)) {
    const health = await fetch(`${base}/health`).then(
      (answer) => answer.json() as Promise<{ startupRecovery?: { phase: string } }>,
      () => null,
    );
    if (health?.startupRecovery?.phase === 'ready') return;
  }
  throw new Error(
    `Paperclip did not start: ${readFileSync(join(HOME, 'paperclip.log'), 'utf8').slice(-2_000)}`,
  );
}

async function ask<Answer>(base: string, path: string, body?: object): Promise<Answer> {
  const sent = body && { method: 'POST', body: JSON.stringify(body) };
  const answer = await fetch(`${base}${path}`, { headers: { 'content-type': 'application/json' }, ...sent });
  if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
  return (await answer.json()) as Answer;
}

function freePort(): Promise<number> {
  return new Promise((done) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address() as AddressInfo;
      server.close(() => done(port));
    });
  });
}
