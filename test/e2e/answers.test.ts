/** What a person says at the command line, and what only a person may say. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { inBox } from './box.ts';

it('a waiver without --note is a wrong call that says how, and nothing is recorded', () =>
  inBox(async (box) => {
    box.policy({ restarts: 0 });
    const run = await box.call(
      'run',
      '--check',
      'test -f b.txt',
      'write b',
      '--',
      'sh',
      '-c',
      'echo A > a.txt',
    );
    expect(run.exitCode, run.stdout + run.stderr).toBe(3);
    expect(run.stdout).toContain('(needs your words: --note)');
    const { run_id } = await box.show();
    const waived = await box.call('answer', `${run_id}-q1`, 'waive_with_reason');
    expect(waived.exitCode).toBe(2);
    expect(waived.stderr).toMatch(/mayday answer \S+-q1 \d --note "YOUR WORDS"/);
    expect((await box.show()).state).toBe('waiting');
  }));

it('a tag that the agent made is told; a branch that came while the run waited is not', () =>
  inBox(async (box) => {
    box.policy({ restarts: 0 });
    const agent = 'test "$MAYDAY_ATTEMPT" = 2 || exit 7; git tag by-the-agent; echo A > a.txt';
    await box.call('run', '--check', 'test -f a.txt', 'write a', '--', 'sh', '-c', agent);
    const { run_id } = await box.show();
    box.git('branch', 'while-it-waited');
    const answered = await box.call('answer', `${run_id}-q1`, 'retry', '--follow');
    expect(answered.exitCode, answered.stdout + answered.stderr).toBe(0);
    const { stdout } = await box.call('show', run_id);
    expect(stdout).toContain('while the agent worked: refs/tags/by-the-agent is new');
    expect(stdout).not.toContain('while-it-waited');
  }));

it('a named pipe where the agent should write its notes holds nobody: the run asks', () =>
  inBox(async (box) => {
    const agent = 'mkfifo "$MAYDAY_BLOCKER" "$MAYDAY_CHECKPOINT"; echo A > a.txt';
    const run = await box.call(
      'run',
      '--json',
      '--check',
      'test -f a.txt',
      'write a',
      '--',
      'sh',
      '-c',
      agent,
    );
    expect(run.exitCode, run.stdout + run.stderr).toBe(3);
    const { questions } = JSON.parse(run.stdout) as { questions: { evidence: string[] }[] };
    expect(questions[0]?.evidence).toContain('the note is not a regular file');
  }));

it('an agent with an empty environment can trust, stop and sweep nothing', () =>
  inBox(async (box) => {
    box.policy({ restarts: 0 });
    const planted = join(box.folder, 'planted');
    writeFileSync(join(box.repository, 'mayday.yaml'), `setup: touch ${planted}\n`);
    const words = [
      'run --trust --sink none x -- true',
      'submit --trust x -- true',
      'init --yes',
      'stop "$MAYDAY_RUN"',
      'sweep',
    ];
    const calls = words.map(
      (word, index) =>
        `env -i PATH="$PATH" MAYDAY_HOME=${box.home} ${process.execPath} ${box.bin} ${word} > ${box.folder}/said-${index} 2>&1; echo "exit $?" >> ${box.folder}/said-${index}`,
    );
    const agent = [`cd ${box.repository}`, ...calls].join('\n');
    const clean = join(box.folder, 'clean');
    box.git('clone', '--quiet', '.', clean);
    const { done } = box.start(['run', '--json', '--sink', 'none', 'x', '--', 'sh', '-c', agent], {
      cwd: clean,
    });
    const run = await done;
    for (const [index, word] of words.entries()) {
      const said = readFileSync(join(box.folder, `said-${index}`), 'utf8');
      expect(said, word).toContain('NOT_A_PERSON');
      expect(said, word).toContain('exit 1');
    }
    expect(existsSync(planted), run.stdout).toBe(false);
    expect(existsSync(join(box.home, 'trusted-configurations.json'))).toBe(false);
  }));

it("a flag that an agent raises with the command is recorded as the agent's", () =>
  inBox(async (box) => {
    const flag = `env -i PATH="$PATH" MAYDAY_HOME=${box.home} ${process.execPath} ${box.bin} flag "$MAYDAY_RUN" --reason "which store?"`;
    const run = await box.call('run', '--json', 'x', '--', 'sh', '-c', `${flag}; sleep 60`);
    expect(run.exitCode, run.stdout + run.stderr).toBe(3);
    const { questions } = JSON.parse(run.stdout) as { questions: { text: string; evidence: string[] }[] };
    expect(questions[0]?.text).toMatch(
      /agent (?:itself raised the blocker flag|cannot go on): “which store\?”/,
    );
  }));

it('a payload that leaked a secret is erased by a person, with the reason, and verify says so', () =>
  inBox(async (box) => {
    await box.call('run', '--check', 'test -f a', 'write a', '--', 'sh', '-c', 'echo a > a');
    const { run_id } = await box.show();
    expect(await box.call('ledger', 'erase', `${run_id}@1`)).toMatchObject({ exitCode: 2 });
    const erased = await box.call('ledger', 'erase', `${run_id}@1`, '--note', 'a key was in it');
    expect(erased.exitCode, erased.stderr).toBe(0);
    const verified = await box.call('verify');
    expect(verified.exitCode, verified.stdout).toBe(0);
    expect(verified.stdout).toMatch(/erased: .*: a key was in it/);
    expect((await box.call('ledger', run_id)).stdout).toContain('(erased)');
  }));
