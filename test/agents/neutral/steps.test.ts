/** The same stuck run, as different harnesses record it. */
import { describe, expect, test } from 'vitest';
import { entriesOfSteps } from '../../../src/agents/neutral/steps.ts';
import { autopsy } from '../../../src/core/detect/autopsy/autopsy.ts';
import { verdictJson } from '../../../src/report/autopsy/verdict-json.ts';

interface Step {
  readonly type: string;
  readonly tool?: string;
  readonly role?: string;
  readonly input?: unknown;
  readonly output?: string;
}

const LOOKS = 4;
const REPEATS = 6;
const look = (n: number) => [`cat src/part-${n}.ts`, `export const part = ${'abc'[n % 3]}${n};`] as const;
const CALLS = [
  ...Array.from({ length: LOOKS }, (_, n) => look(n)),
  ...Array.from({ length: REPEATS }, () => ['make proto', 'protoc: plugin not found'] as const),
];

/** How one call and its answer are written down. */
const GRAINS: readonly (readonly [name: string, steps: (call: string, answer: string) => readonly Step[]])[] =
  [
    [
      'call and answer apart',
      (input, output) => [action(input), { type: 'observation', tool: 'bash', output }],
    ],
    ['call and answer in one step', (input, output) => [{ ...action(input), output }]],
    [
      'no tool names',
      (input, output) => [
        { type: 'action', input },
        { type: 'observation', output },
      ],
    ],
    [
      'a thought between call and answer',
      (input, output) => [action(input), said('Let me see what it says.'), { type: 'observation', output }],
    ],
    [
      "the answer in the user's place",
      (input, output) => [said('Next.'), action(input), { type: 'message', role: 'user', output }],
    ],
    [
      'the harness says "go on" in the user\'s place',
      (input, output) => [
        action(input),
        { type: 'observation', tool: 'bash', output },
        { type: 'message', role: 'user', output: 'Please go on with the task.' },
      ],
    ],
  ];

function action(input: string): Step {
  return { type: 'action', tool: 'bash', input };
}

function said(output: string): Step {
  return { type: 'message', output };
}

describe('a run that repeats one call', () => {
  test.each(GRAINS)('is stuck at the same call, recorded with %s', (_name, grain) => {
    const turns = CALLS.map(([input, output]) => grain(input, output));
    const { entries, stepOf } = entriesOfSteps(turns.flat());
    const verdict = verdictJson(autopsy('x', entries), stepOf);
    const per = turns[0]?.length ?? 0;
    expect(verdict.state).toBe('stuck');
    const critical = verdict.signals.find((signal) => signal.severity === 'critical');
    expect(Math.floor((critical?.at_step ?? -1) / per) - LOOKS + 1).toBeLessThanOrEqual(5);
    expect(Math.floor((verdict.first_stuck_step ?? -1) / per)).toBeGreaterThanOrEqual(LOOKS);
    expect(verdict.wasted_steps).toBe(turns.flat().length - (verdict.first_stuck_step ?? 0));
  });

  test('is judged anew after a person says something new', () => {
    const steps = CALLS.flatMap(([input, output], n) => [
      action(input),
      { type: 'observation', tool: 'bash', output },
      { type: 'message', role: 'user', output: `No, look ${'into that file '.repeat(n)} instead.` },
    ]);
    expect(autopsy('x', entriesOfSteps(steps).entries).signals).toEqual([]);
  });
});

test('a message of a person between call and result is not taken for the result', () => {
  const { entries } = entriesOfSteps([
    action('make proto'),
    { type: 'message', role: 'user', output: '[Request interrupted by user]' },
  ]);
  expect(entries.map((entry) => entry.type)).toEqual(['tool_call', 'message']);
});

test('an answer that comes late is not given to a call that was given up', () => {
  const { entries } = entriesOfSteps([
    action('sleep 9'),
    said('That took too long.'),
    action('ls'),
    { type: 'observation', tool: 'bash', output: 'a.ts' },
  ]);
  expect(entries.at(-1)).toMatchObject({ type: 'tool_result', id: '2' });
});

test('what an agent in a browser says that it did is a call with what it saw', () => {
  const { entries } = entriesOfSteps([
    { type: 'message', output: "I clicked 'Archive'.\n\nHere is a screenshot of the archive." },
    { type: 'message', output: 'I think that the archive is large.' },
  ]);
  expect(entries).toMatchObject([
    { type: 'tool_call', tool: 'browser', input: "I clicked 'Archive'." },
    { type: 'tool_result', output: 'Here is a screenshot of the archive.', isError: false },
    { type: 'message', role: 'agent' },
  ]);
});

test('an agent that only scrolls is told with how often, and one out of rounds has not finished', () => {
  const scrolled = (part: string) => [
    {
      type: 'message',
      output: 'Please continue to scroll through the list until the entry of the week is found.',
    },
    { type: 'message', output: `I scrolled down one page in the browser.\n\nIt shows ${part}.` },
  ];
  const steps = ['anemones', 'barnacles', 'crabs', 'dulse', 'eels', 'fish', 'gulls', 'herring'].flatMap(
    scrolled,
  );
  const { entries } = entriesOfSteps([...steps, { type: 'message', output: 'Max rounds (20) reached.' }]);
  const found = autopsy('x', entries);
  expect(found.endedBy).toBe('limit');
  expect(found.state).not.toBe('finished');
  expect(found.rootCause).toContain('was made 8 times; why is not proven');
});
