/** `waitingForInput`: notices a prompt that no person can answer: a question of the agent, or of a program that it runs. */
import { inOrder } from '../../../text/in-order.ts';
import type { Signal } from '../../../vocabulary/signal.ts';
import { callKind } from '../../call-kind.ts';
import { type Detector, quote } from '../../detector.ts';
import { silentSince, type Tick } from '../../tick.ts';
import type { Trail } from '../../trail.ts';

/** How prompts end. Only the last, unfinished line is tested: a finished line is not a prompt. */
const PROMPT = inOrder(
  [
    /\[y\/n\]|\(y\/n\)|\[yes\/no\]|\(yes\/no(\/\[fingerprint\])?\)|password.{0,100}:|passphrase.{0,100}:/i,
    /username.{0,100}:|press (enter|return|any key)( to \w{1,20})?|do you want to (proceed|continue)/i,
    /are you sure|enter (your )?(choice|selection|token)|\(q to quit\)|^:$|^\(END\)|continue\?|overwrite\?/i,
    /trust this (folder|directory)/i,
  ],
  /\W{0,8}$/i,
);
const LINE_CHARS = 300;

export const waitingForInput: Detector<boolean> = {
  name: 'waiting for input',
  init: false,
  next: (raised, { entry, trail, step, policy }) => {
    if (entry.type !== 'tick') return [false, []];
    if (raised) return [true, []];
    const heardAt = silentSince(entry, trail.heardAt, entry.lastOutputAt ?? 0);
    if (entry.at - heardAt < policy.input_silence_ms) return [false, []];
    const prompt = openQuestion(trail) ?? openPrompt(entry);
    const asked = prompt === null ? permissionAsked(entry, trail) : null;
    if (asked !== null) return [true, [{ ...signal(asked, heardAt, entry.at, step), ...PROBABLY }]];
    return prompt === null ? [false, []] : [true, [signal(prompt, heardAt, entry.at, step)]];
  },
};

function openQuestion(trail: Trail): string | null {
  const call = trail.open.find((each) => callKind(each.tool, each.input) === 'ask');
  return call === undefined ? null : call.input;
}

function openPrompt({ lastLine }: Tick): string | null {
  const line = (lastLine ?? '').slice(-LINE_CHARS).trimEnd();
  return line !== '' && PROMPT.test(line) ? line : null;
}

/** At a terminal an agent asks before it acts. A call in flight that started no process is most likely such a question. */
function permissionAsked({ interactive, children }: Tick, trail: Trail): string | null {
  const call = trail.open.at(-1);
  if (interactive !== true || children !== 0 || call === undefined) return null;
  return `may I? ${call.tool} ${call.input}`;
}

const PROBABLY = {
  severity: 'warning',
  confidence: 0.5,
  suggestedAction: 'look at the terminal of the agent',
} as const;

function signal(prompt: string, sinceAt: number, at: number, step: number): Signal {
  return {
    type: 'waiting_for_input',
    severity: 'critical',
    reason: `waits for an answer nobody can give: ${quote(prompt)}`,
    sinceAt,
    at,
    ...(step >= 0 ? { atStep: step } : {}),
    evidence: [quote(prompt)],
    confidence: 0.85,
    suggestedAction: 'put the question to a person; run the program so that it does not ask',
    disproof: 'output goes on without an answer',
  };
}
