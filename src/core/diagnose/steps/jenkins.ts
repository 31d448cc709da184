/** `divideJenkins`: a shell step echoes each command as `+ command`; `Build step … marked build as failure` and `Finished:` end it. */
import { inOrder } from '../../text/in-order.ts';
import type { Line } from '../lines/read-lines.ts';
import type { LogStep } from './step.ts';

const JENKINS = /^(?:Started by |Building (?:remotely |in workspace|on )|Running (?:as|on) \S|\[Pipeline\] )/;
const ECHOED = /^\+ (?<command>[^\s=].{0,600})$/;
const SHELL = /^\[[^\]]{1,100}\] \$ (?<command>.{1,600})$/;
const CHECKOUT = /^> (?<command>git \S.{0,400})$/;
const MARKED =
  /^(?:Build step '.{1,80}' (?:changed|marked) build|ERROR: script returned exit code|Finished: )/;
const FAILED = inOrder(/^/, [
  /Build step '.{1,80}' (?:changed build result to|marked build as) (?:failure|FAILURE|UNSTABLE)/,
  /ERROR: script returned exit code [1-9]|Finished: (?:FAILURE|UNSTABLE|ABORTED)/,
]);
/** What Jenkins does by itself around the work. */
const OWN = inOrder(/^/, [
  /\[EnvInject\]|\[WS-CLEANUP\]|No credentials specified|The recommended git tool|Archiving artifacts/,
  /Sending e-mails|Recording test results|Commit message: /,
]);

export function divideJenkins(lines: readonly Line[]): readonly LogStep[] | null {
  if (
    !lines.slice(0, 40).some(({ text }) => JENKINS.test(text)) &&
    !lines.slice(-40).some(({ text }) => /^Finished: [A-Z]{4,}$/.test(text))
  )
    return null;
  const end = lines.findIndex(({ text }) => MARKED.test(text));
  const last = end === -1 ? lines.length : end;
  const failed = lines.slice(last).some(({ text }) => FAILED.test(text));
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
