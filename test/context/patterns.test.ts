import { describe, expect, it } from 'vitest';
import { readPatterns } from '../../src/context/patterns.ts';
import { diagnose } from '../../src/core/diagnose/diagnose.ts';
import type { Pattern } from '../../src/core/diagnose/patterns/pattern.ts';

const own = {
  id: 'minio-needed',
  title: 'The upload tests need MinIO on port 9000',
  when: { says: ['ECONNREFUSED .*:9000'] },
  class: 'environment',
  recoverable: false,
  recovery: 'docker compose up -d minio',
  prevention: 'start MinIO in the setup command',
};

function patterns(value: unknown): readonly Pattern[] {
  const read = readPatterns(value);
  if (read.type === 'refused') throw new Error(read.reasons.join('\n'));
  return read.patterns;
}

describe('patterns of the team', () => {
  it('come before the generic rules', () => {
    const output = 'Error: connect ECONNREFUSED 127.0.0.1:9000\n    at x (a.js:1:1)\n';
    expect(diagnose({ output, exitCode: 1 }).failureType).toBe('network_failure');
    const got = diagnose({ output, exitCode: 1 }, patterns([own]));
    expect(got).toMatchObject({
      failureType: 'environment',
      recoverable: false,
      humanInstructions: 'docker compose up -d minio',
      pattern: { id: 'minio-needed' },
    });
    expect(got.evidence[0]?.text).toContain(':9000');
  });

  it('do not turn a success into a failure by words', () => {
    expect(
      diagnose(
        { output: 'connect ECONNREFUSED x:9000, retrying\ndone\n', exitCode: 0, command: 'npm test' },
        patterns([own]),
      ).failureType,
    ).toBe('success');
  });

  it('built in: a failed push of complete work repairs the delivery only', () => {
    const got = diagnose({
      output: "fatal: unable to access 'https://github.com/a/b/': Could not resolve host: github.com\n",
      exitCode: 128,
      command: 'git push origin work',
      work: { completed: ['login form'], missing: [], changed: true },
    });
    expect(got.pattern?.id).toBe('delivery-failed-work-complete');
    expect(got.recoveryPlan).toContain('Do not run the agent again');
    expect(got.failureType).toBe('network_failure');
  });

  it('built in: tests that fail on complete work are resumed, not restarted', () => {
    const got = diagnose({
      output: 'FAILED tests/a.py::test_a - assert 1 == 2\n1 failed in 0.1s\n',
      exitCode: 1,
      command: 'pytest',
      work: { completed: ['a'], missing: [], changed: true },
    });
    expect(got.pattern?.id).toBe('tests-fail-work-complete');
  });

  it('built in: an interrupted attempt with missing parts creates only those', () => {
    const got = diagnose({
      output: 'writing a.txt\n',
      signal: 'SIGINT',
      work: { completed: ['a.txt'], missing: ['b.txt'], changed: true },
    });
    expect(got.pattern?.id).toBe('partial-files');
    expect(diagnose({ output: 'writing a.txt\n', signal: 'SIGINT' }).pattern).toBeNull();
  });

  it('are refused with the place of the mistake', () => {
    const read = readPatterns([
      { ...own, when: { says: ['(a)\\1'] } },
      { ...own, class: 'nonsense' },
      { ...own, when: {} },
      { ...own, extra: 1 },
    ]);
    expect(read.type).toBe('refused');
    if (read.type === 'refused') {
      expect(read.reasons.join('\n')).toContain(
        'patterns.0.when.says.0: is not a pattern that runs in linear time',
      );
      expect(read.reasons.join('\n')).toContain('patterns.1.class: must be one of');
      expect(read.reasons.join('\n')).toContain('patterns.2.when: needs at least one condition');
    }
  });

  it('without configuration the three built-in ones stand', () => {
    expect(patterns(undefined).map(({ id }) => id)).toEqual([
      'delivery-failed-work-complete',
      'tests-fail-work-complete',
      'partial-files',
    ]);
  });
});
