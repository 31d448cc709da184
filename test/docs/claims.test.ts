import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { findAdapter } from '../../src/agents/registry.ts';
import { ROOT, readPage } from './pages.ts';
import { runWithOutput } from './run-with-output.ts';

const LIMIT_MS = 400_000;
const readme = readPage('README.md');

/** What the README says outside its table, and the test that would fail if it were untrue. */
const CLAIMS: readonly (readonly [claim: string, file: string, test: string])[] = [
  [
    'proven by checks that Mayday ran itself',
    'test/act/checks/run-checks.test.ts',
    'run in a tree of their own',
  ],
  ['three agents fail in three ways', 'test/docs/demo.test.ts', 'the demo tells three rescues'],
  ['npm install --global', 'test/package/tarball.test.ts', 'runs an agent, rescues it and delivers'],
  ['`mayday autopsy` reads the session', 'test/agents/session-stores.test.ts', ''],
  ['mayday diagnose', 'test/cli/diagnose.test.ts', ''],
  ['0 delivered', 'test/e2e/exit-codes.test.ts', '0 and a branch when the checks pass'],
  ['3 a question is open', 'test/e2e/exit-codes.test.ts', '3 and a question when the agent fails and fails'],
  ['4 abandoned', 'test/e2e/exit-codes.test.ts', '4 when a person abandons'],
  ['5 done, unverified', 'test/e2e/exit-codes.test.ts', '5 when there is nothing to check with'],
  ['after a crash Mayday reads it and goes on', 'test/crash/nth-write.test.ts', 'n-th durable write'],
  ["evade a model's refusal", 'src/core/failure-class.ts', 'policy refusal of the model'],
  ['widen permissions', 'test/core/decide/permission-denied.test.ts', 'never switches all permissions off'],
  ['answer in your name', 'test/core/decide/permission-denied.test.ts', 'a person is asked once'],
  ['touch credentials', 'test/agents/claude/launch.test.ts', 'cloud credentials pass only'],
  ['kill by name', 'test/platform/stop.test.ts', ''],
  ['force, reset or clean your tree', 'test/act/deliver/deliver-branch.test.ts', 'leaves the checkout alone'],
  ['merge unasked', 'test/act/deliver/deliver-branch.test.ts', 'leaves the checkout alone'],
  ['call a run green that it did not check', 'test/e2e/exit-codes.test.ts', '3 when success is claimed'],
];

describe('every claim of the README has something behind it:', () => {
  for (const [claim, file, test] of CLAIMS) {
    it(claim, () => {
      expect(readme.replaceAll(/\s+/g, ' ')).toContain(claim);
      expect(existsSync(join(ROOT, file)), file).toBe(true);
      expect(readPage(file)).toContain(test);
    });
  }

  it('the agents it names', () => {
    expect(readme).toContain('--agent claude');
    expect(findAdapter('claude')).not.toBeNull();
  });

  it('what it says about the table of classes: a drill per row, with that outcome', () => {
    const rows = readme.split('\n').filter((line) => line.startsWith('| ') && line.includes(']('));
    expect(rows.length).toBeGreaterThanOrEqual(9);
    for (const row of rows) expect(row).toMatch(/\]\((drills|test)\//);
  });

  it(
    'the drills that it links to pass',
    async () => {
      const names = [
        ...new Set([...readme.matchAll(/\(drills\/([\w-]+)\.yaml\)/g)].map(([, name = '']) => name)),
      ];
      expect(names.length).toBeGreaterThan(10);
      for (const name of names) {
        const { expect: wanted } = parse(readPage(`drills/${name}.yaml`)) as { expect: object };
        expect(Object.keys(wanted).length, name).toBeGreaterThan(1);
      }
      const ran = await runWithOutput(
        [process.execPath, resolve(ROOT, 'bin/mayday.js'), 'drill', '--jobs', '3', ...names],
        { cwd: ROOT, env: process.env },
      );
      expect(ran.exitCode, ran.output).toBe(0);
    },
    LIMIT_MS,
  );
});
