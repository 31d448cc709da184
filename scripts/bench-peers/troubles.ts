/** `TROUBLES`: what goes wrong, and honest work that must be left alone, as scripts for the model server; the same for every contestant. */
import type { AgentCli, Rules } from '../../test-agents/agent-cli.ts';
import { DEFAULT_POLICY } from '../../src/core/vocabulary/policy.ts';
import { CLOSED } from './contestants.ts';

/** Every length of time in the table is shortened by this: limits for silence, the honest tool, the streamed write. */
export const FACTOR = 6;
export const SILENCE_MS = DEFAULT_POLICY.silence_ms / FACTOR;
export const TOOL_SILENCE_MS = DEFAULT_POLICY.tool_silence_ms / FACTOR;
export const TASK = 'Write hello to out.txt';
export const CHECK = 'grep -q hello out.txt';
/** Written before the trouble, and never again by the script: whether it is still there at the end tells what was lost. */
export const EARLY_FILE = 'early.txt';
/** Found by its number among the processes of a cell. */
export const SLOW_PROCESS: readonly string[] = ['sleep', '977'];

/** Codex hands a tool that runs for 30 s back to the model. */
const HONEST_TOOL_S = 168 / FACTOR;
const STREAMED_WRITE_MS = 150_000 / FACTOR;
const STREAMED_PIECES = 60;
const RESET_IN_S = 20;
const LOGIN_MENDED_AFTER_S = 20;
const POLLS = 8;
const BATCH = 15;
/** Longer than any cell lasts. */
const CHANTED_LINES = 2_000;
const CHANT_PIECE_MS = 250;
const LETTERS = ['a', 'b', 'c', 'd', 'e', 'f'];
const FULL_CONTEXT = 'MARK-OF-THE-FULL-CONTEXT';
/** A model takes a moment to think; at the speed of a script a loop would outrun any watch. */
const THINKING_MS = 500;

export interface Trouble {
  readonly name: string;
  readonly title: string;
  /** Nothing is wrong: every restart, stop or failure is a false one. */
  readonly isHonest: boolean;
  /** What the agent process gets while its tool runs. */
  readonly signal?: 'SIGKILL' | 'SIGSTOP';
  /** What a person does where a contestant asks, so long after the first request at the soonest. */
  readonly person?: { readonly option: string; readonly note?: string; readonly afterS?: number };
  /** Over the environment of the CLI. */
  env?(cli: AgentCli): Readonly<Record<string, string>>;
  /** What the model answers once the early file is written. The rule that hurts is called `trouble`. */
  rules(cli: AgentCli): Rules;
}

const DONE = 'All tasks completed: out.txt is written. <promise>COMPLETE</promise>';
const afterEarly = { tool_result_includes: `wrote ${EARLY_FILE}` };
/** One answer after the early file is written. */
const once = (name: 'trouble' | 'honest', reply: Rules[number]['reply']): Rules => [
  { name, when: afterEarly, times: 1, reply },
];
/** One after the other for ever, from the early file on: nothing but a restart ends it. */
const forEver = (replies: NonNullable<Rules[number]['replies']>, told: string): Rules => [
  { name: 'trouble', when: afterEarly, times: 1, reply: replies[0] as NonNullable<Rules[number]['reply']> },
  {
    name: 'trouble',
    when: { tool_result_includes: told },
    cycle: true,
    replies: [...replies.slice(1), ...replies.slice(0, 1)],
  },
];
const cycleOf = (length: number): Trouble => ({
  name: `cycle-${length}`,
  title: `endless cycle of ${length} calls`,
  isHonest: false,
  rules: (cli) =>
    forEver(
      LETTERS.slice(0, length).map((file) => ({
        tools: [cli.shell(`cat missing-${file}.txt`)],
        delay_ms: THINKING_MS,
      })),
      'missing-',
    ),
});
const slowTool = (cli: AgentCli): Rules =>
  once('trouble', { tools: [cli.shell(`echo begin; ${SLOW_PROCESS.join(' ')}`)] });
const shellWrite = (file: string, words: string): string => `echo ${words} > ${file} && echo wrote ${file}`;
const workOf = (cli: AgentCli) => ({
  text: 'I write the file.',
  tools: [cli.shell(shellWrite('out.txt', 'hello'))],
});

export const TROUBLES: readonly Trouble[] = [
  {
    name: 'equal-call',
    title: 'endless equal call',
    isHonest: false,
    rules: (cli) =>
      forEver([{ tools: [cli.shell('cat missing.txt')], delay_ms: THINKING_MS }], 'missing.txt'),
  },
  cycleOf(3),
  cycleOf(6),
  {
    name: 'chanting',
    title: 'says the same sentence for ever, in one message',
    isHonest: false,
    rules: () =>
      once('trouble', {
        text: 'I will now look at the file again.\n'.repeat(CHANTED_LINES),
        chunk_ms: CHANT_PIECE_MS,
      }),
  },
  {
    name: 'refusal',
    title: 'another call each time, refused for the same reason',
    isHonest: false,
    rules: (cli) =>
      forEver(
        [
          {
            tools: [cli.shell('echo "submit {{n}}: refused, the change has no test"; exit 1')],
            delay_ms: THINKING_MS,
          },
        ],
        'refused, the change has no test',
      ),
  },
  {
    name: 'silence',
    title: 'the answer stops in its middle',
    isHonest: false,
    rules: () => [{ name: 'trouble', when: afterEarly, times: 1, fault: { type: 'stall', text: 'Let me' } }],
  },
  {
    name: 'killed',
    title: 'the agent is killed in a tool',
    isHonest: false,
    signal: 'SIGKILL',
    rules: slowTool,
  },
  {
    name: 'frozen',
    title: 'the agent is frozen (SIGSTOP) in a tool',
    isHonest: false,
    signal: 'SIGSTOP',
    rules: slowTool,
  },
  {
    name: 'limit',
    title: `usage limit (429), reset told, over after ${RESET_IN_S} s`,
    isHonest: false,
    env: (cli) => cli.limit(RESET_IN_S).env ?? {},
    rules: (cli) => [
      {
        name: 'trouble',
        when: { before_s: RESET_IN_S, request_at_least: 2 },
        fault: cli.limit(RESET_IN_S).fault,
      },
    ],
  },
  {
    name: 'login',
    title: `login refused (401), mended by a person after ${LOGIN_MENDED_AFTER_S} s`,
    isHonest: false,
    person: { option: 'retry', afterS: LOGIN_MENDED_AFTER_S },
    rules: () => [
      {
        name: 'trouble',
        when: { before_s: LOGIN_MENDED_AFTER_S, request_at_least: 2 },
        fault: { type: 'status', status: 401 },
      },
    ],
  },
  {
    name: 'disk-full',
    title: 'a write fails for want of space (ENOSPC), and the agent gives up',
    isHonest: false,
    rules: (cli) => [
      ...once('trouble', { tools: [cli.shell('cp early.txt /dev/full')] }),
      {
        name: 'trouble',
        when: { tool_result_includes: 'No space left on device' },
        reply: { text: 'No space left on device: I could not write the file. I stop here.' },
      },
    ],
  },
  {
    name: 'context',
    title: 'the context is full: every request of the conversation is refused',
    isHonest: false,
    rules: (cli) => [
      { name: 'mark', when: afterEarly, times: 1, reply: { tools: [cli.shell(`echo ${FULL_CONTEXT}`)] } },
      {
        name: 'trouble',
        when: { any_includes: FULL_CONTEXT },
        fault: { type: 'status', status: 400 },
      },
    ],
  },
  {
    name: 'false-success',
    title: 'says that it is done, and is not',
    isHonest: false,
    rules: () => once('trouble', { text: DONE }),
  },
  {
    name: 'question',
    title: 'asks a question and ends',
    isHonest: false,
    person: { option: 'reply', note: 'Keep the name, and write it now.' },
    rules: () =>
      once('trouble', {
        text: 'Should I write hello to out.txt now, or do you prefer another name for the file?',
      }),
  },
  {
    name: 'honest-tool',
    title: `honest: a tool of 3 minutes, shortened to ${HONEST_TOOL_S} s`,
    isHonest: true,
    rules: (cli) =>
      once('honest', {
        tools: [cli.shell(`echo begin; sleep ${HONEST_TOOL_S}; ${shellWrite('out.txt', 'hello')}`)],
      }),
  },
  {
    name: 'honest-write',
    title: `honest: a write that streams for 150 s, shortened to ${STREAMED_WRITE_MS / 1000} s`,
    isHonest: true,
    rules: (cli) =>
      once('honest', {
        tools: [cli.write('out.txt', `hello ${'and more '.repeat(80)}`)],
        chunk_ms: Math.round(STREAMED_WRITE_MS / STREAMED_PIECES),
      }),
  },
  {
    name: 'honest-polling',
    title: `honest: looks ${POLLS} times whether a build is ready`,
    isHonest: true,
    rules: (cli) => {
      const reply = { tools: [cli.shell('sleep 1; sleep 1; echo still building')] };
      return [
        ...once('honest', reply),
        { name: 'honest', when: { tool_result_includes: 'still building' }, times: POLLS - 1, reply },
        { name: 'honest', when: { tool_result_includes: 'still building' }, times: 1, reply: workOf(cli) },
      ];
    },
  },
  {
    name: 'honest-batch',
    title: `honest: ${BATCH} calls that are alike, each for another file`,
    isHonest: true,
    rules: (cli) => {
      const reply = { tools: [cli.shell('echo "part {{n}} of the table is converted"')] };
      return [
        ...once('honest', reply),
        { name: 'honest', when: { tool_result_includes: 'is converted' }, times: BATCH - 1, reply },
        { name: 'honest', when: { tool_result_includes: 'is converted' }, times: 1, reply: workOf(cli) },
      ];
    },
  },
];

/**
 * The whole script of a cell. The model behaves after every kind of restart: with its history (`resumed`) or without (`afresh`). It needs no
 * words that only one contestant would say; where it says that it is done, it also does the `closing` that the contestant asks of its agents.
 */
export function scriptOf(trouble: Trouble, cli: AgentCli, closing?: string): { readonly rules: Rules } {
  const early = { text: 'I begin.', tools: [cli.shell(shellWrite(EARLY_FILE, 'early'))] };
  const work = workOf(cli);
  const rules: Rules = [
    { name: 'first', when: { turn: 1, tool_result: false }, times: 1, reply: early },
    { name: 'done', when: { tool_result_includes: 'out.txt' }, reply: { text: DONE } },
    ...trouble.rules(cli),
    { name: 'resumed', when: { turn_at_least: 2 }, reply: work },
    { name: 'afresh', reply: work },
  ];
  if (closing === undefined) return { rules };
  const closed: Rules[number] = {
    name: 'done',
    when: { tool_result_includes: CLOSED },
    reply: { text: 'The ticket is closed.' },
  };
  const tools = [cli.shell(closing)];
  const closes = (rule: Rules[number]): Rules[number] =>
    rule.reply?.text === DONE ? { ...rule, reply: { text: DONE, tools } } : rule;
  return { rules: [closed, ...rules.map(closes)] };
}
