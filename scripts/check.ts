/** The one gate before a commit: format, lint, types, dead code, tests. Stops at the first red step. */
import { spawnSync } from 'node:child_process';

const quick = process.argv.includes('--quick');
const steps: readonly (readonly [name: string, ...command: string[]])[] = [
  ['format', 'biome', 'format', '.'],
  ['lint', 'oxlint', '--type-aware', '--quiet', 'src', 'desk', 'test', 'scripts', 'action'],
  ['types', 'tsc', '-p', '.'],
  ['types of the desk', 'tsc', '-p', 'desk'],
  ['dead code', 'knip'],
  ...(quick ? [] : [['tests', 'vitest', 'run'] as const]),
];

for (const [name, command, ...args] of steps) {
  const begun = performance.now();
  const { status } = spawnSync(command as string, args, { stdio: ['ignore', 'inherit', 'inherit'] });
  if (status !== 0) {
    console.error(`check: ${name} failed (${[command, ...args].join(' ')})`);
    process.exit(1);
  }
  console.log(`check: ${name} ok (${((performance.now() - begun) / 1000).toFixed(1)} s)`);
}
console.log(`check: ${steps.length} steps passed`);
