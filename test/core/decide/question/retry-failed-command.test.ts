/** A command that failed because of the machine is asked for again, and nothing that was done is done twice. */
import { describe, expect, it } from 'vitest';
import { retryFailedCommand } from '../../../../src/core/decide/question/retry-failed-command.ts';
import { Turn } from '../../../../src/core/decide/turn.ts';
import type { RunState } from '../../../../src/core/state/run-state.ts';
import type { Life } from '../../../../src/core/vocabulary/life.ts';
import { START, Story } from '../../story.ts';

const worked = new Story().prepared().started().ended().state;
const unworked = { ...worked, attempts: [] };
const delivering: Life = { type: 'delivering', tree: 't1', unverified: true, salvage: 'kept', decidedAt: 5 };

function after(command: string, life: Life, from: RunState = worked) {
  const failed: Life = {
    type: 'waiting',
    for: 'person',
    until: null,
    reason: '',
    question: null,
    failed: { command, life },
  };
  return tried({ ...from, life: failed });
}

function tried(state: RunState) {
  const turn = new Turn(state, { at: START });
  const isRetried = retryFailedCommand(turn);
  return { isRetried, commands: turn.commands.map(({ command }) => command), life: turn.state.life };
}

describe('after a failure of the machine', () => {
  it.each<[string, Life, RunState, object, object]>([
    [
      'prepare_workspace',
      { type: 'preparing' },
      unworked,
      { type: 'prepare_workspace' },
      { type: 'preparing' },
    ],
    [
      'run_checks',
      { type: 'preparing' },
      unworked,
      { type: 'run_checks', purpose: 'baseline', tree: 't0' },
      { type: 'preparing' },
    ],
    [
      'run_checks',
      { type: 'checking', tree: 't0' },
      unworked,
      { type: 'run_checks', purpose: 'baseline', tree: 't0' },
      { type: 'preparing' },
    ],
    [
      'run_checks',
      { type: 'checking', tree: 't0' },
      worked,
      { type: 'run_checks', purpose: 'gate', tree: 't0' },
      { type: 'checking', tree: 't0' },
    ],
    [
      'split_work',
      { type: 'checking', tree: 't0' },
      worked,
      { type: 'run_checks', purpose: 'gate', tree: 't0' },
      { type: 'checking', tree: 't0' },
    ],
    [
      'rebase_work',
      { type: 'checking', tree: 't0' },
      worked,
      { type: 'run_checks', purpose: 'gate', tree: 't0' },
      { type: 'checking', tree: 't0' },
    ],
    [
      'examine_attempt',
      { type: 'examining', attempt: 1 },
      worked,
      { type: 'examine_attempt', attempt: 1, cause: null },
      { type: 'examining', attempt: 1 },
    ],
    ['deliver', delivering, worked, { type: 'deliver', tree: 't1', salvage: true }, delivering],
  ])('%s in %o is asked for again', (command, life, from, asked, then) => {
    const { isRetried, commands, life: now } = after(command, life, from);
    expect(isRetried).toBe(true);
    expect(commands).toEqual([expect.objectContaining(asked)]);
    expect(now).toMatchObject(then);
  });

  it.each<[string, Life]>([
    ['start_attempt', { type: 'working', attempt: 1 }],
    ['stop_attempt', { type: 'stopping', attempt: 1, why: '', by: 'mayday' }],
    ['examine_attempt', { type: 'working', attempt: 1 }],
    ['deliver', { type: 'checking', tree: 't1' }],
  ])('%s in %o is not: going on means a new attempt', (command, life) => {
    expect(after(command, life)).toMatchObject({ isRetried: false, commands: [] });
  });
});

describe('where no command failed', () => {
  it('a run without a workspace gets one first', () => {
    expect(tried({ ...worked, workspace: null })).toEqual({
      isRetried: true,
      commands: [{ type: 'prepare_workspace' }],
      life: { type: 'preparing' },
    });
  });

  it('a run with a workspace goes on', () => {
    expect(tried(worked)).toMatchObject({ isRetried: false, commands: [] });
  });
});
