/** `toolMissing`: notices that a program or tool that does not exist is called again and again. */
import { groupIn } from '../../../text/group-in.ts';
import { oneOf } from '../../../text/one-of.ts';
import { type Detector, type Level, levelOf, quote, raise, severityOf } from '../../detector.ts';
import { hashExact } from '../../text-hash.ts';
import type { AgentTurn } from '../../agent-turn.ts';

interface Missing {
  readonly name: number;
  /** Its calls, as far back as the trail remembers: rare calls do not count. */
  readonly calls: readonly { readonly at: number; readonly step: number }[];
  readonly raised: Level;
}

/** The most missing tools remembered at once. */
const REMEMBERED = 16;
const MISSING = oneOf(
  // A file in quotes that is not found is no program.
  /(?:^|[\s:/"'`])([\w.+-]{1,60})['"`]?: (?:command|tool) not found|(?:^|[\s:/])([\w.+-]{1,60}): not found/i,
  /(?:unknown|no such) (?:tool|command)(?: available)?:? ['"`]?([\w.+-]{1,60})/i,
  /cannot execute ['"`]([\w.+-]{1,60})['"`]: unknown/i,
  /tool ['"`]?([\w.+-]{1,60})['"`]? (?:does not exist|is not available|not found)/i,
);

export const toolMissing: Detector<readonly Missing[]> = {
  name: 'tool not found again',
  init: [],
  next: (state, { turn, trail, policy }) => {
    if (trail.turns.length === 0) return [[], []];
    const name = turn === null || !turn.failed ? null : missingTool(turn);
    if (turn === null || name === null) return [state, []];
    const key = hashExact(name);
    const known = state.find((each) => each.name === key);
    const oldest = trail.turns[0]?.callStep ?? 0;
    const recent = (known?.calls ?? []).filter((each) => each.step >= oldest);
    const calls = [...recent, { at: turn.startedAt, step: turn.callStep }];
    const count = calls.length;
    const level = levelOf(count, policy.loop_warn, policy.loop_stop);
    const next: Missing = { name: key, calls, raised: level };
    const all = [...state.filter((each) => each !== known).slice(1 - REMEMBERED), next];
    if (level === 0 || level <= (known?.raised ?? 0)) return [all, []];
    return raise(all, turn, turn.step, {
      type: 'tool_missing',
      severity: severityOf(level),
      reason: `${name} is not there, and was called ${count} times`,
      sinceAt: calls[0]?.at ?? turn.startedAt,
      sinceStep: calls[0]?.step ?? turn.callStep,
      evidence: [quote(turn.input), quote(turn.errorLine)],
      confidence: level === 2 ? 0.9 : 0.7,
      suggestedAction: `install ${name} or tell the agent to do without it`,
      disproof: `${name} runs`,
    });
  },
};

export function missingTool(turn: AgentTurn): string | null {
  return groupIn(MISSING, turn.errorLine) ?? null;
}
