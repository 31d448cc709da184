import { describe, expect, it } from 'vitest';
import { opinionLine, opinionSays } from '../../../src/core/view/opinions-json.ts';
import { runJson } from '../../../src/core/view/run-json.ts';
import type { RunState } from '../../../src/core/state/run-state.ts';
import type { GivenOpinion, OpinionOutcome } from '../../../src/core/vocabulary/opinion.ts';
import { Story } from '../story.ts';

const START = new Story().prepared().started().state;

function answered(failureClass: string, confidence: number): OpinionOutcome {
  return {
    type: 'answered',
    opinion: {
      by: 'claude',
      kind: 'diagnose',
      answer: { class: failureClass, cause: 'the disk\nis full' },
      quotes: [{ entry: 3, text: 'No space left on device' }],
      checked: [],
      confidence,
      costUsd: 0.004,
      tokens: 900,
    },
  };
}
const unanswered: OpinionOutcome = {
  type: 'unanswered',
  by: 'claude',
  kind: 'diagnose',
  reason: 'no answer within 60 s',
  costUsd: null,
  tokens: null,
};
const given = (outcome: OpinionOutcome): GivenOpinion => ({
  outcome,
  at: 5,
  attempt: 1,
  durationMs: 1_000,
  promptHash: 'h',
});
const withOpinions = (outcomes: readonly OpinionOutcome[], state: RunState = START): RunState => ({
  ...state,
  opinions: outcomes.map(given),
});

describe('an opinion', () => {
  it('is told in a line, with its quotes and its cost, apart from what it says', () => {
    expect(opinionLine(answered('disk_full', 0.9))).toBe(
      'opinion of claude, 1 quote found in the record, $0.004',
    );
    expect(opinionSays(answered('disk_full', 0.9))).toBe('the disk is full');
    expect(opinionLine(unanswered)).toBe('no opinion of claude: no answer within 60 s');
  });

  it('stands in the document of its run, with all that were asked and what they cost', () => {
    const document = runJson(withOpinions([answered('disk_full', 0.9), unanswered]));
    expect(document).toMatchObject({
      opinion: { by: 'claude', kind: 'diagnose', quotes: [{ entry: 3 }], cost_usd: 0.004 },
      opinions: [{ attempt: 1 }, { opinion: null, no_opinion: 'no answer within 60 s' }],
      opinions_cost_usd: 0.004,
    });
  });

  it('that is missing has its reason', () => {
    expect(runJson(START)).toMatchObject({ opinion: null, no_opinion: 'no model is asked', opinions: [] });
    expect(runJson(withOpinions([unanswered]))).toMatchObject({
      opinion: null,
      no_opinion: 'no answer within 60 s',
    });
  });
});
