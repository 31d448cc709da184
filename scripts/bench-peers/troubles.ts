/** `TROUBLES`: what goes wrong, and honest work that must be left alone, as scripts for the model server; the same for every contestant. */
import type { AgentCli, Rules } from '../../test-agents/agent-cli.ts';
import { DEFAULT_POLICY } from '../../src/core/vocabulary/policy.ts';

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
/** The person's words where a contestant asks. */
export const REPLY = 'Keep the name, and write it now.';

const HONEST_TOOL_S = 180 / FACTOR;
const STREAMED_WRITE_MS = 150_000 / FACTOR;
const STREAMED_PIECES = 60;
const RESET_IN_S = 20;
/** A model takes a moment to think; at the speed of a script a loop would outrun any watch. */
const THINKING_MS = 500;

export interface Trouble {
  readonly name: string;
  readonly title: string;
  /** Nothing is wrong: every restart, stop or failure is a false one. */
  readonly isHonest: boolean;
  /** The agent process is killed while its tool runs. */
  readonly isKilled?: true;
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
const shellWrite = (file: string, words: string): string => `echo ${words} > ${file} && echo wrote ${file}`;

export const TROUBLES: readonly Trouble[] = [
  {
    name: 'equal-call',
    title: 'endless equal call',
    isHonest: false,
    rules: (cli) => {
      const reply = { tools: [cli.shell('cat missing.txt')], delay_ms: THINKING_MS };
      return [
        { name: 'trouble', when: afterEarly, times: 1, reply },
        { name: 'trouble', when: { tool_result_includes: 'missing.txt' }, reply },
      ];
    },
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
    isKilled: true,
    rules: (cli) => once('trouble', { tools: [cli.shell(`echo begin; ${SLOW_PROCESS.join(' ')}`)] }),
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
    name: 'false-success',
    title: 'says that it is done, and is not',
    isHonest: false,
    rules: () => once('trouble', { text: DONE }),
  },
  {
    name: 'question',
    title: 'asks a question and ends',
    isHonest: false,
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
];

/**
 * The whole script of a cell. The model behaves after every kind of restart: with its history (`resumed`) or without (`afresh`). It needs no
 * words that only one contestant would say.
 */
export function scriptOf(trouble: Trouble, cli: AgentCli): { readonly rules: Rules } {
  const early = { text: 'I begin.', tools: [cli.shell(shellWrite(EARLY_FILE, 'early'))] };
  const work = { text: 'I write the file.', tools: [cli.shell(shellWrite('out.txt', 'hello'))] };
  return {
    rules: [
      { name: 'first', when: { turn: 1, tool_result: false }, times: 1, reply: early },
      { name: 'done', when: { tool_result_includes: 'out.txt' }, reply: { text: DONE } },
      ...trouble.rules(cli),
      { name: 'resumed', when: { turn_at_least: 2 }, reply: work },
      { name: 'afresh', reply: work },
    ],
  };
}
