/**
 * `TOPICS`: what a sentence is about, and that something is wrong with it, said in one line in any words. They are asked last, and only
 * where nothing tells what kind of program spoke: an agent, its provider or a service. A build or a test speaks of its own matters.
 * `OUTWARD_TOPICS`: some of them for programs that deal with others, there only in a line whose shape states a failure.
 */
import { oneOf } from '../../text/one-of.ts';
import type { Role } from '../command/programs.ts';
import { type Recogniser, recogniser as r } from '../recogniser.ts';

const SPOKEN_BY = ['unknown', 'model'] as const;
/** Programs that deal with others. */
const OUTWARD = ['git', 'http', 'database', 'remote', 'container', 'package', 'runtime'] as const;
const WORK = ['test', 'build', 'lint'] as const;
/** An error of the program's own code, whatever its words are about. */
const OWN_CODE = oneOf(
  /\b(?:Type|Reference|Value|Key|Index|Attribute|Name|Range|Assertion|Argument|NoMethod|Lookup)Error\b/,
  /\b(?:NullPointer|IllegalArgument|IllegalState|ClassCast|IndexOutOfBounds)Exception\b/,
);
const FAILED = oneOf(
  /\b(?:fail(?:ed|s|ure)?|clos(?:ed|ing)|lost|refused|reset|dropped|disconnected|unreachable|offline|error)\b/i,
  /\b(?:aborted|broken|ended|terminated|could not|couldn't|unable|cannot|can't|check your|no)\b/i,
);

export const TOPICS = [
  r('topic.time', 'timeout', {
    says: /\b(?:in time|time limit|deadline|too long to|too slow|within the (?:time|limit))\b/i,
    and: /\b(?:unable|failed|not|exceed(?:ed|s)?|passed|took|missed|ran out|slow)\b/i,
    roles: SPOKEN_BY,
    alone: 0.35,
    cause: 'A deadline ran out before the work was done',
  }),
  r('topic.resource', 'resource_exhausted', {
    says: oneOf(
      /\b(?:memory|RAM|VRAM|OOM|disk|storage|heap|swap|inodes?)\b/i,
      /\b(?:clients|connections|processes|threads|descriptors|open files)\b/i,
    ),
    and: oneOf(
      /\b(?:not (?:enough|allowed)|insufficient|requires? more|too many|exhausted|full|out of|exceed(?:s|ed)?|ran out|left|low)\b/i,
      /\ballocation .{0,40}failed\b/i,
    ),
    unless: /\b(?:full (?:text|path|name|log)|tokens?|context)\b/i,
    roles: SPOKEN_BY,
    alone: 0.3,
    cause: 'The machine does not have enough of it',
  }),
  r('topic.certificate', 'network_failure', {
    says: /\b(?:certificates?|altnames?|TLS|SSL|x509|issuer|self[- ]signed)\b/i,
    and: oneOf(
      /\b(?:match|mismatch|invalid|untrusted|not (?:trusted|valid|yet))\b/i,
      /\b(?:expired|unable to (?:get|verify)|verif\w{1,8}|unknown|handshake|in certificate chain)\b/i,
    ),
    roles: SPOKEN_BY,
    recoverable: false,
    transient: false,
    alone: 0.3,
    cause: 'The certificate of {host|the other side} is not accepted',
  }),
  r('topic.rate', 'rate_limited', {
    says: /\b(?:quota|rate|usage|requests?|limits?|limit(?:ed|ing)|capacity|throttl(?:ed|ing|e)|slow down)\b/i,
    and: oneOf(
      /\b(?:resets?|will reset|reset (?:in|after|at)|try again (?:in|at|after)|wait (?:a|until|before|for)|slow down)\b/i,
      /\b(?:limiting|throttled|throttling|exhausted|rate-?limited|too (?:many|fast|often)|per (?:minute|day|hour|user))\b/i,
    ),
    unless: /\b(?:credits?|billing|balance|budget|payment|memory|disk|turns?|iterations?|attempts?|steps)\b/i,
    roles: SPOKEN_BY,
    alone: 0.35,
    cause: 'The service limits how often this account may call it',
  }),
  r('topic.turns', 'budget_exhausted', {
    says: /\b(?:turns?|iterations?|steps|attempts|retries|reflections|tool calls|rounds|recursion|loops?)\b/i,
    and: /\b(?:max(?:imum)?|limit|exceed(?:ed|s)?|allowed|exhausted|used up|halted|no more|none left|giv(?:en|ing) up)\b/i,
    unless: /\b(?:connect\w{0,5}|https?|host|status|timed out|call stack|network|per request)\b/i,
    roles: SPOKEN_BY,
    alone: 0.35,
    cause: 'The limit of turns is reached',
  }),
  r('topic.money', 'budget_exhausted', {
    says: /\b(?:credits?|balance|funds|billing|budget|spend(?:ing)?|cost|quota|allowance|payment|premium requests?|dollars)\b/i,
    and: oneOf(
      /\b(?:exceed(?:ed|s)?|too low|low|insufficient|exhausted|out of|used up|limit|cap|ended|afford|required|reached)\b/i,
      /\b(?:no|none) .{0,40}\b(?:left|remaining)\b/i,
    ),
    unless: /\b(?:per (?:minute|day|hour|second)|resets?|slow|low latency|memory|disk|cpu)\b/i,
    roles: SPOKEN_BY,
    alone: 0.35,
    cause: 'The budget is used up',
  }),
  r('topic.context', 'context_overflow', {
    says: /\b(?:context|prompt|conversation|input|history|transcript|tokens?|PDF|image|attachment|request body)\b/i,
    and: oneOf(
      /\b(?:too (?:long|large|big)|exceed(?:ed|s)?|overflow(?:ed|s)?|ran out|out of room|full|maximum|larger than|longer than)\b/i,
      /\b(?:limit|low \(|0% (?:left|remaining)|run \/compact|needs? compact\w{0,4})/i,
    ),
    unless: oneOf(
      /\b(?:per (?:min|minute|day|hour)|throttl\w{1,4}|rate|wait)\b/i,
      /\b(?:access token|api token|auth|context (?:canceled|cancelled|deadline))\b/i,
      /\b(?:unexpected token|invalid token|user input|full text)\b/i,
    ),
    roles: SPOKEN_BY,
    alone: 0.35,
    cause: 'The request is too large for the model',
  }),
  r('topic.login', 'auth_failure', {
    says: oneOf(
      /\b(?:log(?:ged)? ?in|sign(?:ed)?[ -]in|login|authenticat\w{1,6})\b/i,
      /\b(?:authori[sz]ation|credentials?|keychain|(?:api|host|public)[ _-]?keys?|password)\b/i,
      /\b(?:OAuth|SSO|bearer)\b/i,
      /\b(?:(?:access|auth|refresh|id|api|session) tokens?|auth (?:method|mode|provider|type)|your (?:organi[sz]ation|account|admin))\b/i,
    ),
    and: oneOf(
      /\b(?:expired|revoked|not (?:supported|found|set|provided|logged|configured|valid|allowed)|removed|invalid|missing|required)\b/i,
      /\b(?:failed|refused|rejected|denied|could not|couldn't|unable|again)\b/i,
      /\b(?:disabled|suspended|terminated|please|must|needs?|no|unauthori[sz]ed|unsupported)\b/i,
    ),
    roles: SPOKEN_BY,
    alone: 0.35,
    cause: '{host|The service} does not accept this login: {message}',
  }),
  r('topic.permission', 'permission_denied', {
    says: /\b(?:permissions?|approv(?:al|e|ed)|trust(?:ed)?|untrusted|sandbox(?:ed|ing)?|privileges?|consent|landlock|seatbelt)\b/i,
    and: oneOf(
      /\b(?:denied|rejected|declined|blocked|insufficient)\b/i,
      /\b(?:refused|cannot|can't|not (?:granted|allowed|permitted|approved|trusted|inside)|restrict\w{0,4})\b/i,
      /\b(?:requires?|required|needs?|error|failed|do you|one you)\b/i,
    ),
    roles: SPOKEN_BY,
    alone: 0.35,
    cause: 'The agent was not given the permission it asked for: {message}',
  }),
  r('topic.spawn', 'missing_dependency', {
    says: /\b(?:spawn|execvp|posix_spawn|uv_spawn|launch|command|program|executable|requires)\b/i,
    and: oneOf(
      /\bENOENT\b|\bnot found\b|\bfailed to spawn\b|\bno such (?:file|program)\b|\b(?:doesn't|does not) exist\b/i,
      /\bcannot find\b|\bin(?:stalled)?\b.{0,30}\bPATH\b/i,
    ),
    roles: SPOKEN_BY,
    alone: 0.5,
    cause: 'The program to start does not exist here: {message}',
  }),
  r('topic.model', 'environment', {
    says: [
      /\b(?:model|provider|deployment|sessions?|conversation)\b/i,
      /\b(?:daemon|env(?:ironment)? vars?|profile|trusted directory|config(?:uration)?|settings)\b/i,
    ],
    and: oneOf(
      /\b(?:not (?:found|supported|exist|set|running|configured|installed|inside|recogni[sz]ed)|unknown|unsupported|does not exist)\b/i,
      /\b(?:no .{1,40}(?:found|available|configured)|(?:can't|cannot|could not) (?:find|load)|error loading|not enabled)\b/i,
      /\b(?:may not exist|requires setting|was not specified|is it running)\b/i,
    ),
    roles: SPOKEN_BY,
    alone: 0.35,
    cause: 'What it was told to use is not there: {message}',
  }),
  r('topic.overload', 'overloaded', {
    says: /\b(?:capacity|traffic|demand|load|servers?|services?|model|backend|upstream|provider|API)\b/i,
    and: oneOf(
      /\b(?:overload(?:ed)?|busy|temporarily|unavailable|no capacity|high (?:traffic|demand|load)|maintenance|outage)\b/i,
      /\b(?:try again (?:later|shortly|soon|in a (?:few|moment|minute))|having (?:trouble|issues|problems))\b/i,
      /\b(?:an error occurred while processing|server error|internal error)\b/i,
    ),
    roles: SPOKEN_BY,
    alone: 0.35,
    cause: 'The service is overloaded or down',
  }),
  r('topic.protocol', 'tool_protocol_error', {
    says: [
      /\b(?:tools?(?: calls?| results?| use)?|function calls?|arguments|schema|(?:API )?response)\b/i,
      /\b(?:LLM|model|completion|payload|output items?)\b/i,
    ],
    and: oneOf(
      /\b(?:malformed|unpars[ae]ble|empty|unexpected|missing)\b/i,
      /\b(?:invalid|incomplete|corrupt(?:ed)?|truncated|did not (?:conform|match|provide|return))\b/i,
      /\b(?:(?:execution|call|use) failed|cannot be used|could not interpret|expected (?:exactly|one|a|an) .{1,60}\bgot)\b/i,
      /\b(?:could not (?:be )?pars|failed to parse|not valid|without a)\b/i,
    ),
    roles: SPOKEN_BY,
    alone: 0.35,
    cause: 'The call or the answer does not have the agreed shape',
  }),
  r('topic.connection', 'network_failure', {
    says: /\b(?:connect(?:ion|ing|ed)?|network|internet|VPN|proxy|DNS|socket|stream|host(?:name)?)\b/i,
    and: FAILED,
    unless: /\b(?:docker|podman|daemon)\b|\.sock\b/i,
    roles: SPOKEN_BY,
    alone: 0.35,
    cause: 'The connection to {host|the service} does not hold',
  }),
  r('topic.stopped', 'interrupted', {
    says: /\b(?:interrupted|cancell?(?:ed|ing)|pane is dead|stopped by (?:the )?(?:user|person|operator)|aborted by)\b/i,
    unless:
      /\b(?:0|no|if|when|not) (?:\w{1,20} )?(?:interrupted|cancell?ed)\b|\b(?:interrupted|cancell?ed)[:=] ?\d/i,
    roles: SPOKEN_BY,
    alone: 0.35,
    cause: 'Something outside stopped it',
  }),
];

/** By topic: the kinds of program that speak of it. */
const ELSEWHERE: Readonly<Record<string, readonly Role[]>> = {
  'topic.certificate': OUTWARD,
  'topic.connection': OUTWARD,
  'topic.login': OUTWARD,
  'topic.permission': OUTWARD,
  'topic.resource': OUTWARD,
  'topic.context': ['runtime', 'http'],
  'topic.money': ['runtime', 'http'],
  'topic.protocol': ['runtime', 'http'],
  'topic.time': OUTWARD,
  'topic.stopped': ['database', 'git', 'remote'],
};

export const OUTWARD_TOPICS: readonly Recogniser[] = TOPICS.flatMap((topic) => {
  const roles = ELSEWHERE[topic.id];
  const unless =
    topic.unless === undefined ? OWN_CODE : oneOf(topic.unless, new RegExp(OWN_CODE, topic.unless.flags));
  return roles === undefined
    ? []
    : [{ ...topic, id: topic.id.replace('topic', 'outward'), roles, without: WORK, unless, alone: 0 }];
});
