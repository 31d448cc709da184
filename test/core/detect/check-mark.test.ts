import { expect, test } from 'vitest';
import { askedProgram } from '../../../src/core/detect/check-mark.ts';

test.each([
  'npm test',
  'npm test 2>&1 | tail -4',
  'npm test > /tmp/out.txt 2>&1; tail -5 /tmp/out.txt',
  'chmod u+w src/types.ts && npm test 2>&1 | tail -3',
  'rm -rf node_modules/.cache && npm test',
  'cd /repo/web && npm test',
  'sleep 20; npm test || true',
  'timeout 60 npm test',
  'timeout -s KILL 60s npm test --silent',
  'CI=1 NODE_ENV="test mode" npm test',
  'time npm test',
])('%s asks for the same check', (command) => {
  expect(askedProgram(command)).toBe('npm test');
});

test.each([
  'gh run view 981',
  'sleep 30; gh run view 981 | grep visual',
  'gh run view 981 | head -20',
  "sleep 290; gh run view 981 | awk '$2 == 1'",
])('%s looks at the same state', (command) => {
  expect(askedProgram(command)).toBe('gh run view 981');
});

test.each([
  ['npm test', 'npm run build'],
  ['pytest tests/a.py', 'pytest tests/b.py'],
  ['rm -rf build && make all', 'rm -rf build'],
  ['cd web && npm test', 'cd api && go test ./...'],
])('%s and %s are two', (one, other) => {
  expect(askedProgram(one)).not.toBe(askedProgram(other));
});
