/** What a person says at the command line, and what only a person may say. */
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
    expect(run.stdout).toContain('[waive_with_reason]  (needs --note)');
    const { run_id } = await box.show();
    const waived = await box.call('answer', `${run_id}-q1`, 'waive_with_reason');
    expect(waived.exitCode).toBe(2);
    expect(waived.stderr).toContain(`mayday answer ${run_id}-q1 waive_with_reason --note "YOUR WORDS"`);
    expect((await box.show()).state).toBe('waiting');
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
