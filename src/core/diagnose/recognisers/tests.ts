/** `TESTS`: the tests of the work fail: the harness or an assertion says so. */
import { oneOf } from '../../text/one-of.ts';
import { recogniser as r } from '../recogniser.ts';

export const TESTS = [
  r('test.coverage', 'test_failure', {
    says: oneOf(
      /coverage threshold|Required test coverage/i,
      /(?:minimum|required) (?:\w{1,20} )?coverage|coverage .{0,60}(?:not met|does not meet|below|less than|under)/i,
    ),
    alone: 0.85,
    cause: '{message}',
    fix: 'Add tests for what is not covered until the threshold holds; lowering it is a decision',
  }),
  r('test.harness', 'test_failure', {
    says: oneOf(
      /fixture '(?<name>[^']{1,80})' not found/i,
      /No (?:specs?|scenarios?|test cases?|test suites?) (?:were )?found/i,
      /No tests? (?:found|ran|were (?:found|run|executed)|files? found|to run|matched)|collected 0 items$/i,
      /0 tests? (?:ran|executed|found)|no test (?:files|suites?|specified)|Your test suite must contain/i,
      /Promise resolution is still pending|unhandled (?:errors?|rejections?) .{0,40}(?:during|in) (?:the )?test/i,
      /No examples found|FAIL-FAST/i,
      /Couldn't find any (?:files|tests)|mutation score|snapshot(?:s)? (?:obsolete|failed|mismatch)/i,
    ),
    alone: 0.85,
    unless: /\[no test files\]/,
    cause: '{message}',
  }),
  r('test.assertion', 'test_failure', {
    says: oneOf(
      /AssertionError|AssertionFailedError|ComparisonFailure|ExpectationNotMet|ExpectationFailed|assertion `/i,
      /Assertion `?.{1,200}' failed|assert(?:ion)? failed|Failed asserting|XCTAssert|expect\(.{0,60}\)\.(?:not\.)?to/i,
      /expected:? ?.{0,200}(?:but (?:was|got|received)|to (?:be|equal|have|eq|match|contain|include|throw|deeply)|, (?:got|but))/i,
      /Expected .{0,120}(?:Received|Actual|to (?:equal|be|match))|Minitest::Assertion|TestFailure/i,
      /not ok \d{1,12}|Assertion with |assert_(?:eq|ne)|mismatch(?:ed)? (?:value|snapshot)|Expected but got/i,
      /Failed expectation|^expected: |^got: |Expected objects to be|Failed test '|match \(assert_eq\)/i,
      /Assert\.\w{1,80}\(\) Failure/i,
    ),
    alone: 0.4,
    roles: ['test'],
    cause: '{message}',
  }),
];
