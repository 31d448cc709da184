/** `flaky`: a check that passes and fails with nothing changed in between, and how to find out why without running it again. */
import { commandOf } from '../../call-kind.ts';
import { askedProgram, checkOf } from '../../check-mark.ts';
import { callText, quote } from '../../detector.ts';
import { passes, type RecordedTurn } from '../recorded-turn.ts';
import { editsFile } from '../repeated-turns.ts';
import type { FindReason } from './find-reason.ts';

const FLAKY =
  'The edits may have nothing to do with it. Run it several times on the unchanged tree (`git stash`); ' +
  'mend what it depends on (time, order, a port) or report it as flaky, and take back the edits made for it.';

/** A command that begins so changes something before it checks. */
const PREPARES = /^\s*(?:chmod|chown|rm|mkdir|touch|export|git)\b/;
const LOOKS: ReadonlySet<string> = new Set(['read', 'search', 'plan', 'idle']);
const SEED = /(--[\w-]*seed[= ]\d+)|\bseed\b\D{1,8}(\d{2,})/i;
const DIFFERS = /^.*\b(?:got|actual|received|but was)\b.*$|^E +.*assert.*$/im;

/** The same check passed and failed, with nothing but looks in between. */
export const flaky: FindReason = ({ turns, failure: { turn, turns: members } }) => {
  const check = checkOf(turn);
  if (check === 0 || editsFile(turn)) return null;
  const acts = turns.filter(({ kind }) => !LOOKS.has(kind));
  const isRun = (each: RecordedTurn) =>
    checkOf(each) === check &&
    !PREPARES.test(commandOf(each.input)) &&
    (each.failed || (passes(each) && !isCutOf(each, turn)));
  const turned = acts.filter((each, at) => {
    const before = acts[at - 1];
    const isNext = before !== undefined && isRun(each) && isRun(before) && each.failed !== before.failed;
    return isNext && members.includes(each.failed ? each : before);
  });
  if (turned.length === 0) return null;
  const program = askedProgram(turn.input);
  const alone = turns.find((each) => !each.failed && askedProgram(each.input).startsWith(`${program} `));
  const red = members.filter(({ failed }) => failed);
  const [, flag, number] =
    red.map(({ output }) => SEED.exec(output)).findLast((found) => found !== null) ?? [];
  const seed = flag ?? (number === undefined ? null : `--seed ${number}`);
  const part = alone === undefined ? '' : `; \`${callText(alone)}\` alone passes`;
  const order =
    seed === null ? '' : '; its order is random, and only some orders fail: what runs before it decides';
  const wrong = DIFFERS.exec(turn.output)?.[0] ?? turn.errorLine;
  return {
    cause: `${callText(turn)} passes and fails with nothing but looks in between, so it is flaky${order}${part}: ${quote(wrong)}`,
    startHere:
      seed === null && alone === undefined
        ? FLAKY
        : `Do not run it once more as it is. Repeat a run that fails${seed === null ? '' : ` (\`${seed}\`)`}, and halve what runs before ` +
          `it until one test is left: that one leaves something set that this one meets (${quote(wrong)}). Let it put that back.`,
  };
};

/** All that a pipe left over stands in the output that fails. */
function isCutOf({ output, input }: RecordedTurn, whole: RecordedTurn): boolean {
  const lines = output.split('\n').filter((line) => line.trim() !== '');
  return (
    commandOf(input).includes('|') && lines.length > 0 && lines.every((line) => whole.output.includes(line))
  );
}
