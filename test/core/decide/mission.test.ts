import { describe, expect, it } from 'vitest';
import { type MissionPlan, missionState } from '../../../src/core/vocabulary/mission.ts';
import { missionJson } from '../../../src/core/view/mission-json.ts';
import { EXAMINATION, Story } from '../story.ts';

const PLAN: MissionPlan = {
  category: 'missing_context',
  rootCause: 'the key is in vault',
  evidence: [],
  injection: 'read it from the vault',
  filesAdded: [],
  specChanges: [],
};

/** A rescue that went well: the interrupted agent goes on and something useful comes of it. */
function rescued(plan: MissionPlan = PLAN): Story {
  const story = new Story().prepared().started().ended({ exitCode: null, signal: 'SIGINT' });
  story.tell({ type: 'rescue_requested', by: 'ann', plan });
  story.started();
  story.tell({ type: 'progress_observed', attempt: 2, kind: 'tree', detail: 'a.txt' });
  return story;
}

const enrich = (story: Story, contextUpdates: readonly string[], reason: string | null) =>
  story.tell({ type: 'mission_enriched', mission: 'r1-m1', contextUpdates, reason, by: 'ann' });

const shown = ({ state }: Story) => {
  const [mission] = state.missions;
  if (mission === undefined) throw new Error('no mission');
  const { outcome, closed_at, enrichment } = missionJson('r1', mission);
  return { state: missionState(mission), outcome, closed: closed_at !== null, owed: enrichment.state };
};

describe('a rescue mission', () => {
  it('that went well has an outcome and is not closed: it owes what was learned', () => {
    expect(shown(rescued())).toEqual({
      state: 'owes_enrichment',
      outcome: 'resolved',
      closed: false,
      owed: 'owed',
    });
  });

  it.each([
    ['a lesson', ['lesson vault'], null],
    ['a changed specification', ['spec: README names the vault'], null],
    ['the reason why there is none', [], 'a typing error'],
  ])('closes with %s', (_, updates, reason) => {
    const story = rescued();
    expect(enrich(story, updates, reason)).not.toBeNull();
    expect(shown(story)).toEqual({ state: 'closed', outcome: 'resolved', closed: true, owed: 'done' });
  });

  it.each([
    ['nothing', [], null],
    ['an empty reason', [], '  '],
    ['an empty update', [' '], null],
  ])('does not close with %s', (_, updates, reason) => {
    const story = rescued();
    expect(enrich(story, updates, reason)).toBeNull();
    expect(shown(story).state).toBe('owes_enrichment');
  });

  it('whose rescuer changed a specification owes nothing more', () => {
    expect(shown(rescued({ ...PLAN, specChanges: ['AGENTS.md names the vault'] })).state).toBe('closed');
  });

  it('that is enriched early closes with its outcome, not before', () => {
    const story = new Story().prepared().started().ended({ exitCode: null, signal: 'SIGINT' });
    story.tell({ type: 'rescue_requested', by: 'ann', plan: PLAN });
    enrich(story, ['lesson vault'], null);
    expect(shown(story)).toMatchObject({ state: 'under_way', closed: false });
    story.started();
    story.tell({ type: 'progress_observed', attempt: 2, kind: 'tree', detail: 'a.txt' });
    expect(shown(story)).toMatchObject({ state: 'closed', closed: true });
  });

  it('begins with what the machine could not do before: nobody goes on with work that was not saved', () => {
    const story = new Story().prepared().started();
    story.tell({
      type: 'attempt_ended',
      attempt: 1,
      exit: { exitCode: 1, signal: null, outOfMemory: false, endedBy: 'itself', exitedAt: story.now },
    });
    story.tell({
      type: 'command_failed',
      command: 'examine_attempt',
      code: 'DISK_FULL',
      message: 'no space',
      advice: [],
    });
    story.tell({ type: 'rescue_requested', by: 'ann', plan: PLAN });
    expect(story.commands()).toEqual(['examine_attempt']);
    story.tell({ type: 'attempt_examined', attempt: 1, examination: EXAMINATION });
    expect(story.commands()).toEqual(['start_attempt']);
    expect(story.state.attempts.at(-1)?.brief).toContain(PLAN.injection);
  });

  it('has no workspace to begin in: that is made first', () => {
    const story = new Story();
    story.tell({
      type: 'command_failed',
      command: 'prepare_workspace',
      code: 'DISK_FULL',
      message: 'no space',
      advice: [],
    });
    story.tell({ type: 'rescue_requested', by: 'ann', plan: PLAN });
    expect(story.commands()).toEqual(['prepare_workspace']);
    story.prepared().checked('baseline', 't0', false, []);
    expect(story.state.attempts.at(-1)?.brief).toContain(PLAN.injection);
  });

  it('that nobody needed any more, because the work passed meanwhile, has an outcome too', () => {
    const story = new Story().prepared().started();
    story.ended(
      { exitCode: 0 },
      {
        claimsDone: true,
        checkpoint: { number: 1, state: 'complete', tree: 't1', commit: 'k', missing: [], reason: '' },
      },
    );
    story.tell({ type: 'rescue_requested', by: 'ann', plan: PLAN });
    story.checked('gate', 't1', true, ['a.txt']);
    story.tell({ type: 'work_delivered', ref: 'mayday/r1', files: ['a.txt'], salvage: false });
    expect(story.state.life).toMatchObject({ type: 'ended', state: 'delivered' });
    expect(story.state.missions[0]?.outcome).toBe('abandoned');
  });

  it('is closed once', () => {
    const story = rescued();
    enrich(story, [], 'a typing error');
    expect(enrich(story, ['lesson late'], null)).toBeNull();
  });
});
