/** A person's stop, accept, abandon and waiver: what the run does, and what it must not say. */
import { describe, expect, it } from 'vitest';
import type { ComposeFacts } from '../../../src/core/vocabulary/events/compose-facts.ts';
import { acceptRefusal } from '../../../src/core/gates/accept-refusal.ts';
import { openQuestion } from '../../../src/core/state/run-state.ts';
import { runJson } from '../../../src/core/view/run-json.ts';
import { runRow } from '../../../src/core/view/run-row.ts';
import { CHECKPOINT, Story } from '../story.ts';

const COMPOSE: ComposeFacts = {
  target: { name: 'main', commit: 'c1', moved: false, conflicts: [], theirs: [] },
  overlaps: [],
  findings: [],
  targetRules: null,
  markers: [],
  leaving: [],
};
const WORK = { created: ['a.txt'], changed: [], deleted: [], completed: [], missing: [], delivered: false };
const DONE = { claimsDone: true, checkpoint: CHECKPOINT, partialWork: WORK };

function asksAboutScope(): Story {
  const story = new Story({ task: { scope: ['src/**'] } }).prepared().started().ended({ exitCode: 0 }, DONE);
  story.checked('gate', 't1', true, ['db/token.ts']);
  return story;
}

describe('stop', () => {
  it('of a working run leaves no question: it waits for `mayday resume`', () => {
    const story = new Story().prepared().started();
    story.tell({ type: 'stop_requested', by: 'ann', reason: 'lunch' });
    story.ended({ exitCode: null, signal: 'SIGINT', endedBy: 'person' });
    expect(story.state.questions).toEqual([]);
    expect(story.state.life).toMatchObject({
      type: 'waiting',
      for: 'person',
      reason: 'stopped by ann: lunch',
    });
    expect(runRow(story.state).needsPerson).toBe(false);
    expect(runJson(story.state)).toMatchObject({ state: 'waiting', next_step: 'mayday resume r1' });
    story.tell({ type: 'resume_requested', by: 'ann', note: '' });
    expect(story.commands()).toEqual(['start_attempt']);
  });

  it('of a run that asks puts its question aside; resume asks the same again and starts nothing', () => {
    const story = asksAboutScope();
    const first = openQuestion(story.state)?.question;
    story.tell({ type: 'stop_requested', by: 'ann', reason: '' });
    expect(openQuestion(story.state)).toBeUndefined();
    expect(runJson(story.state).questions).toMatchObject([{ state: 'withdrawn' }]);
    expect(story.last.timers.cancel).toContain('question');
    story.tell({ type: 'resume_requested', by: 'ann', note: '' });
    expect(story.commands()).toEqual([]);
    expect(openQuestion(story.state)?.question).toMatchObject({ id: 'r1-q2', text: first?.text });
    story.tell({ type: 'question_answered', question: 'r1-q2', option: 'expand_scope', note: '', by: 'ann' });
    expect(story.commands()).toEqual(['run_checks']);
  });

  it('and then resume with advice sends the agent on', () => {
    const story = asksAboutScope();
    story.tell({ type: 'stop_requested', by: 'ann', reason: '' });
    story.tell({ type: 'resume_requested', by: 'ann', note: 'stay in src' });
    expect(story.commands()).toEqual(['start_attempt']);
  });

  it('twice is once', () => {
    const story = asksAboutScope();
    story.tell({ type: 'stop_requested', by: 'ann', reason: '' });
    expect(story.tell({ type: 'stop_requested', by: 'bob', reason: '' })).toBeNull();
  });

  it('leaves the question about a process that cannot be killed', () => {
    const story = new Story().prepared().started();
    story.tell({ type: 'stop_requested', by: 'ann', reason: '' });
    story.tell({ type: 'attempt_unkillable', attempt: 1, evidence: ['pid 7 in D'] });
    story.tell({ type: 'stop_requested', by: 'ann', reason: '' });
    expect(openQuestion(story.state)?.question.kind).toBe('unkillable');
  });

  it('survives what others say meanwhile: a hold starts nothing, and the question is asked again after it', () => {
    const story = asksAboutScope();
    story.tell({ type: 'stop_requested', by: 'ann', reason: '' });
    const hold = { key: 'h', kind: 'network' as const, reason: 'down', until: null, holder: 'r2', since: 0 };
    story.tell({ type: 'held', hold: hold as never, attempt: null });
    expect(story.commands()).toEqual([]);
    expect(story.state.life).toMatchObject({ for: 'person', reason: 'stopped by ann' });
    story.tell({ type: 'resume_requested', by: 'ann', note: '' });
    expect(openQuestion(story.state)?.question.id, 'what the stop put aside').toBe('r1-q2');
  });
});

describe('accept', () => {
  it('of work whose check fails needs a note; with one it is delivered as not proven', () => {
    const story = new Story({ policy: { restarts: 0 } }).prepared().started().ended({ exitCode: 0 }, DONE);
    story.checked('gate', 't1', false, ['a.txt']);
    expect(acceptRefusal(story.state, ' ')).toBe('note_missing');
    expect(story.tell({ type: 'accept_requested', by: 'ann', note: '' })).toBeNull();
    story.tell({ type: 'accept_requested', by: 'ann', note: 'known red' });
    expect(story.commands()).toEqual(['deliver']);
  });

  it('of work that no check has seen needs a note', () => {
    const story = new Story().prepared().started();
    expect(acceptRefusal(story.state, '')).toBe('note_missing');
    story.ended({}, { checkpoint: CHECKPOINT, partialWork: WORK });
    expect(acceptRefusal(story.state, '')).toBe('note_missing');
    expect(acceptRefusal(story.state, 'good enough')).toBeNull();
  });

  it('of work that every check passed needs no note', () => {
    const story = new Story().prepared().started().ended({ exitCode: 0 }, DONE);
    story.checked('gate', 't1', true, ['a.txt']);
    story.tell({
      type: 'delivery_blocked',
      blocker: {
        code: 'sink_drifted',
        stage: 'materialize',
        returnsTo: 'materialize',
        source: 'said',
        said: ['x'],
        resolutions: ['fix_sink'],
      },
    });
    expect(acceptRefusal(story.state, '')).toBeNull();
  });

  it('of nothing is refused, whatever the note says', () => {
    const story = new Story().prepared().started().ended();
    expect(acceptRefusal(story.state, 'nothing to do')).toBe('nothing_to_deliver');
    expect(story.tell({ type: 'accept_requested', by: 'ann', note: 'nothing to do' })).toBeNull();
  });

  it('of a live attempt that then left nothing does not say delivered: it asks', () => {
    const story = new Story().prepared().started();
    story.tell({ type: 'accept_requested', by: 'ann', note: 'good enough' });
    story.ended({ exitCode: null, signal: 'SIGINT', endedBy: 'person' });
    expect(story.state.life.type).not.toBe('ended');
    expect(openQuestion(story.state)?.question.kind).toBe('empty_change');
  });
});

describe('a blocker that no check proves or disproves', () => {
  const violation = {
    kind: 'missing' as const,
    rule: 'r',
    says: 'no links without limits',
    approval: null,
    evidence: ['a.txt:1: x'],
  };
  const gate = (story: Story, compose: Partial<ComposeFacts>) =>
    story.checked('gate', 't1', true, ['a.txt'], undefined, undefined, { ...COMPOSE, ...compose });

  function answered(option: string): Story {
    const story = new Story().prepared().started().ended({ exitCode: 0 }, DONE);
    gate(story, { findings: [violation] });
    const question = openQuestion(story.state)?.question.id ?? '';
    story.tell({ type: 'question_answered', question, option, note: 'ok', by: 'ann' });
    return story;
  }
  const outcomes = (story: Story) =>
    story.state.incidents.map((incident) => `${incident.class} ${incident.outcome}`);

  it('and is waived: the work is delivered, and that is no rescue', () => {
    const story = gate(answered('waive_with_reason'), { findings: [violation] });
    story.tell({ type: 'work_delivered', ref: 'b', files: ['a.txt'], salvage: false });
    expect(story.state.life).toMatchObject({ type: 'ended', state: 'delivered' });
    expect(outcomes(story)).toEqual(['policy_violated abandoned']);
  });

  it('and is waived: no rescue either when the gate then says no for another reason', () => {
    const story = gate(answered('waive_with_reason'), { findings: [violation], markers: ['a.txt:3'] });
    expect(outcomes(story)).toEqual(['policy_violated abandoned', 'false_success null']);
  });

  it('and that the agent then mends is a rescue', () => {
    const story = answered('revise_work').started().ended({ exitCode: 0 }, DONE);
    gate(story, {}).tell({ type: 'work_delivered', ref: 'b', files: ['a.txt'], salvage: false });
    expect(outcomes(story)).toEqual(['policy_violated resolved']);
  });
});
