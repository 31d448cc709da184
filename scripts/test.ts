/** `npm test`: sets up what the tests need, then runs them all. */
import { spawnSync } from 'node:child_process';

const { status } = spawnSync('vitest', ['run', ...process.argv.slice(2)], { stdio: 'inherit' });
process.exit(status ?? 1);
