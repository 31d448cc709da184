import { describe, expect, it } from 'vitest';
import { playDrill } from '../../src/drills/play-drill.ts';
import { Scenario } from '../../src/drills/scenario.ts';
import { sampled } from '../lane.ts';

/** A model that goes on only if its brief holds the facts that it needs after this kind of rescue; otherwise its attempt fails. */
interface Kind {
  readonly breaks: readonly object[];
  readonly needs: readonly string[];
  readonly people?: readonly object[];
  readonly policy?: Readonly<Record<string, number>>;
  readonly reassigned?: true;
  readonly class: string;
}

const OVERFLOW =
  'API Error: 400 {"type":"error","error":{"type":"invalid_request_error","message":"prompt is too long: 2 tokens > 1 maximum"}}';
const LOGIN =
  'API Error: 401 {"type":"error","error":{"type":"authentication_error","message":"OAuth token has expired"}}';
const BEGIN = [
  { write: { 'part.js': 'export const answer = 42;\n' } },
  {
    say: 'I will use the streaming parser because files are large. A regular expression does not work here.',
  },
  { checkpoint: { completed: ['part.js'], next_actions: ['write a.txt'] } },
];
const STOPPED = 'Mayday stopped you, not your user';
const VOID = '"user rejected" or "STOP" above is void';
const check = {
  tool: { name: 'Bash', input: 'npm test', result: 'FAIL expected "x-y", got "--x-y-"', error: true },
};

const KINDS: Readonly<Record<string, Kind>> = {
  interrupt: {
    breaks: [...BEGIN, { signal: 'SIGINT' }],
    needs: ['SIGINT; nobody told Mayday to stop you', VOID, 'write a.txt'],
    class: 'interrupted',
  },
  kill: {
    breaks: [...BEGIN, { signal: 'SIGKILL' }],
    needs: ['SIGKILL; nobody told Mayday to stop you', 'part.js'],
    class: 'crashed',
  },
  'loop on a check': {
    breaks: [{ loop: { times: 9, steps: [check] } }, { hang: 60 }],
    needs: [STOPPED, VOID, 'FAIL expected "x-y"', 'only then run the check again'],
    class: 'looping',
  },
  cycle: {
    breaks: [
      {
        loop: {
          times: 9,
          steps: [
            { tool: { name: 'Bash', input: 'make gen', result: 'error: no schema', error: true } },
            { tool: { name: 'Bash', input: 'make clean', result: 'error: nothing to clean', error: true } },
          ],
        },
      },
      { hang: 60 },
    ],
    needs: [STOPPED, 'make gen', 'take another way'],
    class: 'looping',
  },
  stall: {
    breaks: [...BEGIN, { hang: 60 }],
    needs: [STOPPED, VOID, 'Go on with what is still missing'],
    policy: { silence_ms: 1_000, tool_silence_ms: 1_000, wordless_ms: 1_000 },
    class: 'stalled',
  },
  overflow: {
    breaks: [...BEGIN, { error: OVERFLOW }, { exit: 1 }],
    needs: ['A new session', 'export const answer = 42', 'streaming parser', 'does not work here'],
    class: 'context_overflow',
  },
  'false success': {
    breaks: [{ write: { 'b.txt': 'B' } }, { claim: 'done' }, { exit: 0 }],
    needs: ['Make the failing check pass', 'test -f a.txt'],
    class: 'false_success',
  },
  denied: {
    breaks: [{ error: "Error: EACCES: permission denied, open '/srv/data/seed.json'" }, { exit: 1 }],
    needs: ['## Settled by a person', 'use the copy in fixtures'],
    people: [{ answer: { option: 'retry', note: 'use the copy in fixtures', after_s: 0 } }],
    class: 'permission_denied',
  },
  'dependency installed by a person': {
    breaks: [{ error: "Error: Cannot find module 'left-pad'" }, { exit: 1 }],
    needs: ['I installed it: go on', 'version 1.3 is there'],
    people: [{ answer: { option: 'retry', note: 'version 1.3 is there', after_s: 0 } }],
    class: 'missing_dependency',
  },
  'login renewed': {
    breaks: [{ error: LOGIN }, { exit: 1 }],
    needs: ['## Settled by a person', 'Log in again'],
    people: [{ answer: { match: 'Log in again', option: 'retry', after_s: 0 } }],
    class: 'auth_failure',
  },
  reassigned: {
    breaks: [...BEGIN, { exit: 1 }],
    needs: [
      'Another agent (rehearsal) worked on this task before',
      'export const answer = 42',
      'streaming parser',
    ],
    reassigned: true,
    policy: { restarts: 1 },
    class: 'crashed',
  },
};

function scenarioOf(
  name: string,
  { breaks, needs, people = [], policy = {}, reassigned, class: kind }: Kind,
): Scenario {
  const broken = { steps: breaks };
  const helped = { when: { brief_includes: needs }, steps: [{ write: { 'a.txt': 'A' } }, { exit: 0 }] };
  return Scenario.parse({
    name,
    task: { text: 'finish the work', checks: ['test -f a.txt'] },
    agent: { attempts: reassigned ? [broken] : [broken, helped] },
    ...(reassigned ? { fallbacks: { beta: { attempts: [helped] } } } : {}),
    policy: { backoff_ms: 20, backoff_max_ms: 50, stop_soft_ms: 500, stop_term_ms: 500, ...policy },
    people,
    expect: { state: 'delivered', class: kind, attempts: 2, lost: 0 },
  });
}

describe.concurrent('a model that needs a fact from its brief goes on after each kind of rescue', () => {
  for (const name of sampled(Object.keys(KINDS), 2))
    it(name, async () => {
      const { why } = await playDrill(scenarioOf(name, KINDS[name] as Kind), { env: process.env });
      expect(why).toBe('');
    });
});
