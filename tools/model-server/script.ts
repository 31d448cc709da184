/**
 * `ModelScript`: what a scripted model says, as data. Rules are tried in order; the first whose `when` holds answers. A rule is used up
 * after `times` answers; its `replies` are given one after the other, then the last repeats (or all cycle). Texts may hold `{{cwd}}` (the
 * agent's working directory), `{{n}}` (which answer of this rule it is) and `{{epoch+30}}` or `{{iso+30}}` (that many seconds from now,
 * rounded up).
 */
import { z } from 'zod';

const Condition = z.strictObject({
  /** 1 for the first answer of a conversation: assistant messages in the request plus one. */
  turn: z.int().positive().optional(),
  turn_at_least: z.int().positive().optional(),
  /** Which message request this is since the server started, counted from 1. */
  request: z.int().positive().optional(),
  request_at_least: z.int().positive().optional(),
  last_user_includes: z.string().optional(),
  /** Anywhere in the conversation: shows that history came along. */
  any_includes: z.string().optional(),
  none_includes: z.string().optional(),
  tool_result_includes: z.string().optional(),
  /** Whether the last user message carries a tool result. */
  tool_result: z.boolean().optional(),
  session: z.string().optional(),
  model_includes: z.string().optional(),
  /** Seconds since the first message request. */
  after_s: z.number().nonnegative().optional(),
  before_s: z.number().nonnegative().optional(),
});

const ToolUse = z.strictObject({ name: z.string(), input: z.record(z.string(), z.unknown()) });

const Reply = z.strictObject({
  text: z.string().optional(),
  tools: z.array(ToolUse).optional(),
  /** Before the first byte. */
  delay_ms: z.int().nonnegative().optional(),
  /** Between pieces of text. */
  chunk_ms: z.int().nonnegative().optional(),
  input_tokens: z.int().nonnegative().optional(),
  output_tokens: z.int().nonnegative().optional(),
});

const Fault = z.discriminatedUnion('type', [
  z.strictObject({
    type: z.literal('status'),
    status: z.int().min(300).max(599),
    message: z.string().optional(),
    error_type: z.string().optional(),
    headers: z.record(z.string(), z.string()).optional(),
    /** Sent as it is, in place of an error document. */
    body: z.string().optional(),
  }),
  /** The stream starts, says `text`, then nothing comes and nothing ends. */
  z.strictObject({ type: z.literal('stall'), text: z.string().optional() }),
  /** The request is taken and never answered. */
  z.strictObject({ type: z.literal('silence') }),
  /** The connection breaks: before the answer, or after `text`. */
  z.strictObject({ type: z.literal('drop'), text: z.string().optional() }),
  z.strictObject({ type: z.literal('malformed'), kind: z.enum(['json', 'html', 'truncated', 'empty']) }),
]);

const Rule = z
  .strictObject({
    name: z.string().optional(),
    when: Condition.optional(),
    times: z.int().positive().optional(),
    reply: Reply.optional(),
    replies: z.array(Reply).min(1).optional(),
    cycle: z.boolean().optional(),
    fault: Fault.optional(),
  })
  .refine(
    (rule) => [rule.reply, rule.replies, rule.fault].filter((part) => part !== undefined).length === 1,
    { error: 'a rule has exactly one of reply, replies, fault' },
  );

export const ModelScript = z.strictObject({ rules: z.array(Rule).min(1) });

export type ModelScript = z.infer<typeof ModelScript>;
/** As written, before defaults and checks. */
export type ModelScriptInput = z.input<typeof ModelScript>;
export type ScriptRule = z.infer<typeof Rule>;
export type ScriptReply = z.infer<typeof Reply>;
export type ScriptFault = z.infer<typeof Fault>;
export type ScriptCondition = z.infer<typeof Condition>;
