/**
 * `npm run test:faults`: every test that docs/explanation/faults.md names as the proof of a fault, and the keeper's death at every single
 * write. Slow, and worth it.
 */
import { spawnSync } from 'node:child_process';
import { FAULTS } from '../test/docs/faults.ts';

/** The file that the runner takes for a proof: parts of a suite are played by those that import them. */
const played = (file: string) => {
  if (file.startsWith('drills/')) return 'test/drills/bundled.test.ts';
  return file.endsWith('.test.ts') ? file : file.replace(/^(test\/[^/]+)\/.*/, '$1');
};

const files = new Set(FAULTS.flatMap(({ proofs }) => proofs.map(({ file }) => played(file))));
const { status } = spawnSync('vitest', ['run', 'test/crash', ...files, ...process.argv.slice(2)], {
  stdio: 'inherit',
  env: {
    ...process.env,
    MAYDAY_TEST_ALL: '1',
    MAYDAY_CRASH_ALL: '1',
    MAYDAY_FLOOD_MB: process.env['MAYDAY_FLOOD_MB'] ?? '5000',
  },
});
console.log(`test:faults: ${status === 0 ? 'passed' : 'failed'}`);
process.exit(status ?? 1);
