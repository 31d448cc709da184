/**
 * `monologue`: notices talk instead of work: the same message again, a line repeated inside one message, or many messages without an
 * action.
 */
import type { Signal } from '../../vocabulary/signal.ts';
import { type Detector, type Level, levelOf, quote, severityOf } from '../detector.ts';
import { hashLoose } from '../text-hash.ts';

interface MonologueState {
  readonly recent: readonly { readonly said: number; readonly step: number }[];
  readonly raised: Level;
  readonly silentTalk: number;
  readonly since: number;
}

const WINDOW = 6;
/** Shorter messages such as "Let me check." are common in healthy runs. */
const TELLING_CHARS = 60;
/** A list has many similar short lines; a chant has many equal lines in a row. */
const CHANT_WARN = 8;
const CHANT_STOP = 20;
const CHANTED_LINES = 600;
const CHANTED_CHARS = 12;

export const monologue: Detector<MonologueState> = {
  name: 'monologue',
  init: { recent: [], raised: 0, silentTalk: 0, since: 0 },
  next: (state, { entry, step, trail, policy }) => {
    if (entry.type === 'tool_call' || entry.type === 'progress') return [{ ...state, silentTalk: 0 }, []];
    if (entry.type !== 'message') return [state, []];
    if (entry.role === 'person' && trail.progressStep === step)
      return [{ recent: [], raised: 0, silentTalk: 0, since: entry.at }, []];
    if (entry.role !== 'agent') return [state, []];
    const { text, at } = entry;
    const silentTalk = state.silentTalk + 1;
    const since = silentTalk === 1 ? at : state.since;
    const telling = text.length >= TELLING_CHARS;
    const said = telling ? hashLoose(text) : 0;
    const recent = [...state.recent.slice(1 - WINDOW), { said, step }];
    const same = telling ? recent.filter((each) => each.said === said) : [];
    const again = same.length;
    const level = levelOf(again, policy.loop_warn, policy.loop_stop - 1);
    const next = { recent, raised: level, silentTalk, since };
    const chant = chanted(text);
    const chantLevel = levelOf(chant, CHANT_WARN, CHANT_STOP);
    const make = (severity: Signal['severity'], reason: string, confidence: number): Signal => ({
      type: 'monologue',
      severity,
      reason,
      sinceAt: since,
      at,
      atStep: step,
      sinceStep: same[0]?.step ?? step,
      evidence: [quote(text)],
      confidence,
      suggestedAction: 'stop the turn and resume with one concrete next action',
      disproof: 'a call that does something',
    });
    if (chantLevel > 0) {
      return [
        next,
        [make(severityOf(chantLevel as 1 | 2), `one line repeated ${chant} times inside one message`, 0.9)],
      ];
    }
    if (level > 0 && level > state.raised) {
      return [
        next,
        [
          make(
            severityOf(level as 1 | 2),
            `the agent has said the same ${again} times in its last ${recent.length} messages`,
            0.85,
          ),
        ],
      ];
    }
    if (silentTalk === policy.monologue_warn) {
      return [next, [make('warning', `${silentTalk} messages in a row without a single action`, 0.4)]];
    }
    return [next, []];
  },
};

/** The length of the longest row of equal lines or sentences. */
function chanted(text: string): number {
  if (text.length < CHANTED_CHARS * CHANT_WARN) return 0;
  const parts = text.split(/\n|(?<=[.!?]) /, CHANTED_LINES);
  let longest = 0;
  let row = 0;
  for (let i = 1; i < parts.length; i++) {
    const part = (parts[i] as string).trim();
    row = part.length >= CHANTED_CHARS && part === (parts[i - 1] as string).trim() ? row + 1 : 0;
    if (row > longest) longest = row;
  }
  return longest === 0 ? 0 : longest + 1;
}
