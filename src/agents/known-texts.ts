/** `KNOWN_TEXTS`: sentences of agent CLIs and model APIs that name a cause, in the order in which they are tried. */
import { oneOf } from '../core/text/one-of.ts';
import type { FailureClass } from '../core/vocabulary/classes/failure-class.ts';

export interface KnownText {
  readonly class: FailureClass;
  readonly pattern: RegExp;
  readonly reason: string;
}

/** Matched against single lines cut to a limit; no pattern can backtrack. */
export const KNOWN_TEXTS: readonly KnownText[] = [
  {
    class: 'context_overflow',
    pattern: oneOf(
      /prompt is too long|context (?:window|limit) (?:exceeded|reached)|prompt_too_long|request_too_large/i,
      /exceeds the maximum (?:allowed )?(?:size|context)|conversation is too long/i,
      /context_length_exceeded|maximum context length|exceeds the context window|ran out of room in the model/i,
      /input token count .{0,40}exceeds the maximum|ContextOverflowError|exceeds the limit of \d/i,
    ),
    reason: 'the conversation no longer fits the model',
  },
  {
    class: 'looping',
    pattern: /^loop detected, stopping execution/i,
    reason: 'the agent CLI stopped a loop of its agent',
  },
  {
    class: 'model_refusal',
    pattern: /appears to violate our usage policy|unable to respond to this request|stop_reason=refusal/i,
    reason: 'the model refused by policy',
  },
  {
    class: 'session_corrupt',
    pattern: oneOf(
      /tool_use.{0,2} ids were found without|unexpected tool_use_id|tool_result.{0,40}corresponding .{0,2}tool_use/i,
      /tool use concurrency issues|no conversation found with session id|session id .{0,60}(?:already in use|not found)/i,
      /thinking blocks .{0,60}cannot be modified|text content blocks must be non-empty/i,
      /no rollout found|session not found|invalid session identifier|no previous sessions/i,
      /no tool (?:call|output) found for function call|function (?:call turn comes|response parts)/i,
    ),
    reason: 'the agent session cannot be continued as it is',
  },
  {
    class: 'rate_limited',
    pattern: oneOf(
      /hit your (?:\w+ )?(?:\w+ )?limit|(?:usage|rate|weekly|session|5-hour|opus) limit|limit reached|rate_limit/i,
      /too many requests|request rejected \(429\)|resource has been exhausted|resource_exhausted/i,
      /exceeded your current quota\. limit|usage_limit_reached/i,
    ),
    reason: 'the account hit a limit',
  },
  {
    class: 'budget_exhausted',
    pattern: oneOf(
      /credit balance is too low|reached maximum number of turns|maximum budget|max_budget/i,
      /quota exceeded\. check your plan|insufficient_quota|exceeded your current quota/i,
    ),
    reason: 'a budget is used up',
  },
  {
    class: 'auth_failure',
    pattern: oneOf(
      /invalid (?:x-)?api[ -]key|please run \/login|not logged in|oauth token (?:has expired|revoked|is invalid)/i,
      /authentication_(?:error|failed)|invalid bearer token|login (?:has )?expired|this organization has been disabled/i,
      /incorrect api key|api key not valid|invalid_api_key|unauthenticated|401 unauthorized/i,
      /set an auth method in your|missing environment variable: .{0,60}_key/i,
    ),
    reason: 'the login was refused',
  },
  {
    class: 'overloaded',
    pattern: oneOf(
      /overloaded|internal (?:server )?error|server-side issue|service unavailable|server had an error/i,
      /at capacity|experiencing high demand/i,
    ),
    reason: 'the provider cannot answer',
  },
  {
    class: 'timeout',
    pattern: /request timed out|operation timed out|stream idle timeout|idle timeout waiting for/i,
    reason: 'the provider took the request and did not answer in time',
  },
  {
    class: 'network_failure',
    pattern: oneOf(
      /econnreset|econnrefused|enotfound|eai_again|etimedout|epipe|unable to connect/i,
      /connection (?:to the api was lost|error|closed|refused|reset)|socket hang up|fetch failed|empty or malformed response/i,
      /network error|certificate|ssl|stream disconnected|error sending request|error decoding response/i,
      /api error: terminated|socket connection was closed|stream (?:ended|closed) (?:before|without|unexpectedly)/i,
      // The page of a hotel network or of a proxy, read as an answer.
      /incomplete json segment|unexpected token .?<|<!doctype html/i,
    ),
    reason: 'the connection to the provider broke',
  },
  {
    class: 'environment',
    pattern: oneOf(
      /cannot be used with root|unknown option|unknown argument|requires a (?:newer|later) version|git-bash|invalid settings/i,
      /unexpected argument|error loading config|invalid config/i,
    ),
    reason: 'the agent CLI refused to start this way',
  },
];
