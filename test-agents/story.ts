/** `storiesOf`: the stories of the table, as data: what the model says and where it fails, what hurts the agent, what must come of it. */
import type { ScriptFault } from '../tools/model-server/script.ts';
import type { FailureClass } from '../src/core/vocabulary/classes/failure-class.ts';
import type { AgentCli, Rules } from './agent-cli.ts';

export interface Story {
  readonly name: string;
  /** The rule that hurts is called `trouble`. */
  readonly rules: Rules;
  /** Sent to the agent process in the middle of its tool. */
  readonly signal?: 'SIGINT' | 'SIGTERM' | 'SIGKILL';
  /** Over the environment of the CLI. */
  readonly env?: Readonly<Record<string, string>>;
  /** A person mends it once the question is asked, and answers. */
  readonly mended?: { readonly rules: Rules; readonly answer: string; readonly note?: string };
  readonly policy?: Readonly<Record<string, number>>;
  /** In place of what the person allows for this CLI. */
  readonly permissions?: readonly string[];
  /** Honest work: nothing may disturb it. */
  readonly isHonest?: boolean;
  /** Versions differ in this: it is shown with each of them, not only with the newest. */
  readonly everyVersion?: boolean;
  readonly expect: Expected;
}

export interface Expected {
  /** One of these; null: nothing went wrong. */
  readonly class: readonly (FailureClass | null)[];
  readonly attempts?: number;
  /** The attempts' agent sessions: one for all, or a new one after the trouble. */
  readonly sessions?: number;
  readonly questions?: number;
  /** The agent's own words, which the inbox shows. */
  readonly asked?: string;
  readonly mostSecondsToNotice?: number;
  /** How often the troubled rule may be asked. */
  readonly mostTroubled?: number;
  /** The agent was told that it loops, and took the message. */
  readonly isNudged?: true;
}

export const TASK = 'Write hello to out.txt';
export const CHECK = 'grep -q hello out.txt';
/** Long enough that nobody waits for it to end by itself; its number is how we find it. */
export const SLOW_PROCESS: readonly string[] = ['sleep', '977'];
/** A bare sleep is refused by newer versions of Claude Code. */
const SLOW_TOOL = `echo begin; ${SLOW_PROCESS.join(' ')}`;
/** A model takes seconds to think; at the speed of a script a loop would outrun any watch. A part of the silence limit, slow where that is. */
const THINKING_PART = 1 / 8;
/** How far away a reset is: long enough to be parked for, short enough to wait for. */
const RESET_IN_S = 12;
const OUTAGE_S = 8;
/** Five equal calls, those until the message is taken, and five more. */
const MOST_IN_CIRCLES = 30;
const LETTERS = ['a', 'b', 'c', 'd', 'e', 'f'];
const atStart = { turn: 1, tool_result: false };
const afterResume = { turn_at_least: 2, tool_result: false };

export function storiesOf(cli: AgentCli): readonly Story[] {
  /** Short, so that honest work of some seconds stands for honest work of minutes. */
  const silence_ms = Math.round(cli.silenceMs);
  const tells = cli.tells ?? ((command: string) => command);
  const delay_ms = Math.round(THINKING_PART * silence_ms);
  const longerS = Math.ceil((1.3 * silence_ms) / 1_000);
  const work = { text: 'I write the file.', tools: [cli.write('out.txt', 'hello')] };
  const done = {
    when: { tool_result_includes: cli.wrote },
    reply: { text: 'All done: out.txt is written.' },
  };
  // Each piece differs: a CLI that looks for repeated text must not take it for a chant.
  const large = `hello ${Array.from({ length: 60 }, (_, index) => `and ${index} more`).join(' ')}`;
  const again = { tools: [cli.shell('cat missing.txt')], delay_ms };

  const interrupted = (signal: NonNullable<Story['signal']>, kind: FailureClass, told: string): Story => ({
    name: `${signal} in the middle of a tool`,
    signal,
    everyVersion: true,
    rules: [
      { when: atStart, reply: { text: 'I begin.', tools: [cli.shell(SLOW_TOOL)] } },
      // Goes on only with its history, and when it is told where it was.
      { when: { ...afterResume, any_includes: 'I begin.', last_user_includes: told }, reply: work },
      done,
    ],
    expect: { class: [kind], attempts: 2, sessions: 1, mostSecondsToNotice: 10 },
  });

  const cycle = (length: number): Story => ({
    name: `endless cycle of ${length} calls`,
    rules: [
      { when: { ...afterResume, last_user_includes: tells('cat b.txt') }, reply: work },
      done,
      {
        name: 'trouble',
        cycle: true,
        replies: LETTERS.slice(0, length).map((file) => ({
          tools: [cli.shell(`cat ${file}.txt`)],
          delay_ms,
        })),
      },
    ],
    policy: { nudge_wait_ms: 0 },
    expect: { class: ['looping'], attempts: 2, sessions: 1, mostTroubled: length * 3 + 5 },
  });

  const outage = (name: string, kinds: Expected['class'], fault: ScriptFault): Story => ({
    name: `${name} for ${OUTAGE_S} s`,
    rules: [
      { name: 'trouble', when: { before_s: OUTAGE_S }, fault },
      { when: { tool_result: false }, reply: work },
      done,
    ],
    // The CLI's own retries may be enough.
    expect: { class: [...kinds, null], questions: 0 },
  });

  const quiet = (name: string, fault: ScriptFault): Story => ({
    name,
    everyVersion: true,
    rules: [{ name: 'trouble', times: 1, fault }, { when: { tool_result: false }, reply: work }, done],
    policy: { silence_ms },
    expect: { class: ['stalled'], attempts: 2, mostSecondsToNotice: (4 * silence_ms) / 1_000 },
  });

  const circling = { name: 'trouble', reply: again };
  const nudged: readonly Story[] = [
    {
      name: 'loops until it is nudged',
      everyVersion: true,
      rules: [done, { when: { any_includes: 'you go round in circles' }, reply: work }, circling],
      expect: { class: [null], attempts: 1, isNudged: true, mostTroubled: MOST_IN_CIRCLES },
    },
    {
      name: 'ignores the nudge',
      rules: [
        done,
        // The brief of the next attempt names the task again; the message does not.
        { when: { ...afterResume, last_user_includes: TASK }, reply: work },
        circling,
      ],
      expect: { class: ['looping'], attempts: 2, sessions: 1, isNudged: true, mostTroubled: MOST_IN_CIRCLES },
    },
  ];

  const limit = cli.limit(RESET_IN_S);
  return [
    {
      name: 'no trouble',
      isHonest: true,
      rules: [{ when: atStart, reply: work }, done],
      expect: { class: [null], attempts: 1 },
    },
    {
      // Not a line ends for three times the limit; only its pieces and its socket tell that it lives.
      name: 'one large write streams for longer than the silence limit',
      isHonest: true,
      everyVersion: true,
      rules: [
        {
          when: atStart,
          reply: {
            ...(cli.callsInOnePiece === true ? { text: large } : {}),
            tools: [cli.write('out.txt', large)],
            // In some 60 pieces.
            chunk_ms: Math.round((3 * silence_ms) / 60),
          },
        },
        done,
      ],
      policy: { silence_ms },
      expect: { class: [null], attempts: 1 },
    },
    {
      name: 'an honest tool runs for longer than the silence limit',
      isHonest: true,
      rules: [
        {
          when: atStart,
          reply: { tools: [cli.shell(`echo begin; sleep ${longerS}; echo hello > out.txt; echo slept`)] },
        },
        { when: { tool_result_includes: 'slept' }, reply: { text: 'All done.' } },
      ],
      policy: { silence_ms },
      expect: { class: [null], attempts: 1 },
    },
    {
      name: 'honest polling',
      isHonest: true,
      rules: [
        { when: atStart, reply: { tools: [cli.shell(POLL)] } },
        done,
        { when: { tool_result_includes: 'still building' }, times: 6, reply: { tools: [cli.shell(POLL)] } },
        { when: { tool_result: true }, reply: work },
      ],
      expect: { class: [null], attempts: 1 },
    },
    // It obeys a "STOP" of its user unless the brief says that it is void.
    interrupted('SIGINT', 'interrupted', 'is void'),
    interrupted('SIGTERM', 'interrupted', TASK),
    interrupted('SIGKILL', 'crashed', SLOW_TOOL),
    {
      name: 'endless equal call',
      rules: [
        { name: 'trouble', when: atStart, reply: again },
        { name: 'trouble', when: { tool_result_includes: 'missing.txt' }, reply: again },
        // Behaves only when told what not to repeat.
        { when: { ...afterResume, last_user_includes: tells('cat missing.txt') }, reply: work },
        done,
      ],
      policy: { nudge_wait_ms: 0 },
      expect: { class: ['looping'], attempts: 2, sessions: 1, mostTroubled: 6 },
    },
    ...(cli.adapter.capabilities.nudges ? nudged : []),
    cycle(3),
    cycle(6),
    quiet('stream stalls', { type: 'stall', text: 'Let me' }),
    quiet('no answer at all', { type: 'silence' }),
    {
      name: 'usage limit with a reset',
      ...(limit.env === undefined ? {} : { env: limit.env }),
      rules: [
        { name: 'trouble', when: { before_s: RESET_IN_S }, fault: limit.fault },
        { when: { tool_result: false }, reply: work },
        done,
      ],
      policy: { reset_skew_ms: limit.skewMs ?? 1_000 },
      expect:
        limit.isWaitedFor === true
          ? { class: ['rate_limited', null], questions: 0 }
          : { class: ['rate_limited'], attempts: 2, questions: 0, mostTroubled: 1, mostSecondsToNotice: 10 },
    },
    outage('529', ['overloaded'], { type: 'status', status: 529 }),
    outage('500', ['overloaded'], { type: 'status', status: 500 }),
    {
      ...outage('dropped connections', ['network_failure'], { type: 'drop', text: 'Half an' }),
      everyVersion: true,
    },
    outage('hotel network page', ['network_failure'], { type: 'malformed', kind: 'html' }),
    {
      name: 'login refused (401)',
      rules: [{ name: 'trouble', fault: { type: 'status', status: 401 } }],
      mended: { rules: [{ when: { tool_result: false }, reply: work }, done], answer: 'retry' },
      expect: { class: ['auth_failure'], questions: 1 },
    },
    {
      name: 'context too long',
      rules: [
        {
          when: atStart,
          times: 1,
          reply: { text: 'I look.', tools: [cli.shell('echo MARK-OF-THE-FULL-CONTEXT')] },
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
      expect: { class: ['context_overflow'], sessions: 2, mostSecondsToNotice: 10 },
    },
    {
      name: 'claims done, did nothing',
      rules: [
        { name: 'trouble', when: atStart, reply: { text: 'All done: out.txt is written.' } },
        { when: { ...afterResume, last_user_includes: CHECK }, reply: work },
        done,
      ],
      expect: { class: ['false_success'], attempts: 2, sessions: 1, mostSecondsToNotice: 10 },
    },
    {
      name: 'asks a question and ends',
      everyVersion: true,
      rules: [{ name: 'trouble', when: atStart, reply: { text: QUESTION } }],
      mended: {
        // Goes on only with its own question above and the person's words before it.
        rules: [
          { when: { ...afterResume, any_includes: QUESTION, last_user_includes: REPLY }, reply: work },
          done,
        ],
        answer: 'reply',
        note: REPLY,
      },
      expect: {
        class: ['waiting_for_input'],
        asked: QUESTION,
        questions: 1,
        attempts: 2,
        sessions: 1,
        mostTroubled: 1,
        mostSecondsToNotice: 10,
      },
    },
    ...(cli.denied === undefined ? [] : [denied(cli.denied)]),
    ...(cli.stories?.({ work, done }) ?? []),
  ];
}

const QUESTION = 'Should I write hello to out.txt now, or do you prefer another name for the file?';
const REPLY = 'Keep the name, and write it now.';
/** Looks after work that goes on elsewhere: the same answer each time. */
const POLL = 'for i in 1 2; do sleep 1; done; test -f ready.txt || echo still building';

function denied({ tool, says, env }: NonNullable<AgentCli['denied']>): Story {
  const rules: Rules = [
    {
      name: 'trouble',
      when: { tool_result_includes: says },
      reply: { text: 'All done: out.txt is written.' },
    },
    { when: { tool_result: false }, reply: { tools: [tool] } },
    { when: { tool_result: true }, reply: { text: 'All done: out.txt is written.' } },
  ];
  return {
    name: 'denied, claims done',
    permissions: [],
    ...(env === undefined ? {} : { env }),
    rules,
    // The same agent, the same habit: only the person's permission is new.
    mended: { rules, answer: 'allow' },
    expect: { class: ['permission_denied'], questions: 1, attempts: 2, sessions: 1, mostSecondsToNotice: 10 },
  };
}
