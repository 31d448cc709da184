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

describe('a symbol that the build does not know', () => {
  const red = failedCall(
    'cmake --build out 2>&1 | tail -4',
    "quay.cpp:(.text+0x1a): undefined reference to `Mooring::tie(int)'\ncollect2: error: ld returned 1 exit status",
  );
  const write = (text: string): Part => ({
    call: JSON.stringify({ file_path: 'src/mooring.cpp', content: text }),
    tool: 'Write',
    result: 'File created successfully at: src/mooring.cpp',
  });
  const edits = times(6, (n) => [edit('src/mooring.cpp', `// ${n}`, `// ${n + 1}`), red]);
  test('though this run made its file is told with that file', () => {
    const { cause, next } = told([write('void Mooring::tie(int n) {}'), red, ...edits]);
    expect(cause).toContain(
      'tie is in src/mooring.cpp, which call 1 made, but the build may not take that file',
    );
    expect(next).toContain('configure the build again');
  });
  test('and that no new file has is not', () => {
    expect(told([write('void Mooring::cast() {}'), red, ...edits]).cause).not.toContain('does not take');
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
    expect(cause).toContain('what counts is ./overlays/prod.yaml, line 3');
    expect(next).toContain('Change ./overlays/prod.yaml, line 3');
  });
  test('is not told so where only the edited file has it', () => {
    const found = call('grep -rn port-7 .', './base.yaml:3:was port-7.3.1');
    expect(told([shows, ...edits, found, ...times(3, () => [shows])]).cause).not.toContain('what counts');
  });
});

describe('a symptom', () => {
  const red = (line: string) =>
    failedCall(
      'kubectl rollout status deploy/crane',
      `Waiting for rollout\n${line}\nerror: timed out waiting for the condition`,
    );
  test('is told with the line beside it that says what hinders', () => {
    const { cause } = told(times(7, (n) => [change(n, 'crane.yaml'), red('0/3 nodes: Insufficient memory')]));
    expect(cause).toContain('The program also says: 0/3 nodes: Insufficient memory');
  });
  test('stays one where no line says more', () => {
    const { cause } = told(times(7, (n) => [change(n, 'crane.yaml'), red('0 of 3 updated')]));
    expect(cause).not.toContain('says why');
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

describe('settings', () => {
  const red = failedCall(
    'npm run lint',
    '> oxlint --config ci/lint.json src\nharbour.ts: 3 problems found\n3 errors',
  );
  const edits = (path: string) => times(6, (n) => [edit(path, `max: ${n}`, `max: ${n + 1}`), red]);
  test('that are edited while others are read are told with the ones that are read', () => {
    const { cause, next } = told([red, ...edits('lint.config.json')]);
    expect(cause).toContain('the output names ci/lint.json');
    expect(next).toContain('Change ci/lint.json');
  });
  test('that are edited and read are not', () => {
    expect(told([red, ...edits('ci/lint.json')]).cause).not.toContain('what is read');
  });
});

test('a refused login beside the failure is told, and no edit of versions', () => {
  const said =
    'error: no version of tide-tables matches 3.x\nwarning: feed.port.test answered 401 Unauthorized';
  const { cause, next, found } = told(
    times(7, (n) => [change(n, 'deps.lock'), failedCall('pull deps', said)]),
  );
  expect(cause).toContain('401 Unauthorized');
  expect(next).toContain('The login for that address');
  expect(found.class).toBe('auth_failure');
});
