import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    // Real processes and git: generous limits, few workers, no shared state.
    testTimeout: 180_000,
    hookTimeout: 120_000,
    pool: 'forks',
    // A shared CI machine gets one second look, which is printed; at a desk a flaky test is a red test.
    retry: process.env['CI'] ? 1 : 0,
    maxWorkers: 2,
    // Drills mostly wait; more at once disturb each other on two cores.
    maxConcurrency: 4,
  },
});
