/** A day on which different things break for three agents: the report names the agents and says what was broken, not what is usual. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { DiagnosedCategory } from '../../src/core/vocabulary/classes/class-rule.ts';
import { buildReport } from '../../src/report/build-report.ts';
import { planRun } from '../../src/use-cases/start/plan-run.ts';
import { startRun } from '../../src/use-cases/start/start-run.ts';
import { RehearsalRepository } from '../context/rehearsal-repository.ts';

interface Broken {
  readonly what: string;
  readonly agent: 'alpha' | 'beta' | 'gamma';
  /** What the agent does, as shell. */
  readonly does: string;
  readonly checks?: readonly string[];
  readonly scope?: readonly string[];
  readonly category: DiagnosedCategory;
}

const say = (line: string) => `echo ${JSON.stringify(line)} >&2; exit 1`;

/** What was broken on purpose, and so the category. */
const DAY: readonly Broken[] = [
  {
    what: 'a module is not installed',
    agent: 'alpha',
    does: say("Error: Cannot find module 'left-pad'"),
    category: 'environment',
  },
  {
    what: 'a file of the machine may not be read',
    agent: 'beta',
    does: say("Error: EACCES: permission denied, open '/srv/data/seed.json'"),
    category: 'environment',
  },
  {
    what: 'something else kills the agent once',
    agent: 'gamma',
    does: 'test -e b.txt || { touch b.txt; kill -9 $$; }; echo A > a.txt',
    checks: ['test -f a.txt'],
    category: 'environment',
  },
  {
    what: 'the task can be read in two ways',
    agent: 'alpha',
    does: 'echo "I read the task. Which store should I use, Postgres or SQLite?"',
    checks: ['test -f a.txt'],
    category: 'ambiguous_spec',
  },
  {
    what: 'a rule of the run excludes the work',
    agent: 'beta',
    does: 'echo B > outside.txt',
    checks: ['true'],
    scope: ['src/**'],
    category: 'constraint_conflict',
  },
  {
    what: 'the agent says that it is done, and does not know what the check wants',
    agent: 'gamma',
    does: 'echo 41 > a.txt; echo "All done."',
    checks: ['grep -q 42 a.txt || { echo "AssertionError: expected 42"; exit 1; }'],
    category: 'missing_context',
  },
];

let world: RehearsalRepository;

beforeAll(async () => {
  world = await RehearsalRepository.make();
});
afterAll(() => world.remove());

test('the report of a mixed day says what was broken, by category, and names its three agents', async () => {
  const from = Date.now();
  const seen: (readonly [string, string | undefined])[] = [];
  for (const { what, agent, does, checks = [], scope = [] } of DAY) {
    const plan = await planRun(
      { home: world.home, env: process.env, by: 'ann' },
      {
        task: what,
        cwd: world.repository,
        config: { agents: { [agent]: { command: ['sh', '-c', does] } } },
        agent,
        checks,
        scope,
        sink: 'none',
        policy: { backoff_ms: 10, backoff_max_ms: 10, restarts: 1 },
      },
    );
    const { state } = await startRun(world.caller(), plan);
    seen.push([what, state.incidents[0]?.diagnosis?.category]);
  }
  expect(seen).toEqual(DAY.map(({ what, category }) => [what, category]));
  const now = Date.now();
  const report = await buildReport(world.record, { from, to: now + 1, now, compare: false });
  const counts = Map.groupBy(DAY, ({ category }) => category);
  expect(
    Object.fromEntries(report.learning.categories.map(({ category, count }) => [category, count])),
  ).toEqual(Object.fromEntries([...counts].map(([category, group]) => [category, group.length])));
  const tasks = Object.fromEntries(report.by.agent.map(({ name, tasks: total }) => [name, total]));
  expect(tasks).toEqual({ alpha: 2, beta: 2, gamma: 2 });
  const affected = report.tasks.reasons.flatMap(({ agents }) => agents);
  expect([...new Set(affected)].toSorted()).toEqual(['alpha', 'beta', 'gamma']);
});
