/** A plain command that prints the same lines over and over: what must be noticed, and the honest output that looks alike. */
import { describe, expect, test } from 'vitest';
import { DETECTORS } from '../../../src/core/detect/detectors.ts';
import type { Tick } from '../../../src/core/detect/tick.ts';
import { DEFAULT_POLICY } from '../../../src/core/vocabulary/policy.ts';
import type { TranscriptEntry } from '../../../src/core/vocabulary/transcript.ts';
import { PlainReader } from '../../../src/agents/command-adapter.ts';
import { processorMs } from '../../processor-time.ts';
import { listen } from './transcript-builder.ts';

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const BEGUN = Date.UTC(2026, 10, 17, 9, 58);
const { repeat_warn_ms, repeat_stop_ms, poll_warn_ms, poll_stop_ms } = DEFAULT_POLICY;

type Stream = 'stdout' | 'stderr';
type Round = (index: number, clock: string) => readonly string[];

interface Printing {
  readonly forMs: number;
  readonly everyMs?: number;
  readonly stream?: Stream;
}

const line = (at: number, text: string, stream: Stream = 'stdout'): TranscriptEntry => ({
  type: 'output',
  at: BEGUN + at,
  stream,
  text,
});
const tree = (at: number): TranscriptEntry => ({
  type: 'progress',
  at: BEGUN + at,
  kind: 'tree',
  detail: `1 file in checkpoint ${at}`,
});

/** Prints one round after the other, as the loop of a shell does. */
function prints(round: Round, { forMs, everyMs = SECOND, stream = 'stdout' }: Printing): TranscriptEntry[] {
  return Array.from({ length: Math.floor(forMs / everyMs) + 1 }, (_, index) => {
    const at = index * everyMs;
    return round(index, new Date(BEGUN + at).toISOString()).map((text) => line(at, text, stream));
  }).flat();
}

/** Entries of several sources, by time. */
const together = (...sources: readonly (readonly TranscriptEntry[])[]) =>
  sources.flat().toSorted((one, other) => one.at - other.at);

const heard = (entries: readonly (TranscriptEntry | Tick)[], policy = {}) =>
  listen(entries, policy).signals.map(
    ({ type, severity, at }) => `${type} ${severity} after ${Math.round((at - BEGUN) / SECOND)} s`,
  );
const after = (type: string, severity: string, ms: number) => `${type} ${severity} after ${ms / SECOND} s`;
const CAUGHT = [
  after('repeated_error', 'warning', repeat_warn_ms),
  after('repeated_error', 'critical', repeat_stop_ms),
];
/** The letters of a number: unlike its digits they make another line. */
const name = (index: number) =>
  String(index).replaceAll(/\d/g, (digit) => 'abcdefghij'.charAt(Number(digit)));

describe('a plain command that prints the same failure over and over', () => {
  const pair: Round = () => ['Running npm test', '1 failing: add'];

  test('is warned of after minutes and stopped after many, with the lines that it prints', () => {
    const entries = prints(pair, { forMs: 700 * SECOND });
    expect(heard(entries)).toEqual(CAUGHT);
    const [warning, critical] = listen(entries).signals;
    expect(warning?.reason).toBe('prints the same 2 lines over and over, 120 times in 2 min: 1 failing: add');
    expect(warning?.evidence.toSorted()).toEqual(['1 failing: add', 'Running npm test']);
    expect(critical).toMatchObject({ sinceAt: BEGUN, sinceStep: 0 });
  });

  test.each<[string, Round, number]>([
    [
      'a block of five lines around a failing test',
      (index) => [
        '> app@1.0.0 test',
        '> node --test',
        `not ok 1 - adds two numbers (${index % 3 === 0 ? `${900 + index} ms` : `1.${index} s`})`,
        `# duration_ms ${40 + (index % 9)}.${index * 7}`,
        '# fail 1',
      ],
      10 * SECOND,
    ],
    [
      'one error line with times and numbers that change',
      (index, clock) => [
        `[${clock}] ERROR attempt ${index} failed: connect ECONNREFUSED 127.0.0.1:5432 (${(index * 13) % 900} ms)`,
      ],
      2 * SECOND,
    ],
    [
      'one line of an uncaught error',
      () => ["TypeError: Cannot read properties of undefined (reading 'id')"],
      SECOND,
    ],
    [
      'lines that are equal inside the block',
      () => ['make', 'make', 'cc: error: a.c', 'cc: error: a.c'],
      SECOND,
    ],
    [
      'a line that comes twice in a block',
      () => ['building', 'a.c', 'building', 'fatal: no rule for b.c'],
      SECOND,
    ],
    ['coloured lines', () => ['\u001b[1mTests\u001b[22m', '  \u001b[31m1 failing\u001b[39m'], SECOND],
    [
      'an error in a log of JSON',
      (index, clock) => [`{"level":"error","time":"${clock}","n":${index}}`],
      SECOND,
    ],
    [
      'a changing number of empty lines between',
      (index) => [
        ...Array.from({ length: Math.floor(Math.sqrt(index)) % 3 }, () => ' '),
        'npm ERR! Test failed.',
      ],
      SECOND,
    ],
    ['a summary that counts the tests left out', () => ['2 passing', '1 pending', '1 failing'], SECOND],
    ['something that is not there', () => ['Error: no such user found'], SECOND],
    ['rounds that take long', () => ['tests begin', '2 failed, 40 passed'], 30 * SECOND],
  ])('%s', (_, round, everyMs) => {
    expect(heard(prints(round, { forMs: repeat_stop_ms + MINUTE, everyMs }))).toEqual(CAUGHT);
  });

  test('is noticed although the two streams are mixed by chance', () => {
    const mixed = Array.from({ length: 700 }, (_, index) => {
      const told = [
        line(index * SECOND, 'Running npm test'),
        line(index * SECOND, '1 failing: add', 'stderr'),
      ];
      return index % 3 === 0 ? told.toReversed() : told;
    });
    expect(heard(mixed.flat())).toEqual(CAUGHT);
  });

  test('is not stopped before it came often, however long that took', () => {
    const rare = prints(pair, { forMs: 18 * 2 * MINUTE, everyMs: 2 * MINUTE });
    expect(heard(rare)).toEqual([after('repeated_error', 'warning', 8 * MINUTE)]);
    expect(heard(prints(pair, { forMs: HOUR, everyMs: 2 * MINUTE }))).toContain(
      after('repeated_error', 'critical', 38 * MINUTE),
    );
  });

  test('begins anew with every line that was not there before, on either stream', () => {
    const news = (stream: Stream) =>
      prints((index) => [`migrates the table ${name(index)}`], { forMs: HOUR, everyMs: 90 * SECOND, stream });
    expect(heard(together(prints(pair, { forMs: HOUR }), news('stdout')))).toEqual([]);
    expect(heard(together(prints(pair, { forMs: HOUR }), news('stderr')))).toEqual([]);
  });

  test('begins anew when the tree changes, or the commands of the program are seen', () => {
    const changes = Array.from({ length: 40 }, (_, index) => tree(index * 90 * SECOND));
    expect(heard(together(prints(pair, { forMs: HOUR }), changes))).toEqual([]);
    const reader = new PlainReader();
    const log = Array.from({ length: 120 }, (_, index) =>
      [`$ sleep 30; ./deploy.sh status`, 'error: version 4 was expected'].flatMap((text, row) =>
        reader.push(text, 'stdout', BEGUN + index * 30 * SECOND + row),
      ),
    ).flat();
    expect(
      listen(log).signals.every(({ type, severity }) => type === 'stalled' && severity === 'warning'),
    ).toBe(true);
  });

  test('is left to the other detectors where the agent speaks a protocol', () => {
    const session: TranscriptEntry = { type: 'session', at: BEGUN, sessionId: 's' };
    expect(heard([session, ...prints(pair, { forMs: HOUR, stream: 'stderr' })])).toEqual([]);
  });

  test('is not aged by a night in which the machine slept', () => {
    const evening = prints(pair, { forMs: 60 * SECOND });
    const morning = evening.map((entry) => ({ ...entry, at: entry.at + 8 * HOUR }));
    expect(heard([...evening, ...morning])).toEqual([]);
  });
});

describe('honest output that repeats itself', () => {
  test.each<[string, Round, number]>([
    ['a progress bar', (index) => [`Downloading [${'='.repeat(index / 60)}>] ${index / 11} %`], 10 * SECOND],
    ['a progress that counts failures', (index) => [`imported ${index * 40} rows, 3 failed`], 10 * SECOND],
    ['failures that become fewer', (index) => [`${20_000 - index} failing`], 10 * SECOND],
    [
      'a compiler with one line per file',
      (index) => [`[${index}/9000] cc -c ${name(index)}.c`, 'warning: unused variable'],
      10 * SECOND,
    ],
    [
      'a compiler that fails file by file',
      (index) => [`${name(index)}.c:4: error: unknown type`],
      10 * SECOND,
    ],
    [
      'a log that does new work',
      (index, clock) => [`${clock} INFO failed job ${name(index)} is done now`],
      10 * SECOND,
    ],
  ])('%s is left alone for hours', (_, round, everyMs) => {
    expect(heard(prints(round, { forMs: 3 * HOUR, everyMs }))).toEqual([]);
  });

  test.each<[string, Round, number]>([
    [
      'a compiler that watches',
      (_, clock) => [`[${clock}] Found 0 errors. Watching for file changes.`],
      20 * SECOND,
    ],
    [
      'a bundler that watches',
      (index) => ['asset main.js 12 KiB [emitted]', `webpack compiled successfully in ${200 + index} ms`],
      30 * SECOND,
    ],
    [
      'a server that is asked for its health',
      (_, clock) => [
        `10.0.0.7 - - [${clock}] "GET /health HTTP/1.1" 200 2`,
        `10.0.0.7 "GET /error-page" 404 17`,
      ],
      10 * SECOND,
    ],
    ['dots', () => ['.....................................'], 10 * SECOND],
    ['a heartbeat that counts no failure', (index) => [`sent ${index}, failed: 0, errors=0`], 10 * SECOND],
    [
      'a warning that the program goes on after',
      () => ['WARN cannot find the cache, it is not used'],
      10 * SECOND,
    ],
    ['a heartbeat that denies a failure', () => ['the tests go on, no failed test so far'], 10 * SECOND],
    ['a queue without work', () => ['Checking the queue', 'No new jobs found'], 10 * SECOND],
    ['a service that is not ready', (index) => [`${index}: the database is not ready`], 10 * SECOND],
    ['a look that says not yet', (index) => [`still waiting for the build (${index} s)`], 10 * SECOND],
  ])('%s is odd after half an hour, and never stopped', (_, round, everyMs) => {
    expect(heard(prints(round, { forMs: poll_warn_ms - MINUTE, everyMs }))).toEqual([]);
    const [first, ...others] = listen(prints(round, { forMs: 5 * HOUR, everyMs })).signals;
    expect(first).toMatchObject({ type: 'stalled', severity: 'warning', at: BEGUN + poll_warn_ms });
    expect(others).toEqual([]);
  });

  test.each<[string, Round]>([
    ['a service that is not up', (index) => [`${index}: ERROR the database is not up`]],
    [
      'a refused connection that is tried again later',
      () => ['error: connection refused', 'retrying in 5 s'],
    ],
  ])('%s is waited for as long as polling may take', (_, round) => {
    const entries = prints(round, { forMs: poll_stop_ms + MINUTE, everyMs: 10 * SECOND });
    expect(heard(entries)).toEqual([
      after('stalled', 'warning', poll_warn_ms),
      after('stalled', 'critical', poll_stop_ms),
    ]);
  });

  test('a summary of failures that comes again after each change is left alone', () => {
    const summary = prints(() => ['ERROR in ./src/a.ts', 'webpack compiled with 1 error'], {
      forMs: 2 * HOUR,
      everyMs: 10 * SECOND,
    });
    const changes = Array.from({ length: 120 }, (_, index) => tree(index * MINUTE));
    expect(heard(together(summary, changes))).toEqual([]);
  });

  test('requests and errors of a server in no order are no block', () => {
    const kinds = [
      'GET /a 200',
      'POST /login 401 denied for a user',
      'GET /b 200',
      'error: no session found',
    ];
    let seed = 7;
    const any = () => (seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648);
    expect(
      heard(prints(() => [kinds[(any() >> 8) % 4] as string], { forMs: 3 * HOUR, everyMs: 5 * SECOND })),
    ).toEqual([]);
  });
});

describe('the memory and the time of it', () => {
  const flood = Array.from({ length: 40_000 }, (_, index) =>
    line(
      index,
      `2026-11-17 09:58:00 part ${index % 7 === 0 ? name(index) : index} of the work: 1 failed in ${index} ms`,
    ),
  );

  test('stay small in a flood of lines', () => {
    const at = DETECTORS.findIndex(({ name: called }) => called === 'same lines again');
    const { watch } = listen(flood);
    expect(JSON.stringify(watch.states[at]).length).toBeLessThan(20_000);
    // The goal is 100 lines a millisecond; a busy machine is three times slower, and a rule that is not linear a thousand times.
    expect(processorMs(() => listen(flood))).toBeLessThan((3 * flood.length) / 100);
  });
});
