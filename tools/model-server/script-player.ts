/** `ScriptPlayer`: chooses the answer to a request: the first rule that holds, and its next answer. */
import { type RequestFacts, texts } from './request-facts.ts';
import type { ModelScript, ScriptCondition, ScriptFault, ScriptReply, ScriptRule } from './script.ts';

export interface ScriptedAnswer {
  readonly rule: string;
  readonly content:
    | { readonly type: 'reply'; readonly reply: ScriptReply }
    | { readonly type: 'fault'; readonly fault: ScriptFault };
}

export interface RequestMoment {
  /** Counted from 1. */
  readonly request: number;
  readonly nowMs: number;
  /** Of the first request. */
  readonly firstMs: number;
}

export class ScriptPlayer {
  readonly #rules: readonly { readonly rule: ScriptRule; played: number }[];

  constructor(script: ModelScript) {
    this.#rules = script.rules.map((rule) => ({ rule, played: 0 }));
  }

  /** Null when no rule holds: the script has a gap, which the asker must see as an error. */
  next(facts: RequestFacts, moment: RequestMoment): ScriptedAnswer | null {
    const index = this.#rules.findIndex(
      ({ rule, played }) => played < (rule.times ?? Infinity) && holds(rule.when ?? {}, facts, moment),
    );
    const chosen = this.#rules[index];
    if (chosen === undefined) return null;
    chosen.played++;
    const name = chosen.rule.name ?? `rule ${index + 1}`;
    return { rule: name, content: content(chosen.rule, chosen.played, facts, moment.nowMs) };
  }
}

function content(
  rule: ScriptRule,
  played: number,
  facts: RequestFacts,
  nowMs: number,
): ScriptedAnswer['content'] {
  const fill = <Part>(part: Part): Part => filled(part, { cwd: facts.cwd, played, nowMs });
  if (rule.fault !== undefined) return { type: 'fault', fault: fill(rule.fault) };
  const replies = rule.replies ?? [rule.reply ?? {}];
  const index = rule.cycle === true ? (played - 1) % replies.length : Math.min(played, replies.length) - 1;
  return { type: 'reply', reply: fill(replies[index] as ScriptReply) };
}

interface Blanks {
  readonly cwd: string;
  readonly played: number;
  readonly nowMs: number;
}

function filled<Part>(part: Part, { cwd, played, nowMs }: Blanks): Part {
  const text = JSON.stringify(part).replaceAll(
    /\{\{(cwd|n|epoch|iso)(?:\+(\d{1,9}))?\}\}/g,
    (_, name: string, seconds: string | undefined) => {
      const at = Math.ceil(nowMs / 1000) + Number(seconds ?? 0);
      const values: Record<string, string> = {
        cwd: JSON.stringify(cwd).slice(1, -1),
        n: String(played),
        epoch: String(at),
        iso: new Date(at * 1000).toISOString(),
      };
      return values[name] as string;
    },
  );
  return JSON.parse(text) as Part;
}

function holds(when: ScriptCondition, facts: RequestFacts, moment: RequestMoment): boolean {
  const seconds = (moment.nowMs - moment.firstMs) / 1000;
  const conversation = texts(facts.utterances);
  const tests: readonly boolean[] = [
    when.turn === undefined || facts.turn === when.turn,
    when.turn_at_least === undefined || facts.turn >= when.turn_at_least,
    when.request === undefined || moment.request === when.request,
    when.request_at_least === undefined || moment.request >= when.request_at_least,
    when.last_user_includes === undefined || facts.lastUserText.includes(when.last_user_includes),
    when.any_includes === undefined || conversation.includes(when.any_includes),
    when.none_includes === undefined || !conversation.includes(when.none_includes),
    when.tool_result_includes === undefined ||
      facts.toolResults.some((result) => result.includes(when.tool_result_includes as string)),
    when.tool_result === undefined || facts.toolResults.length > 0 === when.tool_result,
    when.session === undefined || facts.session === when.session,
    when.model_includes === undefined || facts.model.includes(when.model_includes),
    when.after_s === undefined || seconds >= when.after_s,
    when.before_s === undefined || seconds < when.before_s,
  ];
  return tests.every(Boolean);
}
