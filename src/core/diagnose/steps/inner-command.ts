/** `innerCommand`: the command inside a step that failed: an npm or yarn script, a Maven goal, a Gradle task, a make target. */
import { firstGroupIn, groupIn } from '../../text/group-in.ts';
import type { Line } from '../lines/read-lines.ts';

export interface InnerCommand {
  readonly command: string | null;
  readonly lines: readonly Line[];
}

const NPM_HEAD = /^> @?[\w./-]{1,100}@\S{1,40} (?<script>[\w:.-]{1,80})(?: \S{1,300})?$/;
const NPM_FAILED =
  /^npm (?:ERR!|error) (?:Failed at the \S{1,140} (?<old>[\w:.-]{1,80}) script|Lifecycle script `(?<script>[\w:.-]{1,80})` failed)/;
const GOAL = /^\[INFO\] -{2,3}[ <]{1,2}(?<plugin>[\w.-]{1,80}):[\w.-]{1,40}:(?<goal>[\w-]{1,60}) \(/;
const GOAL_FAILED =
  /^\[ERROR\] Failed to execute goal (?:[\w.-]{1,80}:)?(?<plugin>[\w.-]{1,80}):[\w.-]{1,40}:(?<goal>[\w-]{1,60}) /;
const TASK_FAILED = /^(?:> Task )?(?<task>:[\w:.-]{1,200}) FAILED$/;
const TARGET = /^g?make(?:\[\d{1,2}\])?: \*\*\* \[(?:[^\]:]{1,200}:\d{1,6}: )?(?<target>[^\]]{1,200})\] /;
const YARN = /^\$ (?<command>\S.{0,600})$/;

export function innerCommand(lines: readonly Line[]): InnerCommand | null {
  return ofMaven(lines) ?? ofGradle(lines) ?? ofNpm(lines) ?? ofYarn(lines) ?? ofMake(lines);
}

function ofMaven(lines: readonly Line[]): InnerCommand | null {
  const failed = lines.findLast(({ text }) => GOAL_FAILED.test(text));
  const { plugin = '', goal = '' } = GOAL_FAILED.exec(failed?.text ?? '')?.groups ?? {};
  if (failed === undefined) return null;
  const from = lines.findLastIndex(({ text }) => {
    const head = GOAL.exec(text)?.groups;
    return head?.['plugin'] === plugin && head['goal'] === goal;
  });
  const command = `mvn ${plugin.replace(/^maven-|-maven-plugin$|-plugin$/g, '')}:${goal}`;
  return { command, lines: from === -1 ? lines : lines.slice(from) };
}

function ofGradle(lines: readonly Line[]): InnerCommand | null {
  const task = firstGroupIn(TASK_FAILED, textsOf(lines));
  if (task === undefined) return null;
  const from = lines.findIndex(
    ({ text }) => text === `> Task ${task}` || groupIn(TASK_FAILED, text) === task,
  );
  return { command: `gradle ${task.slice(task.lastIndexOf(':') + 1)}`, lines: lines.slice(from) };
}

/** npm names the script that failed first; its command stands in the second line of its head. */
function ofNpm(lines: readonly Line[]): InnerCommand | null {
  const heads = [...lines.keys()].filter((at) => {
    const next = lines[at + 1]?.text ?? '';
    return next.startsWith('> ') && NPM_HEAD.test((lines[at] as Line).text);
  });
  if (heads.length === 0) return null;
  const script = firstGroupIn(NPM_FAILED, textsOf(lines));
  const named = heads.findLast((at) => groupIn(NPM_HEAD, (lines[at] as Line).text) === script);
  const head = named ?? (heads.at(-1) as number);
  return { command: (lines[head + 1]?.text ?? '').slice(2), lines: lines.slice(head + 2) };
}

function ofYarn(lines: readonly Line[]): InnerCommand | null {
  const end = lines.findIndex(({ text }) => /^error Command failed with exit code \d/.test(text));
  if (end === -1) return null;
  const at = lines.slice(0, end).findLastIndex(({ text }) => YARN.test(text));
  if (at === -1) return null;
  return { command: groupIn(YARN, (lines[at] as Line).text) ?? null, lines: lines.slice(at + 1) };
}

/** The innermost make complains first. */
function ofMake(lines: readonly Line[]): InnerCommand | null {
  const target = firstGroupIn(TARGET, textsOf(lines));
  if (target === undefined || !/^[a-z][\w-]{0,40}$/.test(target)) return null;
  return { command: `make ${target}`, lines };
}

function textsOf(lines: readonly Line[]): readonly string[] {
  return lines.map(({ text }) => text);
}
