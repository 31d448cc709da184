import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { findAdapter } from '../../src/agents/registry.ts';
import { ROOT, readPage } from './pages.ts';

const readme = readPage('README.md');

/** What the README says outside its table, and the test that would fail if it were untrue. */
const CLAIMS: readonly (readonly [claim: string, file: string, test: string])[] = [
  [
    'proven by checks that Mayday ran itself',
    'test/act/checks/verify-tree.test.ts',
    'run in a tree of their own',
  ],
  ['three agents fail in three ways', 'test/docs/demo.test.ts', 'the demo tells three rescues'],
  ['npm install --global', 'test/package/tarball.long.test.ts', 'runs an agent, rescues it and delivers'],
  [
    '`mayday autopsy` reads the session',
    'test/agents/real-sessions.test.ts',
    'that runs the same failing check is stuck from there on',
  ],
  ['mayday diagnose', 'test/cli/learn/diagnose.test.ts', 'tells a person the verdict, the cause, the lines'],
  ['0 delivered and proven', 'test/e2e/exit-codes.test.ts', '0 and a branch when the checks pass'],
  ['3 a question is open', 'test/e2e/exit-codes.test.ts', '3 and a question when the agent fails and fails'],
  ['4 abandoned', 'test/e2e/exit-codes.test.ts', '4 when a person abandons'],
  ['5 delivered, not proven', 'test/e2e/exit-codes.test.ts', '5 when a person delivers what no check proves'],
  ['after a crash Mayday reads it and goes on', 'test/crash/nth-write.test.ts', 'n-th durable write'],
  ["evade a model's refusal", 'test/core/decide/model-refusal.test.ts', 'never rephrased or retried'],
  ['widen permissions', 'test/core/decide/permission-denied.test.ts', 'never switches all permissions off'],
  ['answer in your name', 'test/core/decide/permission-denied.test.ts', 'a person is asked once'],
  ['touch credentials', 'test/platform/process/environment.test.ts', 'nothing that happens to lie around'],
  ['kill by name', 'test/platform/container/stop.test.ts', 'not even one who has the recorded number now'],
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

  it('each row of its table: drills, which `test/drills/bundled.test.ts` plays, or tests with real processes', () => {
    const rows = readme.split('\n').filter((line) => line.startsWith('| ') && line.includes(']('));
    expect(rows.length).toBeGreaterThanOrEqual(9);
    expect(readPage('test/drills/bundled.test.ts')).toContain('every bundled drill ends as it says');
    for (const row of rows) {
      const proofs = [...row.matchAll(/\]\(([^)]+)\)/g)].map(([, path = '']) => path);
      expect(proofs.length, row).toBeGreaterThan(0);
      for (const path of proofs) {
        expect(path).toMatch(/^(drills\/[\w-]+\.yaml|test\/.+\.test\.ts)$/);
        if (path.startsWith('drills/')) expect(expectationsOf(path).length, path).toBeGreaterThan(1);
        else expect(existsSync(join(ROOT, path)), path).toBe(true);
      }
    }
  });
});

/** A drill that expects nothing proves nothing. */
function expectationsOf(drill: string): readonly string[] {
  return Object.keys((parse(readPage(drill)) as { expect?: object }).expect ?? {});
}
