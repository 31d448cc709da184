/**
 * `judgedStep`: the part of a log to diagnose, as an expert would jump to it: the step that failed, inside it the command that failed, and
 * so on inwards. What lies outside may explain a failure, it never wins.
 */
import { inLines } from '../../text/in-lines.ts';
import type { Line } from '../lines/read-lines.ts';
import { CLEANED, divideActions } from './github-actions.ts';
import { innerCommand } from './inner-command.ts';
import { type Divide, type LogStep, outcomeOf } from './step.ts';
import { divideTravis } from './travis.ts';

export interface JudgedStep extends Pick<LogStep, 'lines' | 'command' | 'exitCode'> {
  /** Empty where the whole output is judged. */
  readonly name: string;
  /** A CI service judged the whole job; otherwise the exit code is that of one command. */
  readonly isToldByService: boolean;
}

/** Outermost first. `pick`: where several failed, later ones of a script follow from the first; a CI service stops at the last. */
const LEVELS: readonly { readonly divide: Divide; readonly pick: 'first' | 'last' }[] = [
  { divide: divideActions, pick: 'last' },
  { divide: divideBuildKit, pick: 'last' },
  { divide: divideJobs, pick: 'first' },
  { divide: divideJenkins, pick: 'last' },
  { divide: divideTravis, pick: 'first' },
];
/** How tool results and their reader tell an exit code: it is no line of the program. */
const CLOSED = /^(?:exit code|Exit Code): (?<code>-?\d{1,9})$/;
const VERDICT = inLines('')`
  ^(?:Done\. Your build exited with (?<code>\d{1,3})\.|Finished: (?<word>SUCCESS|FAILURE|UNSTABLE|ABORTED)|Job (?<job>succeeded)|
  ERROR: Job (?<failed>failed))`;

export function judgedStep(lines: readonly Line[], hasFailed: boolean | null): JudgedStep {
  const spoken = lines.filter(({ text }) => !CLOSED.test(text));
  let judged: JudgedStep = { lines: spoken, name: '', command: null, ...toldExit(lines) };
  for (const { divide, pick } of LEVELS) {
    const failed = judged.exitCode === null ? hasFailed : judged.exitCode !== 0;
    const steps = divide(judged.lines);
    const chosen = steps === null ? null : chooseStep(steps, pick, failed);
    // The service cleaned up and marked no step: nothing failed.
    if (chosen === null && steps?.at(-1)?.name === CLEANED && failed !== true)
      return { ...judged, exitCode: 0, isToldByService: true };
    if (chosen === null) continue;
    judged = {
      ...judged,
      lines: chosen.lines,
      name: chosen.name,
      command: chosen.command ?? judged.command,
      exitCode: chosen.exitCode ?? judged.exitCode,
    };
  }
  const inner = innerCommand(judged.lines);
  return inner === null
    ? judged
    : {
        ...judged,
        // A script that was downloaded and run is named by what it ran.
        name: /^(?:curl|wget) /.test(judged.name) ? (inner.command ?? judged.name) : judged.name,
        command: inner.command ?? judged.command,
        lines: inner.lines,
      };
}

function chooseStep(
  steps: readonly LogStep[],
  pick: 'first' | 'last',
  failed: boolean | null,
): LogStep | null {
  const bad = steps.filter(({ outcome, isAside }) => outcome === 'failed' && !isAside);
  const chosen = pick === 'first' ? bad[0] : bad.at(-1);
  if (chosen !== undefined) return chosen;
  const aside = steps.findLast(({ outcome }) => outcome === 'failed');
  if (aside !== undefined) return aside;
  if (failed !== true) return null;
  // It failed, and no step says that it did: it stopped in the last one.
  const open = steps.filter(({ outcome, lines }) => outcome !== 'passed' && lines.length > 0);
  return open.findLast(({ isAside }) => !isAside) ?? open.at(-1) ?? null;
}

/** The exit code that the text itself tells in its last lines. */
function toldExit(lines: readonly Line[]): Pick<JudgedStep, 'exitCode' | 'isToldByService'> {
  for (let at = lines.length - 1; at >= Math.max(0, lines.length - LAST_LINES); at -= 1) {
    const text = lines[at]?.text ?? '';
    const code = CLOSED.exec(text)?.groups?.['code'];
    if (code !== undefined) return { exitCode: Number(code), isToldByService: false };
    const verdict = VERDICT.exec(text)?.groups;
    if (verdict !== undefined) {
      const isWell = verdict['word'] === 'SUCCESS' || verdict['job'] !== undefined;
      return { exitCode: Number(verdict['code'] ?? (isWell ? 0 : 1)), isToldByService: true };
    }
  }
  return { exitCode: null, isToldByService: false };
}

/** A CI service says how it ended in its last lines, clean-up included. */
const LAST_LINES = 40;

const HEAD = /^\[(?:[\w.-]{1,40} )?(?:\d{1,3}\/\d{1,3}|internal)\] (?<command>.{1,600})$/;
const FAILED =
  /^ERROR: (?:process .{0,800} did not complete successfully: exit code: (?<code>\d{1,3})|.{0,800})$/;
const DONE = /^(?:DONE [\d.]+s|CACHED)$/;

/** `docker build`: each vertex `#8 [5/5] RUN …` is a step; the excerpt below the error repeats it. */
function divideBuildKit(lines: readonly Line[]): readonly LogStep[] | null {
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

const ENDED_BADLY = inLines('')`
  ^(?:ERROR: command finished with error|.{0,200}\bexited (?:with code|\()[ (]?[1-9]|npm (?:ERR!|error) code ELIFECYCLE|Failed$|
  error Command failed)`;
const TASK = /^(?:.{1,90}[:#])?(?<task>[a-z][\w-]{0,60})$/;

function divideJobs(lines: readonly Line[]): readonly LogStep[] | null {
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

const JENKINS = /^(?:Started by |Building (?:remotely |in workspace|on )|Running (?:as|on) \S|\[Pipeline\] )/;
const ECHOED = /^\+ (?<command>[^\s=].{0,600})$/;
const SHELL = /^\[[^\]]{1,100}\] \$ (?<command>.{1,600})$/;
const CHECKOUT = /^> (?<command>git \S.{0,400})$/;
const MARKED =
  /^(?:Build step '.{1,80}' (?:changed|marked) build|ERROR: script returned exit code|Finished: )/;
const ENDED_FAILED = inLines('')`
  ^(?:Build step '.{1,80}' (?:changed build result to|marked build as) (?:failure|FAILURE|UNSTABLE)|
  ERROR: script returned exit code [1-9]|Finished: (?:FAILURE|UNSTABLE|ABORTED))`;
/** What Jenkins does by itself around the work. */
const OWN = inLines('')`
  ^(?:\[EnvInject\]|\[WS-CLEANUP\]|No credentials specified|The recommended git tool|Archiving artifacts|Sending e-mails|
  Recording test results|Commit message: )`;

function divideJenkins(lines: readonly Line[]): readonly LogStep[] | null {
  if (
    !lines.slice(0, 40).some(({ text }) => JENKINS.test(text)) &&
    !lines.slice(-40).some(({ text }) => /^Finished: [A-Z]{4,}$/.test(text))
  )
    return null;
  const end = lines.findIndex(({ text }) => MARKED.test(text));
  const last = end === -1 ? lines.length : end;
  const failed = lines.slice(last).some(({ text }) => ENDED_FAILED.test(text));
  const passed = lines.slice(-10).some(({ text }) => text === 'Finished: SUCCESS');
  const starts = [...lines.keys()].filter((at) => {
    const { text } = lines[at] as Line;
    return at < last && (ECHOED.test(text) || SHELL.test(text) || CHECKOUT.test(text));
  });
  const bounds = starts[0] === 0 ? starts : [0, ...starts];
  return bounds.map((from, index) => {
    const to = bounds[index + 1] ?? last;
    const { text } = lines[from] as Line;
    const command =
      (ECHOED.exec(text) ?? SHELL.exec(text) ?? CHECKOUT.exec(text))?.groups?.['command'] ?? null;
    const isLast = index === bounds.length - 1;
    const outcome = isLast && failed ? 'failed' : passed ? 'passed' : 'unknown';
    const said = lines.slice(command === null ? from : from + 1, to).filter((line) => !OWN.test(line.text));
    const name = command ?? 'the checkout';
    return {
      name,
      command,
      lines: said,
      outcome,
      exitCode: outcome === 'failed' ? 1 : null,
      isAside: command === null,
    };
  });
}
