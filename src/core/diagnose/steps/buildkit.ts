/** `divideBuildKit`: `docker build`: each vertex `#8 [5/5] RUN …` is a step; the excerpt below the error repeats it. */
import type { Line } from '../lines/read-lines.ts';
import { outcomeOf, type LogStep } from './step.ts';

const HEAD = /^\[(?:[\w.-]{1,40} )?(?:\d{1,3}\/\d{1,3}|internal)\] (?<command>.{1,600})$/;
const FAILED =
  /^ERROR: (?:process .{0,800} did not complete successfully: exit code: (?<code>\d{1,3})|.{0,800})$/;
const DONE = /^(?:DONE [\d.]+s|CACHED)$/;

export function divideBuildKit(lines: readonly Line[]): readonly LogStep[] | null {
  const vertices = new Map<string, Line[]>();
  for (const line of lines) {
    if (!line.job.startsWith('#')) continue;
    const own = vertices.get(line.job);
    if (own === undefined) vertices.set(line.job, [line]);
    else own.push(line);
  }
  if (vertices.size === 0) return null;
  return [...vertices].map(([vertex, own]) => {
    const head = HEAD.exec(own[0]?.text ?? '')?.groups?.['command'] ?? null;
    const failed = own.map(({ text }) => FAILED.exec(text)).find((found) => found !== null) ?? null;
    const done = own.some(({ text }) => DONE.test(text));
    const exitCode = failed === null ? (done ? 0 : null) : Number(failed.groups?.['code'] ?? 1);
    return {
      name: head ?? vertex,
      command: head?.startsWith('RUN ') === true ? head.slice(4) : null,
      lines: own
        .map((line) => ({ ...line, job: '' }))
        .filter(({ text }, at) => !(at === 0 && head !== null) && !DONE.test(text)),
      outcome: outcomeOf(exitCode),
      exitCode,
      isAside: head === null || /^(?:load|FROM|WORKDIR) /.test(head),
    };
  });
}
