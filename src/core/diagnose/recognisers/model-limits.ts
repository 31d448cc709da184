/**
 * `MODEL_LIMITS`: limits of models and providers: against their policy, too long, out of money, too often, too busy. The money reading of
 * a 429 comes before the plain one.
 */
import { inOrder } from '../../text/in-order.ts';
import { oneOf } from '../../text/one-of.ts';
import { recogniser as r } from '../recogniser.ts';

export const MODEL_LIMITS = [
  r('model.refusal', 'model_refusal', {
    says: [
      /appears to violate our usage polic|flagged as potentially violating our usage polic/i,
      /content_policy_violation|rejected as a result of our safety system|stop_reason["':= ]{1,4}refusal/i,
    ],
    alone: 0.8,
    unless: /AssertionError|\bexpect(?:ed|s|\()/i,
    cause: 'The model refuses by its policy: {message}',
  }),
  r('context.length', 'context_overflow', {
    says: [
      /(?:maximum|max) context length(?: is (?<limit>[\d,]{1,80}))?/i,
      /prompt is too long(?:: (?<asked>[\d,]{1,80}) tokens > (?<limit>[\d,]{1,80}))?/i,
      /\b(?:prompt|input|conversation|context|message|request)s? (?:is |are )?too long(?: for|\b)/i,
      /\b(?:prompt|input|conversation|context|message|request)s? (?:is|are) (?:longer|larger|bigger) than (?:the|this|your|what)/i,
      /\b[\d,]{4,12} of [\d,]{4,12} tokens\b/i,
      /context[_ ](?:length|window)[_ ](?:has been )?exceed/i,
      /exceed(?:s|ed)? (?:the )?(?:model'?s? |maximum |available |current ){0,80}(?:context|token)[_ ]?(?:length|window|limit|size|count)/i,
      /exceed(?:s|ed)? the (?:maximum|max) (?:allowed )?(?:number of )?(?:input )?(?:tokens|request size|size|token count)/i,
      /(?:input )?tokens? (?:count )?(?:\([\d,]{1,80}\) )?exceeds? (?:the )?(?:maximum|limit|max)/i,
      /input token count \(?(?<asked>[\d,]{1,80})\)? exceeds/i,
      /ran out of room in the model'?s context/i,
      /context window (?:is )?(?:full|exceeded|overflow)|context (?:limit|overflow|size) (?:reached|exceeded)/i,
      /exceeds? (?:the )?context (?:window|limit|size)/i,
      /request_too_large|Request (?:too large|exceeds the maximum size)|payload too large.{0,40}(?:token|prompt|model)/i,
      /context_length_exceeded|string_above_max_length|model_context_window_exceeded|ContextWindowExceeded/i,
      /reduce the length of (?:the|your) (?:messages|prompt|input)/i,
      /too many (?:input )?tokens(?! per)|input is longer than the|maximum (?:input|prompt) (?:tokens|length)/i,
      /requested tokens \([\d,]{1,80}\) exceed context window|the request exceeds the available context size/i,
      /Error during compaction|compaction failed|could not compact/i,
    ],
    alone: 0.7,
    unless: /tokens per (?:min|day|hour)|\bTPM\b|\bTPD\b|rate.?limit/i,
    cause: 'The request is too large for the model',
  }),
  r('budget.money', 'budget_exhausted', {
    says: [
      /insufficient[_ ](?:quota|credits?|funds|balance)|out of credits|credit balance (?:is )?too low/i,
      /no credits? (?:left|remaining)|credits? (?:exhausted|depleted|used up)|not enough credits/i,
      /exceeded your current quota|billing hard limit|billing_hard_limit_reached|billing (?:limit|not active)/i,
      /payment required|\b402\b.{0,60}(?:payment|credit|premium|allowance|billing)/i,
      inOrder(
        /(?:spend(?:ing)?|cost|usd|dollar|money|team|user|key|run|task)[ _](?:budget|cap|limit)/i,
        /(?: has been| was| is)? (?:exceeded|reached|exhausted|hit)/i,
      ),
      /budget (?:has been |was |is )?(?:exceeded|exhausted|reached|used up)/i,
      /exceed(?:s|ed)? (?:the |its |your )?(?:[\w-]{1,80} )?budget|over budget|max(?:imum)? budget/i,
      /reached your specified (?:API )?usage limits?|key limit exceeded/i,
      /exceeded (?:the )?max(?:imum)? (?:number of )?(?:attempts|retries|turns|iterations|steps)/i,
      /exceeded (?:your )?(?:premium request|monthly) allowance|quota (?:for this )?(?:billing|month)/i,
      inOrder(
        /max(?:imum)?[_ -](?:number of )?(?:turns|iterations|steps|retries|tool calls|attempts|reflections)/i,
        /(?: \(?\d{1,12}\)?)? (?:reached|exceeded|exhausted|hit)/i,
      ),
      /reached (?:the )?max(?:imum)? (?:number of )?(?:turns|iterations|steps|retries|attempts)/i,
      /(?:turn|iteration|step|recursion|retry) (?:limit|cap|budget)(?: of \d{1,12})? (?:has been )?(?:reached|exceeded|exhausted|hit)/i,
      /error_max_turns|error_max_budget|GraphRecursionError|stopped due to (?:iteration|max)/i,
      inOrder(
        /(?:limit|cap|maximum|allowance|budget|quota) (?:of|for) .{0,60}?/i,
        /(?:steps|turns|iterations|tokens|dollars|credits|task|run)\b.{0,40}/i,
        /(?:reached|used|exceeded|exhausted|hit|spent)/i,
      ),
      inOrder(
        /(?:steps?|turns?|iterations?|tokens?|cost|spending) (?:limit|cap|maximum|allowance|budget)\b.{0,60}/i,
        /(?:reached|used|exceeded|exhausted|hit|spent)/i,
      ),
      /(?:iteration|turn|step|retry) budget (?:is )?(?:exhausted|used up|spent)|no (?:retries|turns|attempts|steps) left/i,
      /retries exhausted|exhausted (?:all )?(?:\d{1,12} )?(?:retries|attempts|turns)/i,
      /giving up after \d{1,12} (?:turns|iterations|steps)/i,
      /Agent stopped after \d{1,12} (?:turns|iterations|steps)|hit the (?:turn|step|iteration|spend|budget) (?:limit|cap)/i,
      /max_turns=\d{1,12} reached/i,
      /(?:token|tokens) budget (?:exceeded|exhausted|reached|used)/i,
      /used (?:all|up) (?:of )?(?:its|the|your) (?:token |turn |money )?budget/i,
      /(?:free (?:tier|trial)|trial) (?:credits? )?(?:has |have )?(?:expired|ended|exhausted)|upgrade your plan to continue/i,
      /purchase (?:more )?credits/i,
    ],
    alone: 0.7,
    unless:
      /retrying|backing off|refused|per request|Could not connect|tokens? per minute|Max retries exceeded with url|ConnectionPool/i,
    cause: 'The budget is used up',
  }),
  r('rate.limit', 'rate_limited', {
    says: [
      /rate[ _-]?limit(?:s|ed|ing)?\b|RateLimit|ratelimit/i,
      /too many requests|TOOMANYREQUESTS|toomanyrequests|quota exceeded|RESOURCE_EXHAUSTED|Resource has been exhausted/i,
      /limiting requests|(?:Request|API|user) (?:rate|quota) (?:limit )?exceeded|Throttling(?:Exception|Error)?/i,
      /ThrottledException|throttled|request was throttled|SlowDown|Rate exceeded|ProvisionedThroughputExceeded/i,
      /usage[_ ]limit(?:[_ ]reached| has been reached| reached|$|\b)/i,
      /(?:session|weekly|daily|5-hour|five_hour|hourly|Opus|usage|plan|message) limit (?:reached|hit|exceeded)/i,
      /hit your (?:usage |session |weekly )?limit/i,
      /reached your (?:\w{1,80} )?(?:usage|message|session|weekly|daily|plan) limit|You've hit your|limit will reset/i,
      /"rateLimitType"/i,
      /(?:limit|quota|exceed\w{0,3}|allowed|maximum|too many)\b.{0,80}(?:tokens|requests) per (?:min|minute|day|hour|second)/i,
      /(?:tokens|requests) per (?:min|minute|day|hour|second)\b.{0,80}(?:limit|quota|exceed|allowed)/i,
      /(?:tokens|requests) per (?:min|minute|day) \([RT]P[MD]\)|\bTPM\b.{0,20}limit|exhausted your (?:daily|capacity|quota)/i,
      /Retry-After|please (?:slow down|wait (?:a few minutes|\d{1,12}))/i,
      /exceeded (?:your )?(?:unauthenticated )?(?:pull|api|request) (?:rate )?(?:limit|quota)|abuse detection|secondary rate/i,
    ],
    alone: 0.65,
    unless: oneOf(
      /Disk quota|memory|\bCPU\b|insufficient_quota|check your plan and billing/i,
      /rate.?limit(?:ing)? (?:disabled|enabled|passed|ok|remaining)|x-ratelimit-remaining: [1-9]/i,
    ),
    cause: 'The service limits how often this account may call it',
  }),
  r('overload.words', 'overloaded', {
    says: [
      /overloaded(?:_error|Error)?\b|model is (?:currently )?overloaded|server is (?:currently )?(?:overloaded|busy)/i,
      /ServerOverload|engine is currently overloaded/i,
      /no capacity (?:available|left)|at capacity|out of capacity|insufficient capacity|InsufficientInstanceCapacity/i,
      /capacity constraints|no healthy upstream|server_is_overloaded/i,
      /service (?:is )?(?:temporarily |currently )?unavailable|temporarily (?:overloaded|unavailable)|ServiceUnavailable/i,
      /scheduled maintenance|(?:under|down for) maintenance|maintenance (?:mode|window)|backend fetch failed/i,
      /upstream (?:connect error|request timeout|unavailable)|please try again later.{0,30}(?:busy|load|traffic)/i,
      /high (?:demand|load|traffic)|too busy/i,
      /internal[_ ]server[_ ]error|InternalServerError|"status": ?"UNAVAILABLE"|status: UNAVAILABLE|code = Unavailable/i,
      /StatusCode\.UNAVAILABLE|origin (?:is unreachable|timed? out|DNS error)|a timeout occurred.{0,20}524/i,
      /web server is (?:down|returning an unknown error)/i,
      /"type": ?"api_error"|api_error.{0,60}internal/i,
    ],
    alone: 0.6,
    unless: oneOf(
      /name resolution|resource temporarily unavailable|Temporary failure|overloaded (?:method|function|operator)|no overload/i,
      /dial tcp|connection refused|failed to connect to all addresses|overload resolution/i,
    ),
    cause: 'The service is overloaded or down',
  }),
];
