/** `npm run test:faults`: every way to kill, freeze and flood, and the keeper's death at every single write. Slow, and worth it. */
import { spawnSync } from 'node:child_process';

const { status } = spawnSync(
  'vitest',
  ['run', 'test/crash', 'test/e2e/faults.test.ts', ...process.argv.slice(2)],
  {
    stdio: 'inherit',
    env: { ...process.env, MAYDAY_CRASH_ALL: '1', MAYDAY_FLOOD_MB: process.env['MAYDAY_FLOOD_MB'] ?? '5000' },
  },
);
console.log(`test:faults: ${status === 0 ? 'passed' : 'failed'}`);
process.exit(status ?? 1);
