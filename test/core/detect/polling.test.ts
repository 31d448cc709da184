import { describe, expect, test } from 'vitest';
import { pollingOf } from '../../../src/core/detect/polling.ts';
import { call, callsUntilCritical, failedCall, hear, type Part, transcript } from './transcript-builder.ts';

const times = (count: number, parts: readonly Part[]): readonly Part[] =>
  Array.from({ length: count }, () => parts).flat();

const HTTP_CODE = `curl -s -o /dev/null -w '%{http_code}' http://localhost:3000/`;

describe('honest polling is judged by time, whatever it answers', () => {
  const FORMS: readonly (readonly [string, readonly Part[]])[] = [
    ['a status code', [call(HTTP_CODE, '000')]],
    ['a status code, as a failure', [failedCall(HTTP_CODE, '000')]],
    ['a code after a sleep', [call(`sleep 10; ${HTTP_CODE}`, '000')]],
    ['a file that is not there yet', [call('test -f dist/done && echo yes || echo no', 'no')]],
    ['a file, with a bracket', [failedCall('[ -f build/ok ]', 'Exit code 1')]],
    ['anything after a sleep', [failedCall('sleep 30; ./ready.sh', 'no')]],
    ['a test after a sleep', [failedCall('sleep 60 && npm test', 'Error: database is starting')]],
    ['a loop of its own', [failedCall('until nc -z localhost 5432; do sleep 1; done', 'timed out')]],
    [
      'a loop inside a shell with a limit',
      [failedCall("timeout 30 bash -c 'until pg_isready; do sleep 2; done'", 'no response')],
    ],
    ['a counted loop', [call('for i in 1 2 3; do curl -fsS localhost:80 && break; sleep 5; done', 'no')]],
    ['a database', [failedCall('pg_isready -h localhost', 'localhost:5432 - no response')]],
    ['a query', [call("psql -h db -c 'select 1' >/dev/null 2>&1 && echo yes || echo no", 'no')]],
    ['a word in a log', [call('grep -q READY server.log && echo yes || echo no', 'no')]],
    ['a port', [failedCall('nc -z localhost 6379', '')]],
    ['pods', [call('kubectl get pods -l app=web', 'web-0  0/1  ContainerCreating')]],
    ['containers', [call("docker ps --filter name=db --format '{{.Status}}'", 'Up (health: starting)')]],
    ['a build elsewhere', [call('gh run view 17 --json status', '{"status":"requested"}')]],
    ['the checks of a pull request', [failedCall('gh pr checks 12', 'build\tpending\t0\thttps://ci.test/1')]],
    ['a service', [failedCall('systemctl is-active web', 'activating')]],
    ['a captured answer', [call('code=$(curl -s localhost/x); echo "got $code"', 'got')]],
    ['an answer that is compared', [failedCall('[ "$(curl -s localhost/x)" = ok ]', '')]],
    ['a sleep of its own, then a look', [call('sleep 20', ''), call('cat result.txt', 'no')]],
    [
      'a script that sleeps',
      [call('python3 -c "import time; time.sleep(15); print(open(\'r\').read())"', 'no')],
    ],
    ['PowerShell', [call('Start-Sleep -Seconds 10; Get-Content out.log', 'no')]],
    ['a log on its way', [call('sleep 15; tail -3 /tmp/build.log > /tmp/t; cat /tmp/t', 'compiling')]],
  ];
  test.each(FORMS)('%s', (_, poll) => {
    expect(hear(times(12, poll)).signals).toEqual([]);
  });
  test('in eight forms at least', () => {
    expect(new Set(FORMS.map(([form]) => form)).size).toBeGreaterThanOrEqual(8);
  });

  test.each<readonly [string, readonly Part[]]>([
    ['a probe', [call(HTTP_CODE, '000')]],
    ['a sleep and a look', [call('sleep 20', ''), call('cat result.txt', 'no')]],
    ['only sleeps', [call('sleep 20', '')]],
  ])('%s that goes on for longer than anything takes is told in the end', (_, poll) => {
    const limits = { poll_warn_ms: 30_000, poll_stop_ms: 60_000 };
    const { signals } = hear(times(60, poll), limits);
    expect(signals.map(({ type, severity }) => `${type} ${severity}`)).toEqual([
      'stalled warning',
      'stalled critical',
    ]);
  });
});

describe('a loop is a loop', () => {
  test.each<readonly [string, readonly Part[]]>([
    ['a failing build', [failedCall('make', 'make: *** No rule to make target.')]],
    ['a failing test', [failedCall('npm test', 'Tests failed: 1')]],
    ['a failing test that says yes or no', [call('npm test >/dev/null 2>&1 && echo yes || echo no', 'no')]],
    ['a file that does not exist', [failedCall('cat missing.txt', 'No such file or directory')]],
    ['a start that is given a moment', [failedCall('npm start & sleep 5; ./probe.sh', 'refused')]],
    ['a pause that is none', [failedCall('sleep 0.1; make', 'make: *** No rule to make target.')]],
    ['sending the same again', [failedCall("curl -X POST -d '{}' localhost/jobs", '400 bad request')]],
    ['the state of the tree', [call('git status', 'nothing to commit')]],
    [
      'a word that only looks like a wait',
      [failedCall('grep -rn "sleep 5; done" src', 'grep: src: No such file')],
    ],
    ['a page that is read', [call('curl -s https://docs.example.com/', 'word '.repeat(1_000))]],
  ])('%s is caught by the fifth', (_, parts) => {
    expect(callsUntilCritical(transcript(times(6, parts)))).toBeLessThanOrEqual(5);
  });

  test('a probe that is asked again faster than a model can think is hammering', () => {
    const entries = Array.from({ length: 6 }, (_, index) => {
      const at = 1_000 + index * 300;
      return [
        { type: 'tool_call', at, id: `${index}`, tool: 'Bash', input: HTTP_CODE },
        { type: 'tool_result', at: at + 50, id: `${index}`, output: '000', isError: false },
      ] as const;
    }).flat();
    // The first of them has no pause before it.
    expect(callsUntilCritical(entries)).toBeLessThanOrEqual(6);
  });
});

test.each([
  ['sleep 5 && npm test', 'sleep'],
  ['cd app; sleep 5; make', 'sleep'],
  ['echo waiting; sleep 2m; make', 'sleep'],
  ['while ! docker inspect db; do sleep 1; done', 'sleep'],
  ['kubectl rollout status deploy/web', 'sleep'],
  ['tail -f build.log', 'sleep'],
  ['wget -qO- localhost', 'probe'],
  ['wget https://example.com/a.tgz', null],
  ['curl -o a.tgz https://example.com/a.tgz', null],
  ['curl -s localhost | jq .state', 'probe'],
  ['curl -s localhost > page.html', null],
  ['gh run view 7 | grep -c success', 'probe'],
  ['./deploy.sh && curl -s localhost', null],
  ['docker compose up -d; sleep 10; docker ps', null],
  ['cat status.txt', null],
  ["psql -h db -c 'select 1' >/dev/null 2>&1 && echo yes || echo no", 'probe'],
  ["mysql -e 'select 1' && echo yes || echo no", 'probe'],
  ["psql -c 'insert into jobs values (1)' && echo yes || echo no", null],
  ['psql -f migrate.sql && echo yes || echo no', null],
  ['docker compose exec db pg_isready && echo yes || echo no', 'probe'],
  ['docker compose exec -T db pg_isready', 'probe'],
  ['docker compose exec app npm test', null],
  ['grep -q READY server.log && echo yes || echo no', 'probe'],
  ['if ls dist/done.txt; then echo yes; else echo no; fi', 'probe'],
  ['(echo > /dev/tcp/localhost/5432) 2>/dev/null && echo up || echo down', 'probe'],
  ['make >/dev/null 2>&1 && echo yes || echo no', null],
  ['./build.sh && echo yes || echo no', null],
  ['while read f; do ./convert $f; done', null],
] as const)('%j polls by %s', (command, polling) => {
  expect(pollingOf(command)).toBe(polling);
});
