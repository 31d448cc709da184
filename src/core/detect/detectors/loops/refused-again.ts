/** `refusedAgain`: notices an agent that says it is done, is refused with the same sentence, and changes nothing. */
import { isFinishing } from '../../finishing.ts';
import { type Detector, type Level, levelOf, quote, raise, severityOf } from '../../detector.ts';
import { changes } from '../../staleness.ts';
import { hashLoose } from '../../text-hash.ts';

interface RefusedState {
  /** The hash of the beginning of the sentence. */
  readonly refusal: number;
  readonly count: number;
  readonly since: { readonly at: number; readonly step: number };
  readonly raised: Level;
  /** The agent spoke last, and made no call since: what comes next answers its words. */
  readonly claimed: boolean;
  /** A call waited for something since the last refusal. */
  readonly waited: boolean;
}

const NONE: RefusedState = {
  refusal: 0,
  count: 0,
  since: { at: 0, step: 0 },
  raised: 0,
  claimed: false,
  waited: false,
};
/** A shorter answer ("yes", "go on") is equal to many others. */
const TELLING_CHARS = 16;
/** The beginning of a refusal is its sentence; what follows may differ each time. */
const SENTENCE_CHARS = 160;
/** An agent that was asked to wait is answered with the same sentence until there is something to do. */
const ASKS_TO_WAIT =
  /\b(wait|poll|stand ?by|nothing (new|to do)|no (new )?(tasks?|work|messages?)|still (running|pending)|check (again|back))\b/i;
/** A harness that cannot read an answer asks for another form of it. That refuses no work; `sameError` counts such answers. */
const ASKS_FOR_FORM =
  /\b(format|exactly one|backticks|tool call|function call|parse|valid json|schema|arguments?)\b/i;
/** Work on a note beside the repository is no answer to a refusal. */
const SCRATCH = /^\/(tmp|var\/tmp)\//;

export const refusedAgain: Detector<RefusedState> = {
  name: 'refused again',
  init: NONE,
  next: (state, { entry, turn, step, policy }) => {
    if (entry.type === 'progress') return [NONE, []];
    if (turn !== null && entry.type === 'tool_result') {
      if (isFinishing(turn.tool, turn.input)) return refused(state, entry.output, entry.at, step, policy);
      const isChange = changes(turn) && !SCRATCH.test(turn.edit?.path ?? '');
      if (isChange) return [NONE, []];
      return [{ ...state, claimed: false, waited: state.waited || turn.waiting !== null }, []];
    }
    if (entry.type === 'tool_call') return [{ ...state, claimed: false }, []];
    if (entry.type === 'error' && state.claimed) return refused(state, entry.text, entry.at, step, policy);
    if (entry.type !== 'message') return [state, []];
    if (entry.role === 'agent') return [{ ...state, claimed: true }, []];
    return state.claimed ? refused(state, entry.text, entry.at, step, policy) : [state, []];
  },
};

function refused(
  state: RefusedState,
  text: string,
  at: number,
  step: number,
  { refusals_warn, refusals_stop }: { readonly refusals_warn: number; readonly refusals_stop: number },
): ReturnType<typeof refusedAgain.next> {
  const said = text.trim();
  const opening = said.slice(0, SENTENCE_CHARS);
  if (said.length < TELLING_CHARS || state.waited || ASKS_TO_WAIT.test(opening)) return [NONE, []];
  if (ASKS_FOR_FORM.test(opening)) return [{ ...state, claimed: false }, []];
  const refusal = hashLoose(said, SENTENCE_CHARS);
  const isSame = refusal === state.refusal;
  const count = isSame ? state.count + 1 : 1;
  const since = isSame ? state.since : { at, step };
  const level = levelOf(count, refusals_warn, refusals_stop);
  const next = { refusal, count, since, raised: level, claimed: false, waited: false };
  if (level === 0 || (isSame && level <= state.raised)) return [next, []];
  return raise(next, { at }, step, {
    type: 'refused_again',
    severity: severityOf(level),
    reason: `the agent said it was done and was refused ${count} times with the same words: ${quote(said)}`,
    sinceAt: since.at,
    sinceStep: since.step,
    evidence: [quote(said)],
    confidence: level === 2 ? 0.85 : 0.6,
    suggestedAction: 'tell the agent what exactly is missing, or take the check that refuses away',
    disproof: 'a change before the next claim, or a refusal in other words',
  });
}
