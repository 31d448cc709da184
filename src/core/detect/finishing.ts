/** `isFinishing`: tells whether a call hands the work in: a tool for it, or the command line that a harness waits for. */

const FINISHING_TOOL =
  /^(submit|finish|complete|attempt_completion|task_complete|final_answer|done|exit)(_\w+)?$/i;
const FINISHING_INPUT = /^\s{0,4}(submit|finish|exit)\s*$|COMPLETE_TASK_AND_SUBMIT/;
const INPUT_CHARS = 400;

export function isFinishing(tool: string, input: string): boolean {
  return FINISHING_TOOL.test(tool) || FINISHING_INPUT.test(input.slice(0, INPUT_CHARS));
}
