import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type Box, inBox } from './box.ts';
import { atTerminal, hasTerminal } from './terminal.ts';

/** A lock file is enough for `npm ci`, which runs what the repository brings. */
const STRANGE = {
  'package.json': JSON.stringify({
    name: 'x',
    version: '1.0.0',
    scripts: { preinstall: 'echo ran > planted' },
  }),
  'package-lock.json': JSON.stringify({
    name: 'x',
    version: '1.0.0',
    lockfileVersion: 3,
    packages: { '': { name: 'x', version: '1.0.0' } },
  }),
};

/** Delivers what the set-up left in the workspace. */
const AGENT = ['--', 'sh', '-c', 'cat planted > seen; test -s seen || echo nothing > seen'];
const RUN = ['--check', 'test -s seen', 'look', ...AGENT];

function seenIn(box: Box, { stdout }: { readonly stdout: string }): string {
  const { delivered } = JSON.parse(stdout) as { delivered: { ref: string } | null };
  return delivered === null ? 'not delivered' : box.git('show', `${delivered.ref}:seen`).trim();
}

describe('the set-up that the files of a repository suggest', () => {
  it('does not run unasked: the run goes on without it, and says what would run and how to allow it', () =>
    inBox(async (box) => {
      const run = await box.call('run', '--json', ...RUN);
      expect(seenIn(box, run)).toBe('nothing');
      expect(run.stderr).toContain('suggests the set-up npm ci; nobody allowed it here, so it did not run');
      expect(run.stderr).toContain('--trust allows it in this repository from now on');
    }, STRANGE));

  it('runs with --trust, and from then on in this repository only', () =>
    inBox(async (box) => {
      expect(seenIn(box, await box.call('run', '--json', '--trust', ...RUN))).toBe('ran');
      expect(seenIn(box, await box.call('run', '--json', ...RUN))).toBe('ran');
      const clone = join(box.folder, 'clone');
      box.git('clone', '--quiet', '.', clone);
      const there = await box.start(['run', '--json', '--sink=none', ...RUN], { cwd: clone }).done;
      expect(there.stderr).toContain('nobody allowed it here');
    }, STRANGE));

  it('gives way to --setup, for this run: a command, or none', () =>
    inBox(async (box) => {
      const own = await box.call('run', '--json', '--setup', 'echo own > planted', ...RUN);
      expect(seenIn(box, own)).toBe('own');
      expect(own.stderr).toContain('setup echo own > planted');
      const none = await box.call('run', '--json', '--setup=none', ...RUN);
      expect(seenIn(box, none)).toBe('nothing');
      expect(none.stderr).not.toContain('set-up');
      const queued = await box.call('submit', '--json', '--setup', 'echo queued > planted', ...RUN);
      const { run_id } = JSON.parse(queued.stdout) as { run_id: string };
      await box.call('work', '--until-idle');
      expect(seenIn(box, await box.call('show', '--json', run_id))).toBe('queued');
    }, STRANGE));

  it('is never one of a tool that is not there, and the run says so', () =>
    inBox(
      async (box) => {
        const run = await box.call('run', '--json', '--trust', ...RUN);
        expect(seenIn(box, run)).toBe('nothing');
        expect(run.stderr).toContain('uv.lock asks for uv, which is not on the PATH');
        expect(await box.call('init', '--yes')).toMatchObject({
          stdout: expect.stringContaining('uv.lock asks for uv') as unknown,
        });
        const tools = join(box.folder, 'tools');
        mkdirSync(tools);
        writeFileSync(join(tools, 'uv'), '#!/bin/sh\necho "uv $*" > planted\n');
        chmodSync(join(tools, 'uv'), 0o755);
        box.env['PATH'] = `${tools}${delimiter}${process.env['PATH']}`;
        box.git('reset', '--hard', '--quiet');
        box.git('clean', '-fdq');
        expect(seenIn(box, await box.call('run', '--json', '--trust', ...RUN))).toBe('uv sync');
      },
      { 'uv.lock': '', 'pyproject.toml': '' },
    ));

  it.skipIf(!hasTerminal)('is asked about once at a terminal, where Enter means no', () =>
    inBox(async (box) => {
      const asked = 'Run it, here and from now on?';
      const no = await atTerminal(box, ['run', '--name=no', ...RUN], [{ asked, typed: '\n' }]);
      expect(no.screen).toContain('npm ci');
      expect(box.git('show', 'mayday/no:seen').trim()).toBe('nothing');
      await atTerminal(box, ['run', '--name=yes', ...RUN], [{ asked, typed: 'y\n' }]);
      expect(box.git('show', 'mayday/yes:seen').trim()).toBe('ran');
      const later = await atTerminal(box, ['run', '--name=later', ...RUN], []);
      expect(later.screen).not.toContain(asked);
      expect(box.git('show', 'mayday/later:seen').trim()).toBe('ran');
    }, STRANGE),
  );
});

interface Waiting {
  readonly run_id: string;
  readonly state: string;
  readonly attempts: readonly unknown[];
  readonly incidents: readonly { readonly class: string }[];
  readonly questions: readonly { id: string; state: string; evidence: string[]; options: { id: string }[] }[];
}

async function seen(box: Box, run: string): Promise<Waiting> {
  return JSON.parse((await box.call('show', '--json', run)).stdout) as Waiting;
}

/** The run as it is when it needs a person once more, or has ended. */
async function after(box: Box, run: string, ...words: string[]): Promise<Waiting> {
  const { questions } = await seen(box, run);
  expect(await box.call(...words)).toMatchObject({ exitCode: 0 });
  return await box.until('it settles', async () => {
    const now = await seen(box, run);
    const isAsked = now.questions.length > questions.length && now.questions.at(-1)?.state === 'open';
    return (isAsked || now.state === 'delivered') && now;
  });
}

describe('a set-up that fails', () => {
  const WORK = ['--check', 'test -s a.txt', 'write it', '--', 'sh', '-c', 'echo a > a.txt'];

  it('runs again after "I mended it", and no agent starts before it passes', () =>
    inBox(async (box) => {
      const mended = join(box.folder, 'mended');
      const setup = `test -e ${mended} || { echo no database here; exit 3; }`;
      const run = await box.call('run', '--name=db', '--setup', setup, ...WORK);
      expect(run.exitCode, run.stdout + run.stderr).toBe(3);
      const asked = await seen(box, 'db');
      expect(asked).toMatchObject({ attempts: [], incidents: [{ class: 'environment' }] });
      expect(asked.questions[0]?.evidence).toEqual(['no database here']);
      expect(asked.questions[0]?.options.map(({ id }) => id)).toEqual(['retry', 'skip_setup', 'abandon']);
      expect(await after(box, 'db', 'answer', 'db-q1', 'retry')).toMatchObject({ attempts: [] });
      // Neither does one start when the run is stopped and goes on.
      await box.call('stop', 'db');
      expect(await after(box, 'db', 'resume', '--detach', 'db')).toMatchObject({ attempts: [] });
      writeFileSync(mended, '');
      const delivered = await after(box, 'db', 'answer', 'db-q3', 'retry');
      expect(delivered).toMatchObject({ state: 'delivered', attempts: [{}] });
    }));

  it('can be left out: the run goes on without it, in a tree that it did not touch', () =>
    inBox(async (box) => {
      const setup = 'echo half > half-made; exit 3';
      expect(await box.call('run', '--name=x', '--setup', setup, ...WORK)).toMatchObject({ exitCode: 3 });
      const delivered = await after(box, 'x', 'answer', 'x-q1', 'skip_setup');
      expect(delivered).toMatchObject({ state: 'delivered', attempts: [{}] });
      expect(box.git('ls-tree', '--name-only', 'mayday/x').split('\n')).not.toContain('half-made');
      expect(await box.call('verify', '--rerun', 'x')).toMatchObject({ exitCode: 0 });
    }));

  it('in the tree of the checks stops the run before the agent as well', () =>
    inBox(async (box) => {
      const mended = join(box.folder, 'mended');
      // It passes in the workspace only.
      const setup = `case "$PWD" in */work/*) ;; *) test -e ${mended} ;; esac`;
      expect(await box.call('run', '--name=x', '--setup', setup, ...WORK)).toMatchObject({ exitCode: 3 });
      expect(await seen(box, 'x')).toMatchObject({ attempts: [], checks: [] });
      expect(await after(box, 'x', 'answer', 'x-q1', 'retry')).toMatchObject({ attempts: [] });
      writeFileSync(mended, '');
      const delivered = await after(box, 'x', 'answer', 'x-q2', 'retry');
      expect(delivered).toMatchObject({ state: 'delivered', attempts: [{}] });
    }));
});
