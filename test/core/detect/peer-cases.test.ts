/** The cases that other agents test their own loop detection with, as behaviour one would expect of any. */
import { describe, expect, test } from 'vitest';
import { OpenMessage } from '../../../src/agents/open-message.ts';
import type { Tick } from '../../../src/core/detect/tick.ts';
import { call, failedCall, hear, listen, type Part } from './transcript-builder.ts';

const times = <T>(count: number, part: (index: number) => T): readonly T[] =>
  Array.from({ length: count }, (_, index) => part(index));
const stops = (parts: readonly Part[]) =>
  hear(parts)
    .signals.filter(({ severity }) => severity === 'critical')
    .map(({ type }) => type);
const spoken = (text: string) =>
  hear([{ say: text }]).signals.map(({ type, severity }) => `${type} ${severity}`);

/** What is seen of a message while it is written: a look after every few pieces. */
const looksAt = (text: string): readonly Tick[] => {
  const open = new OpenMessage();
  return Array.from({ length: Math.ceil(text.length / 300) }, (_, index) => {
    for (let at = index * 300; at < (index + 1) * 300; at += 12) open.add(text.slice(at, at + 12));
    return { type: 'tick', at: 1_000 * (index + 1), openText: open.text ?? expect.fail('nothing is open') };
  });
};
const told = (entries: Parameters<typeof listen>[0]) =>
  listen(entries).signals.map(({ type, severity }) => `${type} ${severity}`);
/** Messages without an end, as thoughts are. */
const written = (...texts: readonly string[]) => told(texts.flatMap(looksAt));

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
  const honest = [
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
    ['JSON', `The answer:\n{\n${'  "state": "unknown",\n  "next": null,\n'.repeat(60)}}`],
    ['JSON on one line', `{"rows":[${'{"state":"unknown","next":null},'.repeat(60)}{}]}`],
    ['a log', '[INFO] connection refused, trying again\n'.repeat(60)],
    ['a quotation', '> connection refused, trying again\n'.repeat(60)],
  ] as const;
  test.each(honest)('%s is none', (_, text) => {
    expect(spoken(text)).toEqual([]);
  });

  describe('while the message is being written', () => {
    test.each(phrases)('is chanting before it ends, and is told once: %s', (phrase) => {
      const text = `I look at the reader. ${phrase.repeat(60)}`;
      const stopped = written(text);
      expect(stopped.at(-1)).toBe('monologue critical');
      expect(told([...looksAt(text), { type: 'message', at: 99_000, role: 'agent', text }])).toEqual(stopped);
    });
    test('is chanting after a long honest beginning, and in lines', () => {
      const begin = times(900, (index) => `Part ${index} is read before part ${index * 7}.`).join(' ');
      expect(written(`${begin}\n${'I will now look at the file again.\n'.repeat(60)}`)).toContain(
        'monologue critical',
      );
    });
    test.each(honest)('%s is none, however long it is', (_, text) => {
      expect(written(text)).toEqual([]);
    });
    test.each([
      ['a long table', `| name | value |\n|---|---|\n${'| none | none |\n'.repeat(4_000)}`],
      ['a long code block', `\`\`\`c\n${'x = next(x, and_the_rest_of_it);\n'.repeat(2_000)}`],
      ['a long list of steps', times(2_000, (index) => `${index + 1}. Run the tests of the part`).join('\n')],
      [
        'a song with a refrain',
        times(
          30,
          (index) => `Verse ${index} tells of another town.\n${'Row, row, row your boat!\n'.repeat(4)}`,
        ).join('\n'),
      ],
    ])('%s is none', (_, text) => {
      expect(written(text)).toEqual([]);
    });
    test('a few waiting lines that stop by themselves are worth a warning at most', () => {
      const text = 'Still waiting for the build...\n'.repeat(25);
      const other = times(40, (index) => `Part ${index} is built, and so is part ${index * 7}.`).join(' ');
      expect(written(`${text}${other}`)).toEqual(['monologue warning']);
    });
    test('the next message begins anew', () => {
      const some = 'I will now look at the file again.\n'.repeat(30);
      expect(written(some, some, some)).toEqual(times(3, () => 'monologue warning'));
    });
  });
});
