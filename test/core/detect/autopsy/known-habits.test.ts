/** Habits that need no guess about the code: guessed names, a program that stays open, a check that is flaky. */
import { describe, expect, test } from 'vitest';
import { autopsy } from '../../../../src/core/detect/autopsy/autopsy.ts';
import { diagnose } from '../../../../src/core/diagnose/diagnose.ts';
import { call, edit, failedCall, type Part, transcript } from '../transcript-builder.ts';

const task: Part = { say: 'Let the orchard list its trees.', role: 'person' };
const times = (count: number, part: (index: number) => readonly Part[]): readonly Part[] =>
  Array.from({ length: count }, (_, index) => part(index)).flat();

function told(parts: readonly Part[]) {
  const found = autopsy('x', transcript([task, ...parts]), diagnose);
  return { cause: found.rootCause ?? '', next: found.next.startHere ?? '', found };
}

describe('a program that a time limit ends', () => {
  const run = (said: string) => failedCall('npx vitest', `${said}\nCommand timed out after 2m 0.0s`);
  test('after it passed watches', () => {
    const { cause, next } = told(
      times(6, () => [run('Tests  12 passed (12)\nPASS  Waiting for file changes...')]),
    );
    expect(cause).toContain('may not end by itself');
    expect(cause).toContain('12 passed');
    expect(next).toContain('--run');
  });
  test('after it listens is a server', () => {
    const serve = failedCall(
      'node orchard.js',
      'Orchard listening on port 8080\nCommand timed out after 2m 0.0s',
    );
    const { cause, next } = told(times(6, () => [serve]));
    expect(cause).toContain('it is a server');
    expect(next).toContain('in the background');
  });
  test('while it counts is slow', () => {
    expect(told(times(6, (n) => [run(`test ${n} of 900`)])).cause).not.toContain('by itself');
  });
});

describe('a check that passes and fails by itself', () => {
  const red = (seed: number) =>
    failedCall(
      'bundle exec rspec',
      `Randomized with seed ${seed}\n..F.\n  1) Tree bears\n     expected: 3\n          got: 4\n9 examples, 1 failure`,
    );
  const green = (seed: number) =>
    call('bundle exec rspec', `Randomized with seed ${seed}\n....\n9 examples, 0 failures`);
  test('in a random order is halved by the seed that fails, not run again', () => {
    const { cause, next, found } = told(times(5, (n) => [green(300 + n), red(100 + n), red(200 + n)]));
    expect(cause).toContain('its order is random');
    expect(next).toContain('Repeat a run that fails (`--seed 204`)');
    expect(found.turns[1]?.errorLine).toBe('1) Tree bears');
  });
  test('is not taken to pass where a pipe cut the failure away', () => {
    const whole = failedCall(
      'gradle test',
      '\n* What went wrong:\nCould not run.\n> No such plugin: orchard\n\n* Try:\nBUILD FAILED',
    );
    const cut = call('gradle test 2>&1 | head -1', 'Starting a Gradle Daemon');
    const { cause } = told(times(7, (n) => [edit('build.gradle', `${n}`, `${n + 1}`), whole, cut]));
    expect(cause).not.toContain('flaky');
    expect(cause).toContain('No such plugin: orchard');
  });
});
