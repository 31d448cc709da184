import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { expect, it } from 'vitest';

const CI = resolve(import.meta.dirname, '../../.ci');
const NOBODY = ['setpriv', '--reuid=65534', '--regid=65534', '--clear-groups'];

it('CI plays the tests as an ordinary user too, and says why not where it is one itself', () => {
  expect(readFileSync(join(CI, 'run'), 'utf8').split('\n')).toContain('.ci/test-as-user');
  const as = process.getuid?.() === 0 ? NOBODY : [];
  const { stdout, status } = spawnSync('env', [...as, 'bash', '-s'], {
    // By stdin: an ordinary user may not be able to read the checkout of root.
    input: readFileSync(join(CI, 'test-as-user')),
    cwd: tmpdir(),
    encoding: 'utf8',
  });
  expect([status, stdout]).toEqual([
    0,
    expect.stringMatching(/^skipped: npm test as an ordinary user: .+\n$/),
  ]);
});
