/** Edits that cannot reach a failure are told with what keeps them from it, and only then. */
import { describe, expect, test } from 'vitest';
import { autopsy } from '../../../../src/core/detect/autopsy/autopsy.ts';
import { diagnose } from '../../../../src/core/diagnose/diagnose.ts';
import { call, edit, failedCall, type Part, transcript } from '../transcript-builder.ts';

const task: Part = { say: 'Let the harbour count its boats.', role: 'person' };
const times = (count: number, part: (index: number) => readonly Part[]): readonly Part[] =>
  Array.from({ length: count }, (_, index) => part(index)).flat();
const change = (index: number, path = 'src/boats.go') => edit(path, `n = ${index}`, `n = ${index + 1}`);

function told(parts: readonly Part[]) {
  const found = autopsy('x', transcript([task, ...parts]), diagnose);
  return { cause: found.rootCause ?? '', next: found.next.startHere ?? '', found };
}

describe('a result from a cache', () => {
  const red = (cache: string) =>
    failedCall(
      'bazel test //boats:all',
      `//boats:count ${cache} FAILED in 0.1s\nwant 4 boats, got 3\n1 failed`,
    );
  test('tells that no edit was tried', () => {
    const { cause, next } = told([red('executed'), ...times(6, (n) => [change(n), red('(cached)')])]);
    expect(cause).toContain('the result may come from a cache');
    expect(next).toContain('Run it past the cache');
  });
  test('of another part, which passes, tells nothing', () => {
    const fails = failedCall(
      'go test ./...',
      'ok  \tport/crane\t(cached)\n--- FAIL: TestBoats\n    want 4, got 3\nFAIL',
    );
    expect(told([fails, ...times(6, (n) => [change(n), fails])]).cause).not.toContain('cache');
  });
});

describe('an old value that stays', () => {
  const shows = call('./deploy --print', 'replicas: port-7.3.1');
  const edits = times(5, (n) => [
    edit('base.yaml', n === 0 ? 'port-7.3.1' : `port-8.${n}`, `port-8.${n + 1}`),
    shows,
  ]);
  test('is told with the file in which a search showed it', () => {
    const found = call('grep -rn port-7 .', './overlays/prod.yaml:3:image: port-7.3.1');
    const { cause, next } = told([shows, ...edits, found, ...times(3, () => [shows])]);
    expect(cause).toContain('it may come from ./overlays/prod.yaml, line 3');
    expect(next).toContain('Open ./overlays/prod.yaml, line 3');
  });
  test('is not told so where only the edited file has it', () => {
    const found = call('grep -rn port-7 .', './base.yaml:3:was port-7.3.1');
    expect(told([shows, ...edits, found, ...times(3, () => [shows])]).cause).not.toContain(
      'it may come from',
    );
  });
});

test('another copy of the edited file that only one output names is what runs', () => {
  const red = failedCall('rspec 2>&1 | tail -2', '1 example, 1 failure\nexpected 4 boats, got 3');
  const long = failedCall(
    'rspec -b',
    '/opt/gems/harbour-1.2/harbour/boats.rb:9\nexpected 4 boats, got 3\n1 example, 1 failure',
  );
  const edits = times(6, (n) => [change(n, '/w/harbour/boats.rb'), red]);
  expect(told([red, ...edits, long, red]).cause).toContain(
    'what the output names is /opt/gems/harbour-1.2/harbour/boats.rb: that may be what runs',
  );
});
