/** The delivering process is killed at its n-th call of git, for each sink; the next look finishes the delivery, once. */
import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join, resolve } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { makeWorkspace } from '../../../src/act/workspace/make-workspace.ts';
import { takeCheckpoint } from '../../../src/act/checkpoint/take-checkpoint.ts';
import { sampled } from '../../lane.ts';
import { killingGit } from '../killing-git.ts';
import { gitIn, temporaryRepository, workspaceSpec, writeFiles } from '../temporary-repository.ts';

const PROGRAM = resolve(import.meta.dirname, '../../fixtures/deliver-process.ts');
/** Every call would take minutes on a small machine; all of them with MAYDAY_CRASH_ALL=1. */
const ALL = process.env['MAYDAY_CRASH_ALL'] === '1';
const strideOf = (kind: string) => (ALL ? 1 : kind === 'directory' ? 2 : 7);
const LIMIT_MS = 10 * 60_000;

async function work() {
  const repository = temporaryRepository({ 'a.txt': 'a\n', 'b.txt': 'b\n' });
  const remote = join(repository.folder, 'remotes/team/project');
  mkdirSync(remote, { recursive: true });
  gitIn(remote, 'init', '--quiet', '--bare');
  repository.git('remote', 'add', 'origin', remote);
  const workspace = await makeWorkspace(workspaceSpec(repository));
  writeFiles(workspace.path, { 'a.txt': 'changed\n', 'new.txt': 'new\n' });
  rmSync(join(workspace.path, 'b.txt'));
  const { tree } = await takeCheckpoint({ home: repository.home, runId: 'r1', number: 1, reason: 'done' });
  const out = join(repository.folder, 'out');
  writeFiles(out, { 'a.txt': 'a\n', 'own.txt': 'own\n' });
  return { repository, remote, out, tree };
}

type Work = Awaited<ReturnType<typeof work>>;

function deliverIn({ repository, out, tree }: Work, kind: string, more: NodeJS.ProcessEnv): string {
  const spec = {
    home: repository.home,
    runId: 'r1',
    tree,
    branch: 'mayday/r1',
    message: 'Add work',
    at: 1_700_000_000_000,
    path: out,
    file: join(repository.folder, 'work.patch'),
  };
  const env = { ...process.env, HOME: join(repository.folder, 'person'), GH_TOKEN: 't', ...more };
  const args = ['--no-warnings', PROGRAM, kind, JSON.stringify(spec)];
  return spawnSync(process.execPath, args, { env, encoding: 'utf8' }).stdout;
}

const RESULTS: Readonly<Record<string, (done: Work) => void>> = {
  branch: ({ repository: { git } }) => {
    expect(git('rev-list', '--count', 'main..mayday/r1')).toBe('1');
    expect(git('show', 'mayday/r1:a.txt')).toBe('changed');
  },
  directory: ({ out }) => {
    expect(readFileSync(join(out, 'a.txt'), 'utf8')).toBe('changed\n');
    expect(readFileSync(join(out, 'new.txt'), 'utf8')).toBe('new\n');
    expect(readFileSync(join(out, 'own.txt'), 'utf8')).toBe('own\n');
  },
  patch: ({ repository }) => {
    repository.git('apply', '--index', join(repository.folder, 'work.patch'));
    expect(readFileSync(join(repository.root, 'a.txt'), 'utf8')).toBe('changed\n');
  },
  merge: ({ repository: { git, root } }) => {
    expect(git('rev-list', '--count', 'main')).toBe('2');
    expect(git('status', '--porcelain')).toBe('');
    expect(readFileSync(join(root, 'a.txt'), 'utf8')).toBe('changed\n');
  },
};

describe('a process killed in the middle of a sink is repaired without a duplicate', () => {
  it.each(sampled(Object.keys(RESULTS), 2))(
    '%s',
    async (kind) => {
      let killed = 0;
      for (let n = 1; ; n += strideOf(kind)) {
        const made = await work();
        const git = killingGit(made.repository.folder, n);
        const said = deliverIn(made, kind, { PATH: git.PATH });
        if (git.calls() < n) {
          expect(JSON.parse(said)).toMatchObject({ type: 'delivered' });
          RESULTS[kind]?.(made);
          break;
        }
        killed += 1;
        expect(said, `killed at call ${n}`).toBe('');
        expect(JSON.parse(deliverIn(made, kind, {})), `after a kill at call ${n}`).toMatchObject({
          type: 'delivered',
        });
        RESULTS[kind]?.(made);
      }
      expect(killed).toBeGreaterThan(1);
    },
    LIMIT_MS,
  );

  it('a git that was killed is no answer: nothing is told about the repository', async () => {
    const made = await work();
    const git = killingGit(made.repository.folder, 1, 'itself and each after it');
    expect(deliverIn(made, 'branch', { PATH: git.PATH })).toBe('');
    expect(git.calls(), 'it is tried once more, and no more').toBe(2);
    expect(JSON.parse(deliverIn(made, 'branch', {}))).toMatchObject({ type: 'delivered' });
  });

  it('one git that was killed is started once more, and nobody is asked', async () => {
    for (const n of [1, 4, 7]) {
      const made = await work();
      const git = killingGit(made.repository.folder, n, 'itself');
      const done = deliverIn(made, 'branch', { PATH: git.PATH });
      expect(JSON.parse(done), `killed call ${n}`).toMatchObject({ type: 'delivered' });
      expect(git.calls()).toBeGreaterThan(n);
      RESULTS['branch']?.(made);
    }
  });

  it(
    'pull request: killed between push, request and answer',
    async () => {
      const made = await work();
      const pulls: string[] = [];
      let die: (() => void) | null = null;
      const server = createServer((request, response) => {
        const json = () => pulls.map((url) => ({ html_url: url, state: 'open', merged_at: null }));
        if (request.method === 'POST') pulls.push(`http://forge/pull/${pulls.length + 1}`);
        // The process that asked is gone before it hears the answer.
        if (request.method === 'POST' && die !== null) return die();
        const body = request.method === 'POST' ? json()[0] : json();
        response.end(JSON.stringify(body));
      });
      await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
      onTestFinished(() => void server.close());
      const MAYDAY_FORGE_API = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
      const { spawn } = await import('node:child_process');
      const start = () => {
        const { repository, tree } = made;
        const spec = {
          home: repository.home,
          runId: 'r1',
          tree,
          branch: 'mayday/r1',
          message: 'Add work',
          at: 1_700_000_000_000,
        };
        const env = {
          ...process.env,
          HOME: join(repository.folder, 'person'),
          GH_TOKEN: 't',
          MAYDAY_FORGE_API,
        };
        return spawn(process.execPath, ['--no-warnings', PROGRAM, 'pull request', JSON.stringify(spec)], {
          env,
        });
      };
      const ended = (child: ReturnType<typeof start>) =>
        new Promise<string>((settle) => {
          let said = '';
          child.stdout.on('data', (chunk) => (said += String(chunk)));
          child.once('close', () => settle(said));
        });
      const first = start();
      die = () => void first.kill('SIGKILL');
      expect(await ended(first)).toBe('');
      die = null;
      expect(JSON.parse(await ended(start()))).toMatchObject({
        type: 'delivered',
        ref: 'http://forge/pull/1',
      });
      expect(pulls).toHaveLength(1);
      expect(gitIn(made.remote, 'rev-list', '--count', 'mayday/r1')).toBe('2');
    },
    LIMIT_MS,
  );
});
