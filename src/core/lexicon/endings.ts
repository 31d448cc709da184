/** `meaningOfEnding`: what the last words of an agent, of its CLI or of its provider mean. */
import { RECOGNISERS } from './all.ts';
import { type Recogniser, recognisers } from './recogniser.ts';

const OF_SESSIONS = String.raw`
  session.refused session_corrupt 0.7
    i tool_use.{0,2} ids were found without|unexpected tool_use_id|tool_result.{0,40}corresponding .{0,2}tool_use|no tool (?:call|
      output) found for function call|function (?:call turn comes|response parts)|thinking blocks .{0,60}cannot be modified|
      text content blocks must be non-empty|session id .{0,60}(?:already in use|not found)|(?:session|conversation) not found
  overload.server overloaded 0.6
    i \boverloaded|server-side issue|server had an error|experiencing high demand
  network.answer network_failure 0.6
    i empty or malformed response|incomplete json segment|unexpected token .?<|<!doctype html|certificate|error (?:sending request|
      decoding)|api error: terminated
  environment.start environment 0.5
    i invalid (?:settings|config)|unexpected argument|unknown (?:option|argument)|requires a (?:newer|later) version
`;
/** What the work itself says is no end of an agent. */
const NAMES = /^(?:model|context|budget|rate|overload|auth|http|timeout|network)\./;
const [session, ...others] = recognisers(OF_SESSIONS);
const LIST: readonly Recogniser[] = [
  session as Recogniser,
  ...RECOGNISERS.filter(({ id }) => NAMES.test(id)),
  ...others,
];

export interface EndingMeaning {
  readonly recogniser: Recogniser;
  readonly text: string;
}

/** `own`: words of one CLI, asked first. */
export function meaningOfEnding(
  texts: readonly string[],
  own: readonly Recogniser[] = [],
): EndingMeaning | null {
  for (const recogniser of [...own, ...LIST]) {
    const text = texts.find((candidate) => says(recogniser, candidate));
    if (text !== undefined) return { recogniser, text };
  }
  return null;
}

function says({ says: any, and, unless }: Recogniser, text: string): boolean {
  return (
    any.some((pattern) => pattern.test(text)) && and?.test(text) !== false && unless?.test(text) !== true
  );
}
