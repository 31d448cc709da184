/** The cases that other agents test their own loop detection with, as behaviour one would expect of any. */
import { describe, expect, test } from 'vitest';
import { call, failedCall, hear, type Part } from './transcript-builder.ts';

const times = <T>(count: number, part: (index: number) => T): readonly T[] =>
  Array.from({ length: count }, (_, index) => part(index));
const stops = (parts: readonly Part[]) =>
  hear(parts)
    .signals.filter(({ severity }) => severity === 'critical')
    .map(({ type }) => type);
const spoken = (text: string) =>
  hear([{ say: text }]).signals.map(({ type, severity }) => `${type} ${severity}`);

describe('equal calls', () => {
  const errors = ['connection reset', 'permission lost', 'bad gateway', 'no route', 'handshake failed'];
  test('with a different error each time are a loop', () => {
    expect(stops(errors.map((error) => failedCall('./deploy.sh', `Error: ${error}`)))).toEqual(['looping']);
  });
  test('with a different useful answer each time are none', () => {
    expect(stops(errors.map((part) => call('./next-part.sh', `part: ${part}`)))).toEqual([]);
  });
  test('of different calls with different errors are none', () => {
    expect(
      stops(errors.map((error, index) => failedCall(`./deploy-${'abcde'[index]}.sh`, `Error: ${error}`))),
    ).toEqual([]);
  });
});

describe('the same message', () => {
  const words = 'I will now look at the configuration and then decide what to change there.';
  test('five times is a loop', () => {
    expect(stops(times(5, () => ({ say: words })))).toEqual(['monologue']);
  });
  test('twice is none, and five short greetings are none', () => {
    expect(stops([{ say: words }, call('cat a', 'b'), { say: words }])).toEqual([]);
    expect(stops(times(5, () => ({ say: 'Done.' })))).toEqual([]);
  });
});

describe('condensing the context', () => {
  const condensed: Part = { entry: { type: 'compaction', at: 0, text: 'summary' } };
  test('ten times in a row is a loop', () => {
    expect(stops(times(10, () => condensed))).toEqual(['compaction_loop']);
  });
  test('ten times with work in between is a long task', () => {
    const work = times(10, (round) => [
      ...times(14, (index) =>
        call(
          `cat part-${round}-${'abcdefghijklmn'[index]}.ts`,
          `const v${round}_${index} = ${'abcdefghijklmn'[index]};`,
        ),
      ),
      condensed,
    ]);
    expect(stops(work.flat())).toEqual([]);
  });
});

describe('a phrase inside one message', () => {
  const phrases = [
    'and then ',
    'I will check it. ',
    'the cache of the reader holds the value of the cache ',
    'Let me think about the order in which the parts are read, because the second part depends on the first one and the first one is read last, ',
  ];
  test.each(phrases)('repeated without a line break is chanting: %s', (phrase) => {
    expect(spoken(`I look at the reader. ${phrase.repeat(30)}`)).toEqual(['monologue critical']);
  });
  test('is chanting in the middle of a message, too, and in a script without spaces', () => {
    expect(
      spoken(`Well. ${'so it goes on '.repeat(30)} And that is the end of it, after a good deal of talk.`),
    ).toEqual(['monologue critical']);
    expect(spoken(`好的。${'我再看一下这个文件。'.repeat(40)}`)).toEqual(['monologue critical']);
  });
  test.each([
    ['a code block', `\`\`\`c\n${'x = next(x);\n'.repeat(40)}\`\`\``],
    ['an unfinished code block', `Here:\n\`\`\`\n${'0x00, 0x00, 0x00, 0x00,\n'.repeat(40)}`],
    ['a table', `| name | value |\n|---|---|\n${'| none | none |\n'.repeat(40)}`],
    [
      'a list with a shared prefix',
      times(40, (index) => `- Update the import in src/part-${index}.ts to the new name`).join('\n'),
    ],
    ['a numbered list', times(40, (index) => `${index + 1}. Run the tests of the part`).join('\n')],
    ['dividers', `${'-'.repeat(400)}\n${'= '.repeat(200)}\n${'*'.repeat(300)}`],
    ['padding', `The key is ${'A'.repeat(600)} and ends there.`],
    [
      'prose',
      times(
        30,
        (index) =>
          `Part ${index} reads ${'abcdefghij'[index % 10]} before ${'klmnopqrst'[(index * 7) % 10]}, which the next part needs.`,
      ).join(' '),
    ],
  ])('%s is none', (_, text) => {
    expect(spoken(text)).toEqual([]);
  });
});
