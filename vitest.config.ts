import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    // Real processes and git: generous limits, few workers, no shared state.
    testTimeout: 180_000,
    hookTimeout: 120_000,
    pool: 'forks',
    maxWorkers: 2,
    // Drills mostly wait; more at once disturb each other on two cores.
    maxConcurrency: 4,
  },
});
