import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test-agents/*.test.ts'],
    // Real CLIs of 350 MB: their start takes seconds on a loaded machine.
    testTimeout: 60_000,
    hookTimeout: 60_000,
    pool: 'forks',
    maxWorkers: 2,
  },
});
