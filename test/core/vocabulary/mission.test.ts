import { expect, it } from 'vitest';
import type { Mission } from '../../../src/core/vocabulary/mission.ts';
import { missionJson } from '../../../src/core/view/mission-json.ts';

const MISSION: Mission = {
  id: 'r1-m1',
  incident: 'r1-i1',
  owner: 'ann',
  plan: {
    category: null,
    rootCause: null,
    evidence: [],
    injection: 'read them',
    filesAdded: ['README.md', 'keys.txt', 'SPEC.md'],
    specChanges: ['SPEC.md'],
    unchanged: ['README.md'],
  },
  detectedAt: 0,
  diagnosedAt: 1,
  injectedAt: 2,
  resumedAt: 3,
  resolvedAt: 4,
  enrichedAt: null,
  outcome: 're-escalated',
  contextUpdates: ['spec: SPEC.md'],
  enrichmentReason: null,
};

it('a mission tells what it really changed, once: not a file that is as it was', () => {
  expect(missionJson('r1', MISSION).context_updates).toEqual(['file: keys.txt', 'spec: SPEC.md']);
});

it('a rescue that failed was not resolved at any time', () => {
  expect(missionJson('r1', MISSION)).toMatchObject({ resolved_at: null, outcome: 're-escalated' });
  expect(missionJson('r1', { ...MISSION, outcome: 'resolved' }).resolved_at).not.toBeNull();
});
