/** `divideJobs`: lines of several jobs at once, each with its name before it (turbo, compose, concurrently), taken apart. */
import { inOrder } from '../../text/in-order.ts';
import type { Line } from '../lines/read-lines.ts';
import type { LogStep } from './step.ts';

const ENDED_BADLY = inOrder(/^/, [
  /ERROR: command finished with error|.{0,200}\bexited (?:with code|\()[ (]?[1-9]/,
  /npm (?:ERR!|error) code ELIFECYCLE|Failed$|error Command failed/,
]);
const TASK = /^(?:.{1,90}[:#])?(?<task>[a-z][\w-]{0,60})$/;

export function divideJobs(lines: readonly Line[]): readonly LogStep[] | null {
  const jobs = new Map<string, Line[]>();
  const around: string[] = [];
  for (const line of lines) {
    if (line.job === '') around.push(line.text);
    else if (line.job.startsWith('#') || line.job.includes('\t')) return null;
    else {
      const own = jobs.get(line.job);
      if (own === undefined) jobs.set(line.job, [line]);
      else own.push(line);
    }
  }
  if (jobs.size < 2) return null;
  return [...jobs].map(([job, own]) => {
    const told = around.some(
      (text) =>
        text.length < 400 && namesJob(text, job) && /\b(?:fail(?:ed|ure)?|exited|error)\b/i.test(text),
    );
    const failed = told || own.some(({ text }) => ENDED_BADLY.test(text));
    const task = TASK.exec(job)?.groups?.['task'] ?? '';
    return {
      name: job,
      command: task === '' ? null : `run ${task}`,
      lines: own.map((line) => ({ ...line, job: '' })),
      outcome: failed ? 'failed' : 'unknown',
      exitCode: failed ? 1 : null,
      isAside: false,
    };
  });
}

function namesJob(text: string, job: string): boolean {
  return text.includes(job) || text.includes(job.replace(/:(?=[^:]*$)/, '#'));
}
