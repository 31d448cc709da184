import { describe, expect, it } from 'vitest';
import { readRows, type Row } from '../../../scripts/eval-diagnose/row.ts';
import type { Diagnosis } from '../../../src/core/vocabulary/diagnosis.ts';
import { sampled } from '../../lane.ts';
import { diagnose } from '../../../src/core/diagnose/diagnose.ts';

const BARE = [
  '> app@1.0.0 test',
  '> vitest run',
  '',
  ' FAIL  src/add.test.ts > adds',
  'AssertionError: expected 6 to be 5 // Object.is equality',
  ' ❯ src/add.test.ts:4:19',
  '',
  ' Test Files  1 failed (1)',
  '      Tests  1 failed (1)',
];
const stamp = (at: number): string => `2026-03-04T10:11:${String(at % 60).padStart(2, '0')}.0000971Z`;

type Wrap = (lines: readonly string[], exitCode?: number | null) => string;

/** Each wrapper that a text may come in. */
const WRAPPERS: Readonly<Record<string, Wrap>> = {
  'GitHub Actions stamps': (lines) => lines.map((line, at) => `${stamp(at)} ${line}`).join('\n'),
  'columns of gh run view': (lines) =>
    lines.map((line, at) => `build\tRun tests\t${stamp(at)} ${line}`).join('\n'),
  '##[error] before each line': (lines) => lines.map((line) => `##[error]${line}`).join('\n'),
  BuildKit: (lines) => lines.map((line, at) => `#12 ${(at * 0.13).toFixed(3)} ${line}`).join('\n'),
  turbo: (lines) => lines.map((line) => `api:test: ${line}`).join('\n'),
  compose: (lines) => lines.map((line) => `api-1  | ${line}`).join('\n'),
  'annotations of a workflow': (lines) =>
    lines.map((line) => (line === '' ? line : `::error::${line}`)).join('\n'),
  'a clock of twelve hours': (lines) => lines.map((line) => `[3:04:05 PM] ${line}`).join('\n'),
  'a tool result in JSON': (lines, exitCode = 1) =>
    JSON.stringify({ stdout: lines.join('\n'), stderr: '', exit_code: exitCode }),
  'escaped newlines': (lines) => lines.join('\\n'),
};

const NAMED_STEPS = new Set(['columns of gh run view', 'BuildKit']);

describe('a wrapped text', () => {
  const bare = diagnose({ output: BARE.join('\n'), exitCode: 1 });
  it.each(Object.entries(WRAPPERS))('%s: class and cause are those of the bare text', (_, wrap) => {
    const output = wrap(BARE);
    const got = diagnose({ output, exitCode: 1 });
    expect([got.failureType, got.rootCause]).toEqual([bare.failureType, bare.rootCause]);
    for (const { text } of got.evidence) expect(output).toContain(text);
  });

  it('an annotation is read as the line of a compiler', () => {
    const got = diagnose({ output: "::error file=src/a.ts,line=3,col=7::Cannot find name 'total'." });
    expect(got).toMatchObject({ failureType: 'build_failure' });
    expect(got.rootCause).toContain('src/a.ts:3');
  });

  it('a tool result in JSON tells its exit code', () => {
    const output = JSON.stringify({ stdout: 'checked 4 files\nERROR 404 in a log line\n', exit_code: 0 });
    expect(diagnose({ output }).failureType).toBe('success');
  });
});

describe('every captured output of the corpus', () => {
  const read = (name: string) =>
    readRows(new URL(`../../fixtures/corpus/${name}.jsonl`, import.meta.url).pathname).filter(
      ({ output }) => output.length < 6_000 && output.trim() !== '',
    );
  const first = read('dev');
  const all = [...first, ...read('other-tools'), ...read('unseen')];
  const linesOf = ({ output }: Row) => output.replace(/\n$/, '').split('\n');
  const statusOf = ({ exit_code, signal, command }: Row) => ({ exitCode: exit_code, signal, command });
  const bare = new Map<string, Diagnosis>();

  it.each(Object.keys(WRAPPERS).filter((name) => name !== 'a clock of twelve hours'))(
    'has the same class and cause behind %s',
    (name) => {
      const wrap = WRAPPERS[name] as Wrap;
      // A step that is named is part of a build: that gives another class to programs of which nothing else is known.
      const rows = NAMED_STEPS.has(name) ? first : sampled(all, 300);
      for (const row of rows.filter((one) => isTold(name, one))) {
        const wanted = bare.get(row.id) ?? diagnose({ output: linesOf(row).join('\n'), ...statusOf(row) });
        bare.set(row.id, wanted);
        const got = diagnose({ output: wrap(linesOf(row), row.exit_code), ...statusOf(row) });
        expect([row.id, got.failureType, got.rootCause]).toEqual([
          row.id,
          wanted.failureType,
          wanted.rootCause,
        ]);
      }
    },
  );

  /** What the wrapper itself destroys cannot be told. */
  function isTold(wrapper: string, { output, exit_code, failure_type }: Row): boolean {
    switch (wrapper) {
      // A text with backslashes of its own does not say which of them the wrapper wrote.
      case 'escaped newlines':
        return !output.includes('\\');
      // A tool result that says 0 is believed; without it the words of a program that ends with 0 and fails are.
      case 'a tool result in JSON':
        return exit_code !== 0 || failure_type === 'success';
      default:
        return true;
    }
  }
});

describe('a log of several steps', () => {
  const log = [
    '##[group]Run actions/checkout@v4',
    '##[endgroup]',
    'fatal: could not read Username for the other remote, skipped',
    '##[group]Run npm run lint',
    'npm run lint',
    'shell: /usr/bin/bash -e {0}',
    '##[endgroup]',
    'src/a.js:3:7: error: Unexpected var (no-var)',
    '##[error]Process completed with exit code 1.',
    'Post job cleanup.',
    'fatal: unable to access the cache: Connection refused',
  ].map((line, at) => `${stamp(at)} ${line}`);

  it('the step that failed is judged, neither set-up nor clean-up', () => {
    const got = diagnose({ output: log.join('\n') });
    expect(got.failureType).toBe('build_failure');
    expect(got.evidence[0]?.text).toContain('src/a.js:3:7');
  });

  it('the first command of a script that failed is judged', () => {
    const output = [
      '$ git clone https://example.org/a.git',
      "Cloning into 'a'...",
      '$ make lint',
      'a.md:3: Line longer than 80 characters.',
      'The command "make lint" exited with 1.',
      '$ ./upload',
      'ERROR: 401 Unauthorized',
      'The command "./upload" exited with 1.',
      'Done. Your build exited with 1.',
    ].join('\n');
    expect(diagnose({ output }).failureType).toBe('build_failure');
  });

  it('an escaped line hides no other line', () => {
    const output = [
      '{"level":"info","text":"starting\\nready"}',
      'Error: ENOSPC: no space left on device, write',
    ].join('\n');
    expect(diagnose({ output, exitCode: 1 }).failureType).toBe('resource_exhausted');
  });

  it('a log that passed is left alone although a step complains', () => {
    const output = [
      'Started by timer',
      '+ make',
      'warning: cannot find optional tool',
      'ERROR: retrying',
      'Finished: SUCCESS',
    ];
    expect(diagnose({ output: output.join('\n') }).failureType).toBe('success');
  });
});
