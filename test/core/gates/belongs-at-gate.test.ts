/** What the gate asks about because a model thinks so: only what the policy asks about, never what the person's scope names. */
import { describe, expect, it } from 'vitest';
import { withoutApproved } from '../../../src/core/gates/approvals.ts';
import { blockerQuestion } from '../../../src/core/gates/blocker-question.ts';
import { buildGate } from '../../../src/core/gates/build-gate.ts';
import type { RunState } from '../../../src/core/state/run-state.ts';
import { blockerKey } from '../../../src/core/vocabulary/blockers/blocker-key.ts';
import { DEFAULT_POLICY, type Policy, policyNumber } from '../../../src/core/vocabulary/policy.ts';
import type { ChangedJudge, UnrelatedFile } from '../../../src/core/vocabulary/proof.ts';
import type { Approval } from '../../../src/core/vocabulary/questions/approval.ts';
import { gateFact, gateState } from './gate-state.ts';

const weakened: ChangedJudge = {
  path: 'lib/near.js',
  why: 'opinion',
  by: 'claude',
  opinion: { weakens: true, quote: 'return true;', says: 'everything is near' },
};
const judging: ChangedJudge = { ...weakened, opinion: { weakens: false, quote: 'let x', says: 'a helper' } };

function unrelated(count: number): UnrelatedFile[] {
  return Array.from({ length: count }, (_, at) => ({
    path: `junk/${at}.md`,
    by: 'claude',
    says: 'not asked for',
  }));
}

function gate(
  found: { readonly judges?: readonly ChangedJudge[]; readonly unrelated?: readonly UnrelatedFile[] },
  chosen: Partial<Record<keyof Policy, string>> = {},
  more: Partial<RunState> = {},
) {
  const values = Object.entries(chosen).map(([key, word]) => [key, policyNumber(key, word)]);
  const policy = { ...DEFAULT_POLICY, ...Object.fromEntries(values) } as Policy;
  return buildGate(gateState({ policy, ...more }), { ...gateFact(), ...found });
}

describe('a weakening that an opinion quotes', () => {
  it('is a question by default, with the quotation; a file that only judges is told', () => {
    const [blocker] = gate({ judges: [judging, weakened] });
    expect(blocker).toMatchObject({
      code: 'touch_point_unrecorded',
      source: 'judges',
      judges: [weakened],
    });
    const { text } = blockerQuestion(gateState(), blocker as never, 'm4rk');
    expect(text).toMatch(
      /<<m4rk what judges [^>]*lib\/near\.js \(opinion of claude: it weakens what judges, “return true;”\) m4rk>>/,
    );
    expect(text).toMatch(/<<m4rk the opinion of claude: everything is near m4rk>>/);
    expect(gate({ judges: [judging] })).toEqual([]);
  });

  it('obeys the policy for changed judges', () => {
    const ways = (choice: string) => gate({ judges: [weakened] }, { changed_judges: choice })[0]?.resolutions;
    expect(ways('tell')).toBe(undefined);
    expect(ways('ask')).toContain('record_judgment');
    expect(ways('refuse')).toEqual(['revise_work', 'abandon']);
  });

  it('is told only where the scope of the person names the file', () => {
    const { task } = gateState();
    expect(gate({ judges: [weakened] }, {}, { task: { ...task, scope: ['lib/**'] } })).toEqual([]);
  });

  it('is not asked about again of the same tree after a person answered', () => {
    const [blocker] = gate({ judges: [weakened] });
    const keys = [blockerKey(blocker as never)];
    const approval = { id: 'a1', keys, tree: 't1', attempt: 1, used: false } as unknown as Approval;
    const state = gateState({ approvals: [approval] });
    expect(withoutApproved(state, 't1', gate({ judges: [weakened] })).open).toEqual([]);
    expect(withoutApproved(state, 't2', gate({ judges: [weakened] })).open).toHaveLength(1);
  });
});

describe('files that the task does not explain', () => {
  it('are told when they are few, and asked about when they are many', () => {
    expect(gate({ unrelated: unrelated(4) })).toEqual([]);
    const [blocker] = gate({ unrelated: unrelated(30) });
    expect(blocker).toMatchObject({ source: 'unrelated', unrelated: { length: 30 } });
    expect(blockerQuestion(gateState(), blocker as never, 'm4rk').text).toMatch(
      /opinion of claude the task does not explain junk\/0\.md, .* and 22 more/,
    );
  });

  it('obey the policy and the scope of the person', () => {
    expect(gate({ unrelated: unrelated(1) }, { unrelated: 'ask' })).toHaveLength(1);
    expect(gate({ unrelated: unrelated(30) }, { unrelated: 'tell' })).toEqual([]);
    const { task } = gateState();
    expect(gate({ unrelated: unrelated(30) }, {}, { task: { ...task, scope: ['junk/**'] } })).toEqual([]);
  });
});
