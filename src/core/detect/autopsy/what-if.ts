/** `whatIf`: which past runs other thresholds would have caught, which healthy ones stopped, and when. */
import type { Signal } from '../../vocabulary/signal.ts';
import type { TranscriptEntry } from '../../vocabulary/transcript.ts';
import type { DetectPolicy } from '../detector.ts';
import { watchOver } from '../watch.ts';

export interface PastRun {
  readonly id: string;
  readonly entries: readonly TranscriptEntry[];
  /** What is known about the run: it went well, it was stuck, or it has not been judged. */
  readonly truth: 'healthy' | 'stuck' | 'unknown';
}

export type PastRunVerdict = ReturnType<typeof judge>;
export type WhatIf = ReturnType<typeof whatIf>;

export function whatIf(runs: readonly PastRun[], policy: Partial<DetectPolicy>) {
  const verdicts = runs.map((run) => judge(run, policy));
  const stuck = verdicts.filter((verdict) => verdict.truth === 'stuck');
  const healthy = verdicts.filter((verdict) => verdict.truth === 'healthy');
  const caught = stuck.filter((verdict) => verdict.critical !== null);
  return {
    verdicts,
    caught: caught.length,
    stuck: stuck.length,
    falseAlarms: healthy.filter((verdict) => verdict.critical !== null).length,
    healthy: healthy.length,
    stepsSaved: caught.reduce((sum, verdict) => sum + verdict.stepsSaved, 0),
  };
}

function judge(run: PastRun, policy: Partial<DetectPolicy>) {
  let warning: Signal | null = null;
  let critical: Signal | null = null;
  for (const { signals } of watchOver(run.entries, policy)) {
    warning ??= signals.find(({ severity }) => severity === 'warning') ?? null;
    critical ??= signals.find(({ severity }) => severity === 'critical') ?? null;
    if (critical !== null) break;
  }
  const steps = run.entries.length;
  // That an alarm at that step would have saved.
  const stepsSaved = critical?.atStep === undefined ? 0 : steps - 1 - critical.atStep;
  return { id: run.id, truth: run.truth, warning, critical, steps, stepsSaved };
}
