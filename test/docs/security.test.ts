import { expect, it } from 'vitest';
import {
  CACHE_WORDS,
  HOME_WORDS,
  isolationOf,
  isolationWords,
  PROCESS_WORDS,
  TEMPORARY_WORDS,
} from '../../src/core/vocabulary/isolation.ts';
import { isolationFindings } from '../../src/cli/machine/doctor-isolation.ts';
import { inBox } from '../e2e/box.ts';
import { readPage } from './pages.ts';

const page = readPage('docs/explanation/isolation.md');
const rows = page.split('\n').filter((line) => line.startsWith('| '));
const says = (text: string) => rows.some((row) => row.endsWith(`| ${text} |`));

it('docs/explanation/isolation.md has a row for every level, in the words of the program', () => {
  const tables = [HOME_WORDS, PROCESS_WORDS, CACHE_WORDS, TEMPORARY_WORDS];
  const all = tables.flatMap((words): string[] => Object.values(words));
  for (const words of all) expect(says(words), words).toBe(true);
  expect(rows.length - tables.length).toBe(all.length);
});

it('what doctor says about this machine stands in docs/explanation/isolation.md, and is what a run of it records', () =>
  inBox(async (box) => {
    const { stdout } = await box.call('doctor', '--json');
    const { findings } = JSON.parse(stdout) as { findings: { what: string; says: string }[] };
    const told = (what: string) => findings.find((one) => one.what === what)?.says ?? '';
    // In brackets stands why the machine cannot do better.
    const [home, processes] = [told('home').replace(/ \(.*\)$/, ''), told('container')];
    expect(says(home), home).toBe(true);
    expect(says(processes), processes).toBe(true);
    for (const what of ['caches', 'temporary folders']) expect(says(told(what)), told(what)).toBe(true);
    const run = await box.call('run', '--json', '--sink', 'none', 'x', '--', 'touch', 'a');
    expect(JSON.parse(run.stdout)).toMatchObject({ isolation: { home, processes, caches: told('caches') } });
  }));

it('doctor says that a record in PostgreSQL lies in no folder that could be hidden', () =>
  inBox(async (box) => {
    const said = async (env: NodeJS.ProcessEnv) =>
      (await isolationFindings(box.home, env)).find(({ what }) => what === 'home')?.says;
    expect(await said({ MAYDAY_STORE: 'postgres://db/x' })).toContain('the record is in PostgreSQL');
    expect(await said({})).not.toContain('PostgreSQL');
  }));

it('names what is not contained, and nothing where everything is', () => {
  const all = { level: 'cgroup', homeHidden: true, asRoot: false };
  expect(isolationWords(all).open).toEqual([]);
  expect(isolationWords({ ...all, asRoot: true }).open).toHaveLength(1);
  expect(isolationWords({ ...all, cachesShared: true }).open).toHaveLength(1);
  expect(isolationWords({ level: 'process-group', homeHidden: false, asRoot: true }).open).toHaveLength(3);
});

it('promises of an agent of root less than of an ordinary user, at every level', () => {
  const home = { homeHidden: true, level: 'cgroup' };
  const [root, user] = [true, false].map((asRoot) => isolationWords({ ...home, asRoot }));
  expect(root?.home).toContain('not told apart');
  expect(root?.processes).toContain('through a process of another user');
  expect(user?.processes).toContain('cannot change');
  const scoped = isolationWords({ ...home, asRoot: true, scoped: true });
  expect(scoped.home).toContain('not told apart');
  expect(scoped.home).not.toContain('through a process');
  expect(scoped.processes).not.toContain('through a process');
});

it('a run is contained as its weakest attempt, and one that never started is not judged', () => {
  const strong = { level: 'cgroup', homeHidden: true, asRoot: false, startedAt: 1 };
  const weak = { level: 'process-group', homeHidden: false, asRoot: true, startedAt: 2 };
  expect(isolationOf([strong, weak])).toEqual({ level: 'process-group', homeHidden: false, asRoot: true });
  expect(isolationOf([strong, { ...weak, startedAt: null }])).toEqual({
    level: 'cgroup',
    homeHidden: true,
    asRoot: false,
  });
  expect(isolationOf([])).toBeNull();
});
