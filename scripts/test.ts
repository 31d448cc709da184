/**
 * `npm test`: all that is quick, a sample of the rest, under five minutes. `npm run test:all` (`--all`): everything. What stands behind it
 * goes to vitest: a part of a file's name, `-t 'part of a test's name'`.
 */
import { spawnSync } from 'node:child_process';

const words = process.argv.slice(2);
const all = words.includes('--all');
const { status } = spawnSync('vitest', ['run', ...words.filter((word) => word !== '--all')], {
  stdio: 'inherit',
  env: { ...process.env, ...(all ? { MAYDAY_TEST_ALL: '1' } : {}) },
});
process.exit(status ?? 1);
