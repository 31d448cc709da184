/** `isRuntimeFrame`: a line of a stack that lies in Node itself and tells nothing of the work. */

/** `at Test.run (node:internal/test_runner/test:797:25)` */
const RUNTIME_FRAME = /^\s*at (?:[^()]{1,200} )?\(?node:[\w/.-]{1,100}(?::\d{1,7}){0,2}\)?$/;

export function isRuntimeFrame(line: string): boolean {
  return RUNTIME_FRAME.test(line);
}
