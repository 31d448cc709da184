/** `divideActions`: GitHub Actions: a group `Run …` heads each step; `Post job cleanup.` and what follows clean up. */
import type { Line } from '../lines/read-lines.ts';
import { outcomeOf, type LogStep } from './step.ts';

const RUN = /^##\[group\]Run (?<command>.{1,400})$/;
const END_GROUP = '##[endgroup]';
const CLEANUP = /^(?:Post job cleanup\.|Cleaning up orphan processes|Evaluate and set job outputs)/;
const EXITED = /^(?:Error: )?Process completed with exit code (?<code>\d{1,3})\.$/;
const CANCELLED =
  /^(?:Error: )?The (?:operation was canceled|job running on runner .{1,200} has exceeded the maximum execution time)/;
/** `gh run view --log` where the service no longer knows the names. */
const NAMELESS = '\tUNKNOWN STEP';
const ERROR_MARK = '##[error]';
/** The name of what follows the last step. */
export const CLEANED = 'Post job cleanup';
const ASIDE = /^(?:Set up job|Complete job|Post |Initialize containers|Stop containers)/;

export function divideActions(lines: readonly Line[]): readonly LogStep[] | null {
  if (!lines.some(({ text, job }) => text.startsWith('##[group]Run ') || job.includes('\t'))) return null;
  const steps: LogStep[] = [];
  let start = 0;
  let name = 'Set up job';
  let command: string | null = null;
  let isAside = true;
  let inHead = false;
  let head: string[] = [];
  let column = lines[0]?.job ?? '';
  const close = (end: number): void => {
    const said = lines.slice(start, end);
    if (!said.some(({ text }) => text !== '')) return;
    const code = said
      .map(({ text }) => EXITED.exec(text)?.groups?.['code'])
      .findLast((each) => each !== undefined);
    const failed =
      code !== undefined || said.some(({ raw, text }) => raw.includes(ERROR_MARK) || CANCELLED.test(text));
    const exitCode = code === undefined ? (failed ? 1 : null) : Number(code);
    // A step that only warned passed; the service marks what failed.
    steps.push({ name, command, lines: said, outcome: outcomeOf(exitCode), exitCode, isAside });
  };
  for (const [at, { text, job }] of lines.entries()) {
    if (job !== column && job.includes('\t') && !job.endsWith(NAMELESS)) {
      column = job;
      close(at);
      const title = job.split('\t')[1] ?? job;
      isAside = ASIDE.test(title);
      [start, name, command] = [at, title === 'Complete job' ? CLEANED : title, null];
    }
    const run = RUN.exec(text)?.groups?.['command'];
    if (run !== undefined) {
      close(at);
      // The columns of `gh run view --log` name the step better than its first line does.
      name = column.includes('\t') && !column.endsWith(NAMELESS) ? (column.split('\t')[1] ?? run) : run;
      [command, start, isAside, inHead, head] = [
        run,
        at,
        /^actions\/(?:checkout|cache|setup-|upload-)/.test(run),
        true,
        [],
      ];
    } else if (
      inHead &&
      (text === END_GROUP ||
        text.startsWith('shell: ') ||
        text.startsWith('env:') ||
        text.startsWith('with:'))
    ) {
      if (head.length > 0) command = head.join(' && ');
      head = [];
      if (text === END_GROUP) [inHead, start] = [false, at + 1];
    } else if (inHead && text !== '' && !text.startsWith('##[') && !/^[\w-]{1,60}: /.test(text))
      head.push(text);
    else if (CLEANUP.test(text) && !isAside) {
      close(at);
      [start, name, command, isAside] = [at, CLEANED, null, true];
    }
  }
  close(lines.length);
  return steps;
}
