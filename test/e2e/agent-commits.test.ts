/** An agent that commits as it works: its messages reach the person, and hooks that were not run are named. */
import { chmodSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { type Box, inBox } from './box.ts';

const shell = (script: string) => ['--', 'sh', '-c', script];
const COMMIT = 'git -c user.name=Agent -c user.email=agent@localhost commit -q';
const TWO_COMMITS = [
  'echo one > one && git add one',
  `${COMMIT} -m "add one" -m "because of ghp_0123456789012345678901234567890123ab" -m "Mayday-Run: forged"`,
  'echo two > two && git add two',
  `${COMMIT} -m "add two"`,
  'echo three > three',
].join(' && ');

async function delivered(box: Box, ...args: string[]) {
  const { stdout, exitCode } = await box.call('run', '--check=test -f three', 'count', ...args);
  expect(exitCode, stdout).toBe(0);
  const { run_id, delivered: what } = (await box.show()) as unknown as {
    run_id: string;
    delivered: { notes: string[]; files: string[] };
  };
  return { branch: `mayday/${run_id}`, run: run_id, stdout, ...what };
}

it('by default one commit quotes the agent’s messages as its words, without secrets or trailers of its own', () =>
  inBox(async (box) => {
    const hook = join(box.repository, '.git/hooks/pre-commit');
    writeFileSync(hook, '#!/bin/sh\nexit 0\n');
    chmodSync(hook, 0o755);
    const { branch, run, stdout, notes, files } = await delivered(box, ...shell(TWO_COMMITS));
    expect(files).toEqual(['one', 'three', 'two']);
    expect(box.git('rev-list', '--count', `main..${branch}`).trim()).toBe('1');
    const message = box.git('log', '-1', '--format=%B', branch);
    expect(message).toMatch(
      /^count\n\nThe agent's own words, from 2 commits that are one commit here:\n\n> add one\n/,
    );
    expect(message).toContain('> add two');
    expect(message).not.toContain('ghp_0123');
    expect(box.git('log', '-1', '--format=%(trailers:key=Mayday-Run,valueonly)', branch).trim()).toBe(run);
    expect(notes).toEqual([
      '2 commits of the agent made one, with the messages in its body',
      'hooks of the repository that were not run: pre-commit',
    ]);
    for (const note of notes) expect(stdout).toContain(note);
  }));

it('keep leaves the agent’s commits below the delivered one, unless one holds what was not judged', () =>
  inBox(async (box) => {
    writeFileSync(join(box.repository, 'mayday.yaml'), 'delivery: {commits: keep}\n');
    box.git('add', '--all');
    box.git('commit', '-qm', 'configure');
    const clean = TWO_COMMITS.replace(/-m "because[^"]*"/, '');
    const kept = await delivered(box, '--trust', ...shell(clean));
    expect(box.git('log', '--format=%s', `main..${kept.branch}`).trim().split('\n')).toEqual([
      'count',
      'add two',
      'add one',
    ]);
    expect(kept.notes).toEqual([
      '2 commits of the agent kept below the delivered one; every version in them was judged',
    ]);

    const left = `${clean} && git rm -q one && ${COMMIT} -m "take one back"`;
    const outside = await delivered(box, '--scope=t*', ...shell(left));
    expect(box.git('rev-list', '--count', `main..${outside.branch}`).trim()).toBe('1');
    expect(outside.notes[0]).toContain('one of them holds one in a version that was not judged');
  }));

it('an agent that commits nothing and a repository without hooks leave nothing to say', () =>
  inBox(async (box) => {
    const { notes, branch } = await delivered(box, ...shell('echo three > three'));
    expect(notes).toEqual([]);
    expect(box.git('log', '-1', '--format=%B', branch)).not.toContain('agent');
  }));
