/** Habits of agents that were seen on runs no threshold was tuned on: each with a run that must be caught and honest work beside it. */
import { describe, expect, test } from 'vitest';
import type { TranscriptEntry } from '../../../src/core/vocabulary/transcript.ts';
import { call, edit, failedCall, hear, listen, type Part } from './transcript-builder.ts';

const times = <T>(count: number, part: (index: number) => T): readonly T[] =>
  Array.from({ length: count }, (_, index) => part(index));
const heard = (parts: readonly Part[]) =>
  hear(parts).signals.map(({ type, severity }) => `${type} ${severity}`);
const stopped = (parts: readonly Part[]) =>
  hear(parts)
    .signals.filter(({ severity }) => severity === 'critical')
    .map(({ type }) => type);
const page = (from: number) =>
  times(12, (line) => `line ${from + line}: ${'abcdefghijkl'[line]}${'xyz'[from % 3]} = ${line}`).join('\n');
const say = (text: string): Part => ({ say: text });
const told = (text: string): Part => ({ say: text, role: 'person' });

describe('a short sentence said over and over', () => {
  const paging = (words: (index: number) => string) =>
    times(9, (index) => [
      say(words(index)),
      call(`sed -n '${index * 90},${index * 90 + 90}p' big.c`, page(index)),
    ]).flat();

  test('while paging through something is caught at the sixth', () => {
    expect(stopped(paging(() => 'Let me scroll down further.'))).toContain('monologue');
  });

  test('is no trouble when it changes in between', () => {
    const words = ['Let me scroll down further.', 'There is the parser.', 'Now the callers of it.'];
    expect(stopped(paging((index) => words[index % 3] as string))).toEqual([]);
  });

  test('is no trouble while the agent waits', () => {
    const waits = times(10, () => [
      say('The build is still on its way.'),
      call('sleep 60; cat build.log', 'compiling'),
    ]);
    expect(heard(waits.flat())).toEqual([]);
  });
});

describe('a round trip with edits in it', () => {
  const round = (turn: number) =>
    [
      'First I reproduce the failure with the script from the report.',
      'The value is lost between the reader and the cache, so I look there.',
      'I will keep the value in the cache entry instead of the reader.',
      'Now the script again, to see whether the value arrives.',
    ].flatMap((words, index) => [say(words), edit(`src/part-${index}.ts`, `v${turn}`, `v${turn + 1}`)]);

  test('is caught by its words, because its edits look new each time', () => {
    expect(stopped(times(4, round).flat())).toContain('monologue');
  });

  test('is left alone when only one sentence comes back', () => {
    const work = times(12, (index) => [
      say(`Part ${'abcdefghijkl'[index]} of the reader keeps its own copy, which I take out now.`),
      edit(`src/part-${index}.ts`, 'copy', 'view'),
      say('Now I run the tests to see that nothing else moved.'),
      call(`npm test -- part-${index}`, `Tests: ${index + 3} passed`),
    ]);
    expect(stopped(work.flat())).toEqual([]);
  });

  test('markup of a call that was not read as one is no speech', () => {
    const markup =
      '<function_calls>\n<invoke name="Read"><parameter name="file_path">a.ts</parameter></invoke>';
    const work = times(8, (index) => [say(markup), call(`cat part-${index}.ts`, page(index))]).flat();
    expect(heard(work)).toEqual([]);
  });
});

describe('one answer to everything', () => {
  const commands = [
    'ls src',
    'pwd',
    'git log -3',
    'cat README.md',
    'node --version',
    'env',
    'whoami',
    'make -n',
  ];

  test('is a dead shell', () => {
    expect(stopped(commands.map((line) => call(line, 'Error: the shell session has ended')))).toContain(
      'one_answer',
    );
  });

  test('is not that different commands confirm the same', () => {
    const edits = times(12, (index) => edit(`src/${index}.ts`, 'a', 'b'));
    const checks = times(12, (index) => call(`npx vitest run test/${index}.test.ts`, 'Tests  4 passed (4)'));
    expect(heard([...edits, ...checks])).toEqual([]);
  });

  test('is not that one command of many is missing', () => {
    const work = commands.flatMap((line, index) => [
      call(line, `${line}: ${page(index)}`),
      ...(index === 4 ? [failedCall('jq . x.json', 'bash: jq: command not found')] : []),
    ]);
    expect(stopped(work)).toEqual([]);
  });
});

describe('searches that find nothing', () => {
  const names = ['alpha', 'beta', 'gamma', 'delta', 'epsilon', 'zeta', 'eta', 'theta', 'iota', 'kappa'];

  test('add up', () => {
    const looks = names.map((name, index) =>
      index % 2 === 0
        ? call(`grep -rn ${name}Handler src`, '')
        : call(`{"pattern":"${name}Factory"}`, 'No matches found', 'Grep'),
    );
    expect(stopped(looks)).not.toEqual([]);
  });

  test('are honest work when every third one finds something', () => {
    const looks = names.flatMap((name, index) => [
      call(`grep -rn ${name}Handler src`, ''),
      call(
        `{"pattern":"${name}"}`,
        `src/${name}.ts:${index}: export const ${name} = make${index}();`,
        'Grep',
      ),
      call(`{"file_path":"src/${name}.ts"}`, page(index), 'Read'),
    ]);
    expect(stopped(looks)).toEqual([]);
  });
});

describe('one check that fails with edits in between', () => {
  const round = (index: number, failure: string, command = 'npm test 2>&1 | tail -20') => [
    edit('src/total.ts', `return ${index}`, `return ${index + 1}`),
    call(command, failure),
  ];
  const flat = 'expected 41 to be 42\nTests  1 failed | 9 passed';

  test('is caught at the seventh equal failure, with a warning at the fifth', () => {
    const loop = times(7, (index) => round(index, flat)).flat();
    expect(heard(loop.slice(0, 8))).not.toContain('flat_results warning');
    expect(heard(loop.slice(0, 10))).toContain('flat_results warning');
    expect(stopped(loop.slice(0, 12))).toEqual([]);
    expect(stopped(loop)).toContain('flat_results');
  });

  test('is the same check with other flags and pipes', () => {
    const spellings = [
      'npm test',
      'npm test -- --silent',
      'cd . && npm test | tail -5',
      'npm test 2>&1 | head -40',
    ];
    const loop = times(8, (index) => round(index, flat, spellings[index % 4])).flat();
    expect(stopped(loop)).toContain('flat_results');
  });

  test('is caught when it alternates between two failures', () => {
    const loop = times(14, (index) =>
      round(index, index % 2 === 0 ? flat : flat.replace('41', 'null')),
    ).flat();
    expect(stopped(loop)).toContain('flat_results');
  });

  test('is work while fewer tests fail each time', () => {
    const work = times(12, (index) =>
      round(index, `expected 41 to be 42\nTests  ${20 - index} failed`),
    ).flat();
    expect(stopped(work)).toEqual([]);
  });

  test('is work while each failure is a new one', () => {
    const work = times(12, (index) =>
      round(index, `TypeError: part ${'abcdefghijkl'[index]} is not a function\nTests  1 failed`),
    ).flat();
    expect(stopped(work)).toEqual([]);
  });

  test('is work when it passes now and then', () => {
    const work = times(12, (index) => round(index, index % 4 === 3 ? 'Tests  10 passed' : flat)).flat();
    expect(stopped(work)).toEqual([]);
  });

  test('times out whatever was rewritten', () => {
    const bodies = [
      'a.sort()',
      'b.map(f)',
      'c.filter(g)',
      'd.reduce(h)',
      'e.flat()',
      'f.at(0)',
      'g.pop()',
      'h.join()',
    ];
    const loop = bodies.flatMap((body, index) => [
      edit('src/slow.ts', `v${index}`, body),
      failedCall(
        `node -e "${body}; run(${index})"`,
        `Command 'node -e "${body}; run(${index})"' timed out after 30 s`,
      ),
    ]);
    const errors = hear(loop).signals.filter(
      ({ type, severity }) => type === 'flat_results' && severity === 'critical',
    );
    expect(errors).not.toEqual([]);
  });
});

describe('a refusal', () => {
  const REFUSAL =
    'The work is not accepted: the acceptance check did not pass. Finish the task before you stop.';
  const verifies = [
    'I verified the change once more.',
    'Everything is in place now.',
    'All requirements are met.',
    'It is done.',
    'Checked again.',
  ];
  const loop = (work: (index: number) => readonly Part[], refusal = REFUSAL) =>
    verifies.flatMap((words, index) => [...work(index), say(words), told(refusal)]);
  const looks = (index: number) => [call(`git diff HEAD~${index} --stat`, `src/a${index}.ts | ${index} +`)];

  test('of the same words is warned about at the third and stopped at the fourth', () => {
    const parts = loop(looks);
    expect(heard(parts.slice(0, 9))).toEqual(['refused_again warning']);
    expect(stopped(parts.slice(0, 12))).toEqual(['refused_again']);
  });

  test('by a tool that takes the work in is one, too', () => {
    const parts = verifies.map((words) => call(JSON.stringify({ summary: words }), REFUSAL, 'submit'));
    expect(stopped(parts)).toContain('refused_again');
  });

  test('is no loop when the agent changes something in between', () => {
    expect(stopped(loop((index) => [edit(`src/a${index}.ts`, 'x', 'y')]))).toEqual([]);
  });

  test('in other words each time is a conversation', () => {
    const asked = [
      'Please rename the flag.',
      'And the help text of it?',
      'The docs still show the old one.',
      'One test is left over.',
    ];
    expect(
      stopped(
        asked.flatMap((words, index) => [...looks(index), say(verifies[index] as string), told(words)]),
      ),
    ).toEqual([]);
  });

  test('is none when the agent was asked to wait', () => {
    expect(stopped(loop(looks, 'There is nothing to do yet. Please wait for the next task.'))).toEqual([]);
  });

  test('is none when the harness only asks for another form of the answer', () => {
    expect(
      stopped(loop(looks, 'Please format your answer as exactly one action in triple backticks.')),
    ).not.toContain('refused_again');
  });
});

describe('an agent that was asked to look every minute', () => {
  const looksEvery = (ms: number, task: string): readonly TranscriptEntry[] => [
    { type: 'message', at: 1, role: 'person', text: task },
    ...times(20, (index): readonly TranscriptEntry[] => [
      { type: 'tool_call', at: 1_000 + index * ms, id: `${index}`, tool: 'TaskList', input: '{}' },
      { type: 'tool_result', at: 1_100 + index * ms, id: `${index}`, output: 'no tasks', isError: false },
    ]).flat(),
  ];
  const stops = (entries: readonly TranscriptEntry[]) =>
    listen(entries).signals.filter(({ severity }) => severity === 'critical');

  test('is not looping', () => {
    expect(stops(looksEvery(60_000, 'Check the task list every minute and do what comes in.'))).toEqual([]);
  });

  test('is looping when it does so without a pause, or without being asked', () => {
    expect(stops(looksEvery(1_000, 'Check the task list every minute and do what comes in.'))).not.toEqual(
      [],
    );
    expect(stops(looksEvery(60_000, 'Do the tasks of the list.'))).not.toEqual([]);
  });
});

describe('what counts as a failure', () => {
  const fails = (result: string, command = './tool run', marksErrors?: true) => {
    const parts: TranscriptEntry[] = [
      { type: 'tool_call', at: 1, id: 'a', tool: 'Bash', input: command },
      {
        type: 'tool_result',
        at: 2,
        id: 'a',
        output: result,
        isError: false,
        ...(marksErrors ? { marksErrors } : {}),
      },
    ];
    return listen(parts).watch.trail.turns[0]?.failed;
  };

  test.each([
    ['Usage: tool [OPTIONS] FILE', './tool run'],
    ['Command timed out after 120 s', './tool run'],
    ['reading 3 files\nKilled', './tool run'],
    ['ok 1\nok 2\nSegmentation fault (core dumped)', './tool run'],
  ])('%s', (result, command) => {
    expect(fails(result, command)).toBe(true);
  });

  test.each([
    ['the page was generated successfully, no visual errors', './tool run'],
    ['0 errors, 2 warnings', './tool run'],
    ['   12→func load(id string) (*State, error) {', 'cat state.go'],
    ['src/setup.go:51: return fmt.Errorf("install failed: %w", err)', 'grep -n failed src/setup.go'],
  ])('%s is none', (result, command) => {
    expect(fails(result, command)).toBe(false);
  });

  test('where the format marks errors, a result without a mark is none, whatever it says', () => {
    expect(fails('warning: error reporting is off', './tool run', true)).toBe(false);
    expect(fails('warning: error reporting is off', './tool run')).toBe(true);
  });

  test('a check that failed behind a pipe failed all the same', () => {
    expect(fails('FAIL src/a.test.ts\nTests  1 failed | 3 passed', 'npm test | tail -4', true)).toBe(true);
    expect(fails('✓ src/a.test.ts\nTests  4 passed', 'npm test | tail -4', true)).toBe(false);
  });
});

describe('small things that are no repetition', () => {
  test('calls that were not made because a sibling failed are one error', () => {
    const siblings = [
      failedCall('cat a.ts', 'cat: a.ts: No such file or directory'),
      ...times(5, (index) => failedCall(`cat b${index}.ts`, 'Sibling tool call errored')),
    ];
    expect(heard(siblings)).toEqual([]);
  });

  test('a check after git stash is another check than before', () => {
    const compare = times(5, (index) => [
      call('npm test', 'Error: total is off\nTests  3 failed'),
      call(`git stash && npm test -- a${index}; git stash pop`, `AssertionError: ${'abcde'[index]} differs`),
    ]);
    expect(stopped(compare.flat())).toEqual([]);
  });

  test('the same compound command with git in it is a loop all the same', () => {
    const loop = times(6, () =>
      call('git stash && make check; git stash pop', 'make: *** No rule to make target.'),
    );
    expect(stopped(loop)).not.toEqual([]);
  });

  test('reading a file again before each edit is work', () => {
    const work = times(8, (index) => [
      call('{"file_path":"src/a.ts"}', page(index), 'Read'),
      call('{"file_path":"src/a.ts"}', page(index), 'Read'),
      edit('src/a.ts', `old ${index}`, `new ${index}`),
    ]);
    expect(stopped(work.flat())).toEqual([]);
  });
});
