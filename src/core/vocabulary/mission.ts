/** `Mission`, `missionState`, `RESCUE_WHEN`: an incident in phase 4, from a person's diagnosis to what was learned. */
import type { Category } from './classes/class-rule.ts';

/** Follows "take one". */
export const RESCUE_WHEN =
  'when a run is stuck because it lacks what you know or can give: a fact, a file, a clearer task';

/** What the rescuer found out and tells the agent. */
export interface MissionPlan {
  readonly category: Category | null;
  readonly rootCause: string | null;
  readonly evidence: readonly string[];
  /** The corrective context, word for word. */
  readonly injection: string;
  readonly filesAdded: readonly string[];
  readonly specChanges: readonly string[];
  /** Those of both lists that are as the run's base has them: read by the agent, but nothing new. */
  readonly unchanged?: readonly string[];
}

export interface Mission {
  readonly id: string;
  readonly incident: string | null;
  readonly owner: string;
  readonly plan: MissionPlan;
  readonly detectedAt: number;
  readonly diagnosedAt: number;
  readonly injectedAt: number | null;
  readonly resumedAt: number | null;
  readonly resolvedAt: number | null;
  readonly enrichedAt: number | null;
  readonly outcome: 'resolved' | 're-escalated' | 'abandoned' | null;
  readonly contextUpdates: readonly string[];
  /** Why there was nothing to learn, if so. */
  readonly enrichmentReason: string | null;
}

/**
 *   under way -> (an outcome) owes enrichment -> (a lesson, a changed specification, or the reason for neither) closed
 *
 * The outcome says how the rescue went. Only the record of what was learned closes the mission; it may come before or after the outcome.
 */
export type MissionState = 'under_way' | 'owes_enrichment' | 'closed';

export function missionState(mission: Mission): MissionState {
  if (mission.outcome === null) return 'under_way';
  return isEnriched(mission) ? 'closed' : 'owes_enrichment';
}

/** A specification teaches where the rescue succeeded with it; what a failed rescue taught has to be said. */
export function isEnriched({ contextUpdates, enrichmentReason, outcome, plan }: Mission): boolean {
  const isProven = outcome === 'resolved' && plan.specChanges.length > 0;
  return isProven || saysWhatWasLearned(contextUpdates, enrichmentReason);
}

export function saysWhatWasLearned(contextUpdates: readonly string[], reason: string | null): boolean {
  return contextUpdates.some((update) => update.trim() !== '') || (reason ?? '').trim() !== '';
}

export function closedAt(mission: Mission): number | null {
  if (missionState(mission) !== 'closed') return null;
  return Math.max(mission.resolvedAt ?? 0, mission.enrichedAt ?? 0);
}

/** Where the agent finds the files of a rescue, from the top of its workspace. */
export const RESCUE_FOLDER = '.mayday/rescue';

/** The name of a file in that folder: its place in the plan keeps equal names apart. */
export function rescueFileName(path: string, index: number): string {
  const name = path.slice(path.lastIndexOf('/') + 1).replaceAll(/[^\w.-]/g, '-');
  return `${index + 1}-${name}`.slice(0, 100);
}

export function rescuePaths({ filesAdded, specChanges }: MissionPlan): readonly string[] {
  return [...filesAdded, ...specChanges].map(
    (path, index) => `${RESCUE_FOLDER}/${rescueFileName(path, index)}`,
  );
}

/** The words of a rescue for the agent, with the files that were placed for it. */
export function injectedWords(plan: MissionPlan): string {
  const paths = rescuePaths(plan);
  return `${plan.injection}${paths.length === 0 ? '' : `\nFiles for you: ${paths.join(', ')}. Read them first.`}`;
}

/** What the mission really changed for later agents: specifications, files, and the lessons that closed it. */
export function contextUpdatesOf({ plan, contextUpdates }: Mission): readonly string[] {
  const { filesAdded, specChanges, unchanged = [] } = plan;
  const updates = [
    ...filesAdded
      .filter((path) => !unchanged.includes(path) && !specChanges.includes(path))
      .map((path) => `file: ${path}`),
    ...specChanges.filter((path) => !unchanged.includes(path)).map((path) => `spec: ${path}`),
    ...contextUpdates,
  ];
  return [...new Set(updates)];
}

/** From the flag to the resumed agent; null while it is not resumed, and where the rescue failed. */
export function unblockMs({ outcome, resumedAt, detectedAt }: Mission): number | null {
  return resumedAt === null || outcome === 're-escalated' || outcome === 'abandoned'
    ? null
    : resumedAt - detectedAt;
}

/** The checklist in its order. The first question answered "yes" gives the category. */
export const CHECKLIST: readonly (readonly [Category, string])[] = [
  ['missing_context', 'Was a fact missing that exists somewhere?'],
  ['ambiguous_spec', 'Can the task be read in two ways?'],
  ['constraint_conflict', 'Do two rules, or the task and a rule, exclude each other?'],
  ['capability_gap', 'Does it need what this agent has not shown?'],
  ['environment', 'Is the machine, the login or the network at fault?'],
];
