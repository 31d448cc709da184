/**
 * `waitsForAnswer`, `staysOpen`, `neverEnds`: why a program is ended by its time limit again and again: it asks something, it watches or
 * serves after its work is done, or it waits for itself. `NARROWED`: only a part of it was run.
 */
import { oneOf } from '../../../text/one-of.ts';
import { commandOf } from '../../call-kind.ts';
import { callText, quote } from '../../detector.ts';
import { editedPaths } from '../side-effects.ts';
import { editsWithin } from '../repeated-turns.ts';
import type { FindReason } from './find-reason.ts';

const QUESTION_LINES = 8;
const ASKS = oneOf(
  /\?\s*$|[[(](?:y\/n|yes\/no)[\])]|\(use arrow keys\)|\bpress (?:any key|enter|return)\b/i,
  /\b(?:password|passphrase|username|token|otp)(?: for [^:\n]{1,80})?:\s*$|^\s*[❯›●○◉◯] ?\S/i,
);

/** The program was ended while the last lines that it printed ask for an answer. */
export const waitsForAnswer: FindReason = ({ failure }) => {
  const asked = failure.turns.flatMap((turn) => (turn.ended === null ? [] : [questionIn(turn.output)]));
  const question = asked.findLast((each) => each !== null);
  if (question === undefined || question === null || asked.filter(Boolean).length * 2 < failure.turns.length)
    return null;
  return {
    cause: `\`${callText(failure.turn)}\` was ended while the last that it printed asks something: ${quote(question)}`,
    startHere:
      'Give the answers with the command (`--yes`, a file, a pipe), or use its form without questions. More time does not help.',
  };
};

function questionIn(output: string): string | null {
  const lines = output
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
    .slice(-QUESTION_LINES);
  return lines.findLast((line) => line.endsWith('?')) ?? lines.findLast((line) => ASKS.test(line)) ?? null;
}

const WATCHES = oneOf(
  /^.*\b(?:waiting for (?:file |source )?changes|watching (?:for|files?|the|\S+ for)|watch (?:mode|usage)|to restart at any time)\b.*$/im,
  /^.*\bpress [\w`"'+]{1,8} to (?:quit|exit|stop|rerun|re-run|show|filter|run)\b.*$/im,
);
const SERVES =
  /^.*\b(?:listening (?:on|at)|serving|server (?:is )?(?:started|running|listening|ready)|running (?:on|at) https?:)\b.*$/im;
const PASSED = oneOf(
  /^.*(?:\b[1-9]\d* (?:of \d+ )?(?:tests? )?(?:passed|passing|success\w*)|\ball (?:\d+ )?tests? passed|\bBUILD SUCCESS\w*).*$/im,
  /^.*\b(?:compiled successfully|found 0 errors|[1-9]\d* examples?, 0 failures)\b.*$/im,
);

/** It did its work, or began to serve, and does not end by itself: that is no failure. */
export const staysOpen: FindReason = ({ turns, failure }) => {
  const ended = failure.turns.filter((turn) => turn.ended === 'timed out');
  const open = ended.filter(
    ({ output }) => WATCHES.test(output) || SERVES.test(output) || PASSED.test(output),
  );
  const last = open.at(-1);
  if (last === undefined || open.length < 2 || open.length * 2 < failure.turns.length) return null;
  const [passed, watching, serving] = [PASSED, WATCHES, SERVES].map((says) => says.exec(last.output)?.[0]);
  const told = [passed, watching ?? serving].flatMap((line) => (line === undefined ? [] : [quote(line)]));
  const edited = editedPaths(editsWithin(turns, failure.first.step));
  const back =
    edited.length === 0 ? '' : ` Take back what was changed for the time limit (${edited.join(', ')}).`;
  const why =
    watching !== undefined || passed !== undefined
      ? 'it watches for changes or keeps something open'
      : 'it is a server';
  return {
    cause:
      `\`${callText(last)}\` was ended by its time limit ${open.length} times after it had said: ${told.join(' · ')}; it may not end by ` +
      `itself, because ${why}`,
    startHere:
      watching === undefined && passed === undefined
        ? `Start it in the background with its output in a file, wait there for ${quote(serving ?? '')}, and ask it in the next ` +
          `call.${back}`
        : `Run it in the form that ends (\`CI=1\`, \`--run\`, \`--watch=false\`). More time or a smaller part does not help.${back}`,
  };
};

const LIMITED = /\btimeout (?:-\w+ )*(\d+(?:\.\d+)?[smh]?)\b/;
const NEVER_ENDS = 3;

/** A smaller part of it: one test, one file, or to its first failure. */
export const NARROWED =
  /(?:^|\s)(?:-x|-k|-t|--(?:bail|fail-?fast|grep|filter|run|tests?)\b|\S+\.(?:py|[cm]?[jt]sx?|rb|go|java|rs)(?:::\S+)?)(?=[\s=]|$)/;

/** The program waits for something that does not come: neither more time nor a smaller part helped, and nothing more was printed. */
export const neverEnds: FindReason = ({ failure }) => {
  const ended = failure.turns.filter((turn) => turn.ended === 'timed out');
  if (ended.length < NEVER_ENDS || ended.length * 2 < failure.turns.length) return null;
  const limits = [...new Set(ended.flatMap(({ input }) => LIMITED.exec(commandOf(input))?.[1] ?? []))];
  const isSmall = ended.filter(({ input }) => NARROWED.test(commandOf(input))).length > 1;
  const lasts = ended.map((turn) => turn.output.trim().split('\n').at(-1)?.trim() ?? '');
  const last = lasts.findLast((line) => line !== '');
  // A program that gets further each time is slow.
  if ((limits.length < 2 && !isSmall) || lasts.some((line) => line !== '' && line !== last)) return null;
  const printed =
    last === undefined ? 'it prints nothing before' : `the last that it prints is ${quote(last)}`;
  const tried =
    limits.length > 1 ? `with limits of ${limits.join(', ')}` : 'although only a part of it was run';
  return {
    cause:
      `\`${callText(failure.turn)}\` did not end: ${ended.length} runs were ended by their time limit, ${tried}; ` +
      `${printed}. What it waits for is not shown`,
    startHere:
      'Do not give it more time. Let it say where it waits: end it with a dump of its stack (Python: `python3 -X faulthandler` ' +
      'and `timeout -s ABRT`; Java: `jstack`; Go: `kill -QUIT`; Node: `--report-on-signal`), and read what is called there.',
  };
};
