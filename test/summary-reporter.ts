/** The last lines of a run of the suite: how to have the same sample again, and the sum alone on a line, for programs. */
import type { Reporter, TestModule } from 'vitest/node';

export default class SummaryReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], errors: readonly unknown[]): void {
    const tests = modules.flatMap(({ children }) => [...children.allTests()]);
    const passed = tests.filter((test) => test.result().state === 'passed').length;
    // A file that cannot be read has no tests, and an error outside of all tests belongs to none.
    const broken = modules.filter(
      (module) => module.state() === 'failed' && module.errors().length > 0,
    ).length;
    const failed = tests.filter((test) => test.result().state === 'failed').length + broken + errors.length;
    console.log(
      `drawn from seed ${process.env['MAYDAY_TEST_SEED']}: set MAYDAY_TEST_SEED to have the same again`,
    );
    // A test that needs its second look is broken, however green the sum.
    for (const test of tests.filter((one) => one.diagnostic()?.flaky === true))
      console.log(`passed only at a second look: ${test.module.moduleId} > ${test.fullName}`);
    console.log(`chosen: ${process.env['MAYDAY_TEST_CHOICE']}`);
    console.log(`${passed} passed, ${failed} failed`);
  }
}
