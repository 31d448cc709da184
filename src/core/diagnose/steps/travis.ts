/** `divideTravis`: `$ command`, its output, `The command "…" exited with N.`, between folds that name the phase. */
import type { Line } from '../lines/read-lines.ts';
import { outcomeOf, type LogStep } from './step.ts';

const ENDED =
  /^(?:The command "(?<command>.{0,1800})|.{0,1800})" (?:failed and )?exited with (?<code>\d{1,3})(?: during .{0,40})?\.$/;
const GAVE_UP = /^The command "(?<command>.{0,1800})" failed \d+ times\.$/;
const TYPED = /^\$ (?<command>\S.{0,1800})$/;
const FOLD = /^travis_fold:(?<edge>start|end):(?<name>[\w.-]{1,60})/;
const CLOCK = /^travis_time:(?:start|end):/;
/** Phases before and after the work. */
const ASIDE =
  /^(?:worker_info|system_info|git|services|cache|rvm|announce|artifacts|after_|before_cache|before_deploy|deploy|dpl|apt|resolvconf)/;

interface Open {
  readonly command: string;
  readonly at: number;
  readonly isAside: boolean;
}

export function divideTravis(lines: readonly Line[]): readonly LogStep[] | null {
  const isTravis = lines.some(
    ({ text }) => text.startsWith('travis_') && (FOLD.test(text) || CLOCK.test(text)),
  );
  if (!isTravis && !lines.some(({ text }) => endOf(text) !== undefined)) return null;
  const steps: LogStep[] = [];
  let open: Open[] = [];
  let since = 0;
  let aside = false;
  const close = (
    from: number,
    to: number,
    command: string | null,
    exitCode: number | null,
    isAside: boolean,
  ): void => {
    const said = lines.slice(from, to).filter(({ text }) => !FOLD.test(text) && !CLOCK.test(text));
    if (said.some(({ text }) => text !== ''))
      steps.push({
        name: command ?? 'the output',
        command,
        lines: said,
        outcome: outcomeOf(exitCode),
        exitCode,
        isAside,
      });
  };
  for (const [at, { text }] of lines.entries()) {
    const fold = FOLD.exec(text)?.groups;
    if (fold !== undefined) {
      aside = fold['edge'] === 'start' && ASIDE.test(fold['name'] ?? '');
      continue;
    }
    const typed = TYPED.exec(text)?.groups?.['command'];
    if (typed !== undefined) {
      // What was typed before and never told its end has ended.
      open.push({ command: wholeCommand(typed, lines, at), at, isAside: aside });
      continue;
    }
    const ended = endOf(text);
    if (ended === undefined) continue;
    const command = ended['command'] ?? null;
    const found =
      command === null
        ? open.findLast(({ isAside }) => !isAside)
        : open.findLast((each) => sameCommand(each.command, command));
    const own = found ?? open.find((each) => each.at >= since);
    const from = own?.at ?? since;
    for (const each of open.filter((other) => other.at < from && other.at >= since))
      close(each.at, nextAt(open, each, from), each.command, null, each.isAside);
    close(
      from,
      at,
      own?.command.startsWith((command ?? '').replace(/ ?\\$/, '')) === true ? own.command : command,
      ended['code'] === undefined ? 1 : Number(ended['code']),
      false,
    );
    since = at + 1;
    open = [];
  }
  for (const each of open) close(each.at, nextAt(open, each, lines.length), each.command, null, each.isAside);
  if (open.length === 0) close(since, lines.length, null, null, true);
  return steps.length === 0 ? null : steps;
}

function endOf(text: string): Readonly<Record<string, string | undefined>> | undefined {
  if (text.includes('exited with ')) return ENDED.exec(text)?.groups;
  return text.startsWith('The command ') ? GAVE_UP.exec(text)?.groups : undefined;
}

/** A command of several lines ends each but the last with `\\`. */
function wholeCommand(typed: string, lines: readonly Line[], at: number): string {
  let whole = typed;
  for (let next = at + 1; whole.endsWith('\\') && next < at + COMMAND_LINES; next += 1)
    whole = `${whole.slice(0, -1).trimEnd()} ${lines[next]?.text ?? ''}`;
  return whole;
}

/** More lines are a script. */
const COMMAND_LINES = 20;

function nextAt(open: readonly Open[], each: Open, end: number): number {
  return open.find((other) => other.at > each.at)?.at ?? end;
}

/** The log shortens and evaluates commands; their beginning tells. */
function sameCommand(typed: string, ended: string): boolean {
  const bare = (text: string): string =>
    text
      .replace(/^eval /, '')
      .replace(/\s+/g, ' ')
      .trim()
      .slice(0, 60);
  return bare(ended).startsWith(bare(typed)) || bare(typed).startsWith(bare(ended));
}
