/**
 * `PEER_RULES`, `peerRuleAlarm`: the rules for stuck runs that other tools publish, as their documentation gives them, on the same runs.
 * They compare exactly: a call is its tool and input, a result is its text.
 */
import type { EvalRun, Step } from '../eval-runs.ts';
import type { Alarm } from './score.ts';

interface Turn {
  readonly call: string;
  readonly result: string;
  readonly failed: boolean;
}

/** True: the rule fires after the last of these turns and messages. */
type Rule = (turns: readonly Turn[], messages: readonly string[]) => boolean;

const pairs: Rule = (turns) => areEqual(turns.slice(-4), 4, ({ call, result }) => `${call} ${result}`);
const errors: Rule = (turns) =>
  turns.slice(-3).every(({ failed }) => failed) && areEqual(turns.slice(-3), 3, ({ call }) => call);
const monologue: Rule = (_, messages) => areEqual(messages.slice(-3), 3, (text) => text);
const alternates: Rule = (turns) => {
  const last = turns.slice(-6).map(({ call, result }) => `${call} ${result}`);
  return last.length === 6 && last.every((text, index) => text === last[index % 2]) && last[0] !== last[1];
};

export const PEER_RULES: Readonly<Record<string, Rule>> = {
  'equal call 3 times in a row': (turns) => areEqual(turns.slice(-3), 3, ({ call }) => call),
  'equal call 5 times in a row': (turns) => areEqual(turns.slice(-5), 5, ({ call }) => call),
  'equal call 3 times in all': (turns) => isLastMet(turns, 3, ({ call }) => call),
  'equal call and result 3 times in all': (turns) =>
    isLastMet(turns, 3, ({ call, result }) => `${call} ${result}`),
  'equal call and result 4 times in a row': pairs,
  'equal call with an error 3 times in a row': errors,
  'two calls in turn, over 6': alternates,
  'the same message 3 times in a row': monologue,
  "four of OpenHands' rules together": (...seen) =>
    [pairs, errors, alternates, monologue].some((rule) => rule(...seen)),
};

export function peerRuleAlarm({ steps }: EvalRun, rule: Rule): Alarm {
  const turns: Turn[] = [];
  const messages: string[] = [];
  const open: { readonly call: string }[] = [];
  for (const [index, step] of steps.entries()) {
    if (step.type === 'action') open.push({ call: `${step.tool ?? ''} ${textOf(step)}` });
    // The rule is asked when the result is there; calls that were made together are answered in their order.
    if (step.type === 'observation' || step.type === 'error')
      turns.push({ call: '', ...open.shift(), result: textOf(step), failed: step.type === 'error' });
    else if (step.type === 'message' && step.role === undefined) messages.push(textOf(step));
    else continue;
    if (rule(turns, messages)) return index;
  }
  return null;
}

function textOf({ input, output, h }: Step): string {
  return `${JSON.stringify(input ?? output ?? '')} ${h ?? ''}`;
}

function areEqual<T>(last: readonly T[], wanted: number, text: (one: T) => string): boolean {
  return last.length === wanted && new Set(last.map(text)).size === 1;
}

function isLastMet(turns: readonly Turn[], times: number, text: (one: Turn) => string): boolean {
  const last = turns.at(-1);
  return last !== undefined && turns.filter((one) => text(one) === text(last)).length >= times;
}
