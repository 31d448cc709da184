/** The tests that judge a change of the pure core: no process, no file, seconds. */
import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/core/{decide,gates,fleet,state,judge,view}/**/*.test.ts', 'test/core/step.test.ts'],
    pool: 'forks',
    isolate: false,
    maxWorkers: 1,
    testTimeout: 60_000,
  },
});
