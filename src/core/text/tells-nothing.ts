/** `tellsNothing`: a line of output that tells nothing of the work: a frame of a stack in Node itself, or marks below a source line. */

/** `at Test.run (node:internal/test_runner/test:797:25)` */
const RUNTIME_FRAME = /^\s*at (?:[^()]{1,200} )?\(?node:[\w/.-]{1,100}(?::\d{1,7}){0,2}\)?$/;
/** Python and compilers point with them; without the columns they say nothing. */
const ONLY_MARKS = /^[\s^~|]+$/;

export function tellsNothing(line: string): boolean {
  return RUNTIME_FRAME.test(line) || ONLY_MARKS.test(line);
}
