/** The kinds of trouble, as data: what the model says and where it fails, who hurts the agent, what must come of it. */
import type { ModelScriptInput } from '../src/drills/model-server/script.ts';
import type { FailureClass } from '../src/core/vocabulary/failure-class.ts';

export interface Trouble {
  readonly name: string;
  /** The rule that hurts is called `trouble`. */
  readonly rules: ModelScriptInput['rules'];
  /** Sent to the agent process in the middle of its tool. */
  readonly signal?: 'SIGINT' | 'SIGTERM' | 'SIGKILL';
  /** As a subscriber, whose limits tell their reset, not with a key. */
  readonly subscription?: boolean;
  /** A person mends it once the question is asked, and answers. */
  readonly mended?: { readonly rules: ModelScriptInput['rules']; readonly answer: string };
  readonly policy?: Readonly<Record<string, number>>;
  /** The versions differ in this: it is shown with each of them, not only with the newest. */
  readonly everyVersion?: boolean;
  readonly expect: Expected;
}

export interface Expected {
  /** Null: nothing went wrong. */
  readonly class: FailureClass | null;
  readonly attempts?: number;
  /** The attempts' agent sessions: one for all, or a new one after the trouble. */
  readonly sessions?: number;
  readonly questions?: number;
  readonly mostSecondsToNotice?: number;
  /** How often the troubled rule may be asked. */
  readonly mostTroubled?: number;
}

export const TASK = 'Write hello to out.txt';
export const CHECK = 'grep -q hello out.txt';

const WRITE = { name: 'Write', input: { file_path: '{{cwd}}/out.txt', content: 'hello' } };
const work = { text: 'I write the file.', tools: [WRITE] };
const done = { when: { tool_result_includes: 'out.txt' }, reply: { text: 'All done: out.txt is written.' } };
const bash = (command: string) => ({ name: 'Bash', input: { command, description: 'Run it' } });
const atStart = { turn: 1, tool_result: false };
const afterResume = { turn_at_least: 2, tool_result: false };

/** Long enough that nobody waits for it to end by itself; its number is how we find it. */
export const SLOW_PROCESS: readonly string[] = ['sleep', '977'];
/** A bare sleep is refused by newer versions. */
const SLOW_TOOL = `echo begin; ${SLOW_PROCESS.join(' ')}`;
/** A model takes seconds to think; at the speed of a script a loop would outrun any watch. */
const THINKING_MS = 500;
const AGAIN = { tools: [bash('cat missing.txt')], delay_ms: THINKING_MS };
/** How far away a reset is: long enough to be parked for, short enough to wait for. */
const RESET_IN_S = 12;
const LIMIT_HEADERS = {
  'retry-after': String(RESET_IN_S),
  'anthropic-ratelimit-unified-status': 'rejected',
  'anthropic-ratelimit-unified-reset': `{{epoch+${RESET_IN_S}}}`,
  'anthropic-ratelimit-unified-representative-claim': 'five_hour',
  'anthropic-ratelimit-unified-overage-status': 'rejected',
};
const OUTAGE_S = 8;

const DENIED: ModelScriptInput['rules'] = [
  {
    name: 'trouble',
    when: { tool_result_includes: 'requires approval' },
    reply: { text: 'All done: out.txt is written.' },
  },
  { when: { tool_result: false }, reply: { tools: [bash('sh -c "echo hello > out.txt"')] } },
  { when: { tool_result: true }, reply: { text: 'All done: out.txt is written.' } },
];

const interrupted = (signal: NonNullable<Trouble['signal']>, kind: FailureClass, told: string): Trouble => ({
  name: `${signal} in the middle of a tool`,
  signal,
  everyVersion: true,
  rules: [
    { when: atStart, reply: { text: 'I begin.', tools: [bash(SLOW_TOOL)] } },
    // Goes on only with its history, and when it is told where it was.
    { when: { ...afterResume, any_includes: 'I begin.', last_user_includes: told }, reply: work },
    done,
  ],
  expect: { class: kind, attempts: 2, sessions: 1, mostSecondsToNotice: 5 },
});

const outage = (
  name: string,
  kind: FailureClass,
  fault: ModelScriptInput['rules'][number]['fault'],
): Trouble => ({
  name: `${name} for ${OUTAGE_S} s`,
  rules: [
    { name: 'trouble', when: { before_s: OUTAGE_S }, fault },
    { when: { tool_result: false }, reply: work },
    done,
  ],
  expect: { class: kind, questions: 0, mostSecondsToNotice: 10 },
});

const quiet = (name: string, fault: ModelScriptInput['rules'][number]['fault']): Trouble => ({
  name,
  everyVersion: true,
  rules: [{ name: 'trouble', times: 1, fault }, { when: { tool_result: false }, reply: work }, done],
  policy: { silence_ms: 4_000 },
  // Timers of the CLI use the processor now and then: such an agent is given three times the limit.
  expect: { class: 'stalled', attempts: 2, mostSecondsToNotice: 15 },
});

export const TROUBLES: readonly Trouble[] = [
  {
    name: 'no trouble',
    rules: [{ when: atStart, reply: work }, done],
    expect: { class: null, attempts: 1 },
  },
  {
    // Not a line ends for three times the limit; only its pieces and its socket tell that it lives.
    name: 'one large argument streams for longer than the silence limit',
    everyVersion: true,
    rules: [
      {
        when: atStart,
        reply: {
          tools: [{ ...WRITE, input: { ...WRITE.input, content: `hello ${'and more '.repeat(80)}` } }],
          chunk_ms: 200,
        },
      },
      done,
    ],
    policy: { silence_ms: 4_000 },
    expect: { class: null, attempts: 1 },
  },
  interrupted('SIGINT', 'interrupted', TASK),
  interrupted('SIGTERM', 'interrupted', TASK),
  interrupted('SIGKILL', 'crashed', SLOW_TOOL),
  {
    name: 'endless equal call',
    rules: [
      { name: 'trouble', when: atStart, reply: AGAIN },
      { name: 'trouble', when: { tool_result_includes: 'missing.txt' }, reply: AGAIN },
      // Behaves only when told what not to repeat.
      { when: { ...afterResume, last_user_includes: 'cat missing.txt' }, reply: work },
      done,
    ],
    expect: { class: 'looping', attempts: 2, sessions: 1, mostTroubled: 6 },
  },
  {
    name: 'endless cycle of three calls',
    rules: [
      { when: { ...afterResume, last_user_includes: 'cat b.txt' }, reply: work },
      done,
      {
        name: 'trouble',
        cycle: true,
        replies: ['a', 'b', 'c'].map((file) => ({ tools: [bash(`cat ${file}.txt`)], delay_ms: THINKING_MS })),
      },
    ],
    expect: { class: 'looping', attempts: 2, sessions: 1, mostTroubled: 14 },
  },
  quiet('stream stalls', { type: 'stall', text: 'Let me' }),
  quiet('no answer at all', { type: 'silence' }),
  {
    name: 'usage limit with a reset',
    subscription: true,
    rules: [
      {
        name: 'trouble',
        when: { before_s: RESET_IN_S },
        fault: { type: 'status', status: 429, headers: LIMIT_HEADERS },
      },
      { when: { tool_result: false }, reply: work },
      done,
    ],
    policy: { reset_skew_ms: 1_000 },
    expect: { class: 'rate_limited', attempts: 2, questions: 0, mostTroubled: 1, mostSecondsToNotice: 5 },
  },
  outage('529', 'overloaded', { type: 'status', status: 529 }),
  outage('500', 'overloaded', { type: 'status', status: 500 }),
  {
    ...outage('dropped connections', 'network_failure', { type: 'drop', text: 'Half an' }),
    everyVersion: true,
  },
  outage('hotel network page', 'network_failure', { type: 'malformed', kind: 'html' }),
  {
    name: 'login refused (401)',
    rules: [{ name: 'trouble', fault: { type: 'status', status: 401 } }],
    mended: { rules: [{ when: { tool_result: false }, reply: work }, done], answer: 'retry' },
    expect: { class: 'auth_failure', questions: 1, mostSecondsToNotice: 10 },
  },
  {
    name: 'context too long',
    rules: [
      {
        when: { ...atStart, request: 1 },
        reply: { text: 'I look.', tools: [bash('echo MARK-OF-THE-FULL-CONTEXT')] },
      },
      // Also when the CLI asks for a summary: that session is full.
      {
        name: 'trouble',
        when: { any_includes: 'MARK-OF-THE-FULL-CONTEXT' },
        fault: { type: 'status', status: 400 },
      },
      { when: atStart, reply: work },
      done,
    ],
    expect: { class: 'context_overflow', sessions: 2, mostSecondsToNotice: 10 },
  },
  {
    name: 'poisoned history (the same 400 for ever)',
    rules: [
      {
        when: { ...atStart, request: 1 },
        reply: { text: 'I look.', tools: [bash('echo MARK-OF-THE-POISON')] },
      },
      {
        name: 'trouble',
        when: { any_includes: 'MARK-OF-THE-POISON' },
        fault: {
          type: 'status',
          status: 400,
          message:
            'messages.3: `tool_use` ids were found without `tool_result` blocks immediately after: toolu_1.',
        },
      },
      { when: atStart, reply: work },
      done,
    ],
    expect: { class: 'session_corrupt', sessions: 2, mostSecondsToNotice: 10 },
  },
  {
    name: 'claims done, did nothing',
    rules: [
      { name: 'trouble', when: atStart, reply: { text: 'All done: out.txt is written.' } },
      { when: { ...afterResume, last_user_includes: CHECK }, reply: work },
      done,
    ],
    expect: { class: 'false_success', attempts: 2, sessions: 1, mostSecondsToNotice: 10 },
  },
  {
    name: 'denied, claims done',
    rules: DENIED,
    // The same agent, the same habit: only the person's permission is new.
    mended: { rules: DENIED, answer: 'allow' },
    expect: { class: 'permission_denied', questions: 1, attempts: 2, sessions: 1, mostSecondsToNotice: 10 },
  },
];
