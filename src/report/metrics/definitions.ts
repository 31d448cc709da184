/** `DEFINITIONS`: what each number of a report means; printed by `mayday report --definitions` and in every page. */

export interface MetricDefinition {
  readonly id: string;
  readonly group: 'M1' | 'M2' | 'M3' | 'M4';
  readonly name: string;
  readonly formula: string;
}

/** Each is known by its id: its name and its formula. */
// biome-ignore format: the short columns of a row stand together
const GROUPS: Readonly<
  Record<MetricDefinition['group'], Readonly<Record<string, readonly [name: string, formula: string]>>>
> = {
  M1: {
    tasks: ['Total agent tasks', 'runs that began in the period, imported sessions included'],
    first_try: ['Successful first try',
      'delivered and proven runs without an incident / total agent tasks'],
    required_recovery: ['Required recovery', 'runs with at least one incident / total agent tasks'],
    failed_after_recovery: ['Failed after recovery',
      'abandoned runs with at least one incident / total agent tasks'],
    recovery_time: ['Average recovery time',
      'mean of (verified - detected) over incidents that were resolved: progress was seen after the resume'],
    recovered_by_itself: ['Recovered by themselves',
      'attempts with a sign of trouble that were not stopped and finished: after the agent was told, and after a warning alone; no rescue'],
    reasons: ['Reasons', 'incidents by class, mapped by one table / all incidents'],
  },
  M2: {
    mttu: ['MTTU', 'mean of (resumed - detected) over incidents that were resumed'],
    notice: ['Notice', 'detected - began (last sign of life, or the real end of the process)'],
    diagnose: ['Diagnose', 'diagnosed - detected'],
    decide: ['Decide', 'last decision - diagnosed, waiting for a person included'],
    first_useful_action: ['First useful action', 'verified - last decision: the first progress after it'],
  },
  M3: {
    categories: ['Root-cause breakdown', 'incidents by category / incidents with a category'],
    context_updates: ['Context updates', 'lessons proposed by the runs of the period'],
    enrichment: [
      'Enrichment completion',
      'rescue missions closed by a lesson that a person decided on, a changed specification or a recorded reason / ' +
        'missions with an outcome',
    ],
    recurrence: ['Recurrence',
      'incidents whose exact cause was seen before in the same repository / incidents with an exact cause'],
    avoided: ['Recurrences avoided',
      'per lesson: (clean + hit runs that had it from the start) x earlier share of hit runs - hit runs; an estimate'],
    stuck: [
      'Cost of being stuck',
      'time: sum of (resumed, or else the end of the run, or else now) - began; ' +
        'money and tokens: attempts that ended in an incident without having moved anything',
    ],
    false_positives: ['False alarms', 'incidents that a person called false / incidents'],
    opinions: [
      'Opinions that came true',
      'per provider, kind and claimed confidence: borne out / borne out or refuted by what happened next; the others are not observed',
    ],
  },
  M4: {
    simple_first_try: ['Simple tasks, first try',
      'delivered without an incident / ended and judged runs with fewer than 5 files; target 95 %'],
    complex_first_try: ['Complex tasks, first try', 'the same with 5 files or more; target 80 %'],
    recovery: ['Recovery',
      'delivered and proven / ended and judged runs with an incident; target above 90 %'],
    orphans: ['Orphaned workspaces',
      'runs that ended more than 10 min ago and were not given back; target 0'],
    attributed: ['Failures attributed',
      'diagnosed incidents with a class and a category other than unknown, and a cause / diagnosed incidents; target 100 %'],
  },
};

export const DEFINITIONS: readonly MetricDefinition[] = Object.entries(GROUPS).flatMap(([group, metrics]) =>
  Object.entries(metrics).map(([id, [name, formula]]) => ({
    group: group as MetricDefinition['group'],
    id,
    name,
    formula,
  })),
);
