import { describe, expect, it } from 'vitest';
import { runJson } from '../../../src/core/view/run-json.ts';
import { Story } from '../story.ts';

const BY_MAYDAY = { exitCode: null, signal: 'SIGTERM', endedBy: 'mayday' } as const;

describe('an attempt that Mayday stopped itself', () => {
  it('failed by its time limit, attempt after attempt, and not by the signal that ended it', () => {
    const story = new Story({ policy: { timeout_ms: 3_000 } }).prepared().started();
    story.tell({ type: 'timer_fired', name: 'timeout' }, 3_000);
    story.ended(BY_MAYDAY);
    story.tell({ type: 'timer_fired', name: 'retry' }, 60_000);
    story.started();
    story.tell({ type: 'timer_fired', name: 'timeout' }, 3_000);
    story.ended(BY_MAYDAY);
    expect(story.state.incidents.map(({ class: name }) => name)).toEqual(['timeout']);
    expect(story.state.incidents[0]?.diagnosis?.rootCause).toContain('time limit of 3 s');
    expect(JSON.stringify(runJson(story.state).questions)).not.toContain('SIGTERM');
  });

  it('for a rescue mission keeps the name and the cause of its incident', () => {
    const story = new Story().prepared().started();
    story.tell({
      type: 'rescue_requested',
      by: 'ann',
      plan: {
        category: null,
        rootCause: 'it edits the wrong file',
        evidence: [],
        injection: 'edit b.txt',
        filesAdded: [],
        specChanges: [],
      },
    });
    story.ended(BY_MAYDAY);
    expect(story.state.incidents).toMatchObject([
      { class: 'unknown', diagnosis: { rootCause: 'it edits the wrong file' } },
    ]);
  });
});

describe('the times of an incident', () => {
  it('stand in their order although it outlasts several attempts', () => {
    const story = new Story({ policy: { timeout_ms: 3_000 } }).prepared().started();
    story.tell({ type: 'timer_fired', name: 'timeout' }, 3_000);
    story.ended(BY_MAYDAY);
    story.tell({ type: 'timer_fired', name: 'retry' }, 60_000);
    story.started();
    story.tell({ type: 'timer_fired', name: 'timeout' }, 3_000);
    story.ended(BY_MAYDAY);
    const [incident] = runJson(story.state).incidents;
    const times = [
      incident?.detected_at,
      incident?.diagnosed_at,
      incident?.decided_at,
      incident?.resumed_at,
    ] as string[];
    expect(times).toEqual(times.toSorted());
    expect(incident?.phase).toBe(3);
  });
});
