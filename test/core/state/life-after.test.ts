import { describe, expect, it } from 'vitest';
import { openQuestion } from '../../../src/core/state/run-state.ts';
import { runJson } from '../../../src/core/view/run-json.ts';
import { Story } from '../story.ts';

const FAILED = { type: 'command_failed', code: 'NO_SPACE', message: 'no room', advice: [] } as const;

describe('what belongs to one life of a run', () => {
  it('goes with it: the question about a process that would not die ends with that process', () => {
    const story = new Story().prepared().started();
    story.tell({ type: 'attempt_unkillable', attempt: 1, evidence: ['state D'] });
    expect(openQuestion(story.state)?.question.kind).toBe('unkillable');
    story.ended();
    expect(openQuestion(story.state)?.question.kind).not.toBe('unkillable');
    expect(runJson(story.state).questions[0]).toMatchObject({ kind: 'unkillable', state: 'withdrawn' });
  });

  it('stays from one wait to the next: after stop and resume the command that failed is asked for again', () => {
    const story = new Story();
    story.tell({ ...FAILED, command: 'prepare_workspace' });
    const failed = { command: 'prepare_workspace', life: { type: 'preparing' } };
    expect(story.state.life).toMatchObject({ type: 'waiting', for: 'person', failed });
    story.tell({ type: 'stop_requested', by: 'ann', reason: '' });
    expect(story.state.life).toMatchObject({ stopped: { question: 'r1-q1' }, question: null, failed });
    story.tell({ type: 'resume_requested', by: 'ann', note: 'there is room now' });
    expect(story.state.life).toEqual({ type: 'preparing' });
    expect(story.commands()).toEqual(['prepare_workspace']);
  });

  it('is not carried into the next wait once the run went on', () => {
    const story = new Story().prepared();
    story.tell({ ...FAILED, command: 'start_attempt' });
    expect(story.state.life).toMatchObject({ failed: { command: 'start_attempt' } });
    story.tell({ type: 'resume_requested', by: 'ann', note: '' });
    story.started();
    story.tell({ type: 'attempt_unkillable', attempt: 2, evidence: [] });
    expect(story.state.life).toMatchObject({ type: 'waiting', failed: null });
  });

  it('a new attempt begins with nothing delivered, blocked or asked', () => {
    const story = new Story().prepared().started();
    story.tell({ type: 'flag_raised', by: 'ann', reason: 'wrong file' });
    story.ended({ endedBy: 'mayday' });
    expect(story.state.attempts[0]?.flagged).toMatchObject({ by: 'ann' });
    expect(story.state.delivery.blockers).toHaveLength(1);
    story.tell({ type: 'resume_requested', by: 'ann', note: 'the other one' });
    expect(story.state).toMatchObject({
      life: { type: 'working', attempt: 2 },
      delivery: { blockers: [], split: null, passed: null, tries: 0, accepted: null },
      asked: { stop: null, abandon: null },
    });
    expect(story.state.attempts[1]?.flagged).toBeNull();
  });
});
