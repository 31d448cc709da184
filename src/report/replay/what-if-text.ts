/** `whatIfText`, `whatIfJson`: two sets of thresholds over the same past runs, side by side. */
import type { PastRunVerdict, WhatIf } from '../../core/detect/autopsy/what-if.ts';
import type { Policy, PolicyKey } from '../../core/vocabulary/policy.ts';

export interface Compared {
  readonly changed: readonly { readonly key: PolicyKey; readonly now: number; readonly proposed: number }[];
  /** Classes of failures with a policy of their own. */
  readonly classes: readonly string[];
  readonly now: WhatIf;
  readonly proposed: WhatIf;
}

export function changedKeys(now: Policy, proposed: Policy): Compared['changed'] {
  const keys = Object.keys(proposed) as PolicyKey[];
  return keys
    .filter((key) => now[key] !== proposed[key])
    .map((key) => ({ key, now: now[key], proposed: proposed[key] }));
}

const ID_WIDTH = 28;
const TRUTH_WIDTH = 9;
const VERDICT_WIDTH = 36;

export function whatIfText({ changed, classes, now, proposed }: Compared): string {
  const different = [
    ...changed.map(({ key, now: from, proposed: to }) => `${key} ${from} -> ${to}`),
    ...(classes.length === 0 ? [] : [`classes ${classes.join(', ')}`]),
  ];
  const rows = now.verdicts.flatMap((before, index) => {
    const after = proposed.verdicts[index] as PastRunVerdict;
    if (before.critical === null && after.critical === null) return [];
    return [row(before.id, before.truth, verdict(before), verdict(after))];
  });
  const quiet = now.verdicts.length - rows.length;
  return `${[
    `what if    ${different.length === 0 ? 'nothing were different' : different.join(', ')}`,
    '',
    row('RUN', 'TRUTH', 'NOW', 'PROPOSED'),
    ...rows,
    ...(quiet === 0 ? [] : [`${quiet} more, left alone by both`]),
    '',
    `now        ${totals(now)}`,
    `proposed   ${totals(proposed)}`,
  ].join('\n')}\n`;
}

function row(id: string, truth: string, now: string, then: string): string {
  return `${id.slice(-ID_WIDTH).padEnd(ID_WIDTH)}  ${truth.padEnd(TRUTH_WIDTH)} ${now.padEnd(VERDICT_WIDTH)} ${then}`;
}

function verdict({ critical, stepsSaved }: PastRunVerdict): string {
  if (critical === null) return 'left alone';
  return `${critical.type.replaceAll('_', ' ')} at ${critical.atStep ?? '?'}, saves ${stepsSaved}`;
}

function totals({ caught, stuck, falseAlarms, healthy, stepsSaved, verdicts }: WhatIf): string {
  const known = stuck + healthy;
  const alarms = verdicts.filter((each) => each.critical !== null).length;
  const judged =
    known === 0 ? '' : `caught ${caught} of ${stuck} stuck, disturbed ${falseAlarms} of ${healthy} healthy, `;
  return `${judged}${alarms} of ${verdicts.length} stopped, ${stepsSaved} steps saved`;
}

export function whatIfJson({ changed, classes, now, proposed }: Compared) {
  const side = (what: WhatIf) => ({
    caught: what.caught,
    stuck: what.stuck,
    false_alarms: what.falseAlarms,
    healthy: what.healthy,
    steps_saved: what.stepsSaved,
  });
  return {
    policy: changed,
    classes,
    now: side(now),
    proposed: side(proposed),
    runs: now.verdicts.map((before, index) => ({
      id: before.id,
      truth: before.truth,
      steps: before.steps,
      now: runJson(before),
      proposed: runJson(proposed.verdicts[index] as PastRunVerdict),
    })),
  };
}

function runJson({ critical, warning, stepsSaved }: PastRunVerdict) {
  return {
    warning: warning === null ? null : { type: warning.type, at_step: warning.atStep ?? null },
    critical: critical === null ? null : { type: critical.type, at_step: critical.atStep ?? null },
    steps_saved: stepsSaved,
  };
}
