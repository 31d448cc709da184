import { describe, expect, it } from 'vitest';
import { readRows } from '../../../scripts/eval-diagnose/row.ts';
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

/** Each wrapper that a text may come in. */
const WRAPPERS: Readonly<Record<string, (lines: readonly string[]) => string>> = {
  'GitHub Actions stamps': (lines) => lines.map((line, at) => `${stamp(at)} ${line}`).join('\n'),
  'columns of gh run view': (lines) =>
    lines.map((line, at) => `build\tRun tests\t${stamp(at)} ${line}`).join('\n'),
  '##[error] before each line': (lines) => lines.map((line) => `##[error]${line}`).join('\n'),
  BuildKit: (lines) => lines.map((line, at) => `#12 ${(at * 0.13).toFixed(3)} ${line}`).join('\n'),
  turbo: (lines) => lines.map((line) => `api:test: ${line}`).join('\n'),
  compose: (lines) => lines.map((line) => `api-1  | ${line}`).join('\n'),
  'a clock of twelve hours': (lines) => lines.map((line) => `[3:04:05 PM] ${line}`).join('\n'),
  'a tool result in JSON': (lines) => JSON.stringify({ stdout: lines.join('\n'), stderr: '', exit_code: 1 }),
  'escaped newlines': (lines) => lines.join('\\n'),
};

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
  const rows = readRows(new URL('../../fixtures/corpus/dev.jsonl', import.meta.url).pathname).filter(
    ({ output }) => output.length < 6_000 && output.trim() !== '',
  );
  const exact = ['GitHub Actions stamps', 'columns of gh run view', '##[error] before each line', 'BuildKit'];

  it.each(exact)('has the same class and cause behind %s', (name) => {
    const wrap = WRAPPERS[name] as (lines: readonly string[]) => string;
    for (const row of rows) {
      const status = { exitCode: row.exit_code, signal: row.signal, command: row.command };
      const lines = row.output.replace(/\n$/, '').split('\n');
      const bare = diagnose({ output: lines.join('\n'), ...status });
      const got = diagnose({ output: wrap(lines), ...status });
      expect([row.id, got.failureType, got.rootCause]).toEqual([row.id, bare.failureType, bare.rootCause]);
    }
  });
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
