/** Habits that need no guess about the code: guessed names, two formatters, a program that stays open, a hook, another version. */
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

describe('a name that is not there', () => {
  const names = ['list_all', 'get_all', 'fetch_all', 'find_all', 'all_trees', 'trees', 'each_tree', 'rows'];
  const go = (name: string) =>
    failedCall(
      'go vet ./...',
      `./orchard.go:9:4: db.${name} undefined (type Store has no field or method ${name})`,
    );
  test('and changes with each try is a guess', () => {
    const { cause, next, found } = told(
      names.flatMap((name, n) => [
        edit('orchard.go', `db.${names[n - 1] ?? 'x'}()`, `db.${name}()`),
        go(name),
      ]),
    );
    expect(cause).toContain('it guesses names that Store does not have: `list_all`, `get_all`');
    expect(next).toContain('go doc');
    expect(found.firstStuckStep).not.toBeNull();
  });
  test('of an option asks for the help of the program', () => {
    const { cause, next } = told(
      names.map((name) => failedCall(`prune --${name} trees.csv`, `error: unknown option '--${name}'`)),
    );
    expect(cause).toContain('guesses');
    expect(next).toContain('prune --help');
  });
  test('and stays the same is no guess', () => {
    const { cause } = told(times(8, (n) => [edit('orchard.go', `x${n}`, 'db.rows()'), go('rows')]));
    expect(cause).not.toContain('guesses');
  });
});

describe('two formatters', () => {
  const hook = (id: string) =>
    `${id}....Failed\n- hook id: ${id}\n- files were modified by this hook\n\nFixing src/tree.rb`;
  const commit = (id: string) => failedCall('git commit -am trees', hook(id));
  test('that both complain after the other wrote undo each other', () => {
    const { cause, next } = told(times(4, () => [commit('rubocop'), commit('prettier')]));
    expect(cause).toMatch(/rubocop and prettier rewrite src\/tree\.rb against each other/);
    expect(next).toContain('Do not format again');
  });
  test('of which one complains do not', () => {
    expect(told(times(8, () => [commit('rubocop')])).cause).not.toContain('against each other');
  });
});

describe('a program that a time limit ends', () => {
  const run = (said: string) => failedCall('npx vitest', `${said}\nCommand timed out after 2m 0.0s`);
  test('after it passed watches', () => {
    const { cause, next } = told(
      times(6, () => [run('Tests  12 passed (12)\nPASS  Waiting for file changes...')]),
    );
    expect(cause).toContain('never ends by itself');
    expect(cause).toContain('12 passed');
    expect(next).toContain('npx vitest run');
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

test('a commit whose message the hook refuses is told with all that it asks for', () => {
  const said =
    '✖   type may not be empty [type-empty]\n✖   scope must be one of [api, web]\nhusky - commit-msg script failed (code 1)';
  const { cause, next } = told(times(6, (n) => [failedCall(`git commit -m "Trees ${n}"`, said)]));
  expect(cause).toContain('the commit-msg hook refuses the form of the message');
  expect(cause).toContain('scope must be one of');
  expect(next).toContain('`type: subject`');
});

test('a version that runs although another is wanted is told with the one that is installed', () => {
  const said = 'error: this project requires node >= 20, but the current version is 18.4.0';
  const { cause } = told([
    call('nvm ls', '-> v18.4.0\n   v20'),
    ...times(6, () => [failedCall('npm test', said), failedCall('npm ci', said)]),
  ]);
  expect(cause).toContain('node 18.4.0 runs, and 20 is asked for');
  expect(cause).toContain('`nvm ls` shows');
});

test('versions that ask for each other are told with the one that no edit moved', () => {
  const red = (n: number) =>
    failedCall(
      'mix test',
      n % 2 === 0
        ? 'error: ecto 3.11 requires decimal 2.0 which is not compatible with money'
        : 'error: money 1.4 needs decimal 1.9, too old for ecto',
    );
  const { cause } = told(
    times(8, (n) => [edit('mix.exs', `decimal, "${n}"`, `decimal, "${n + 1}"`), red(n)]),
  );
  expect(cause).toContain('the versions are tied to each other');
  expect(cause).toContain('no edit moved ecto, money');
});

describe('a check that passes and fails by itself', () => {
  const red = (seed: number) =>
    failedCall(
      'bundle exec rspec',
      `Randomized with seed ${seed}\n..F.\n  1) Tree bears\n     expected: 3\n          got: 4\n9 examples, 1 failure`,
    );
  const green = (seed: number) =>
    call('bundle exec rspec', `Randomized with seed ${seed}\n....\n9 examples, 0 failures`);
  test('in a random order is bisected by the seed that fails, not run again', () => {
    const { cause, next, found } = told(times(5, (n) => [green(300 + n), red(100 + n), red(200 + n)]));
    expect(cause).toContain('its order is random');
    expect(next).toContain('bundle exec rspec --seed 204 --bisect');
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

test('an error whose words do not tell what it means is explained', () => {
  const red = failedCall('make prune', 'Makefile:7: *** missing separator.  Stop.');
  const { cause, next } = told(times(7, (n) => [edit('Makefile', `p${n}`, `p${n + 1}`), red]));
  expect(cause).toContain('`make` wants a tab');
  expect(next).toContain('cat -A');
});
