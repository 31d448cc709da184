/** `DEFINITIONS`: what each number of a report means; printed by `mayday report --definitions` and in every page. */

export interface MetricDefinition {
  readonly id: string;
  readonly group: 'M1' | 'M2' | 'M3' | 'M4';
  readonly name: string;
  readonly formula: string;
}

const define = (
  group: MetricDefinition['group'],
  id: string,
  name: string,
  formula: string,
): MetricDefinition => ({ group, id, name, formula });

export const DEFINITIONS: readonly MetricDefinition[] = [
  define('M1', 'tasks', 'Total agent tasks', 'runs that began in the period, imported sessions included'),
  define(
    'M1',
    'first_try',
    'Successful first try',
    "delivered runs without an incident, not on a person's word / total agent tasks",
  ),
  define(
    'M1',
    'required_recovery',
    'Required recovery',
    'runs with at least one incident / total agent tasks',
  ),
  define(
    'M1',
    'failed_after_recovery',
    'Failed after recovery',
    'abandoned runs with at least one incident / total agent tasks',
  ),
  define(
    'M1',
    'recovery_time',
    'Average recovery time',
    'mean of (verified - detected) over incidents that were resolved: progress was seen after the resume',
  ),
  define(
    'M1',
    'recovered_by_itself',
    'Recovered by themselves',
    'attempts with a sign of trouble that were not stopped and finished: after the agent was told, and after a warning alone; no rescue',
  ),
  define('M1', 'reasons', 'Reasons', 'incidents by class, mapped by one table / all incidents'),
  define('M2', 'mttu', 'MTTU', 'mean of (resumed - detected) over incidents that were resumed'),
  define('M2', 'notice', 'Notice', 'detected - began (last sign of life, or the real end of the process)'),
  define('M2', 'diagnose', 'Diagnose', 'diagnosed - detected'),
  define('M2', 'decide', 'Decide', 'last decision - diagnosed, waiting for a person included'),
  define(
    'M2',
    'first_useful_action',
    'First useful action',
    'verified - last decision: the first progress after it',
  ),
  define('M3', 'categories', 'Root-cause breakdown', 'incidents by category / incidents with a category'),
  define('M3', 'context_updates', 'Context updates', 'lessons proposed by the runs of the period'),
  define(
    'M3',
    'enrichment',
    'Enrichment completion',
    'rescue missions closed by a lesson that a person decided on, a changed specification or a recorded reason / missions with an outcome',
  ),
  define(
    'M3',
    'recurrence',
    'Recurrence',
    'incidents whose exact cause was seen before in the same repository / incidents with an exact cause',
  ),
  define(
    'M3',
    'avoided',
    'Recurrences avoided',
    'per lesson: (clean + hit runs that had it from the start) x earlier share of hit runs - hit runs; an estimate',
  ),
  define(
    'M3',
    'stuck',
    'Cost of being stuck',
    'time: sum of (resumed, or else the end of the run, or else now) - began; ' +
      'money and tokens: attempts that ended in an incident without having moved anything',
  ),
  define('M3', 'false_positives', 'False alarms', 'incidents that a person called false / incidents'),
  define(
    'M4',
    'simple_first_try',
    'Simple tasks, first try',
    'delivered without an incident / ended and judged runs with fewer than 5 files; target 95 %',
  ),
  define('M4', 'complex_first_try', 'Complex tasks, first try', 'the same with 5 files or more; target 80 %'),
  define(
    'M4',
    'recovery',
    'Recovery',
    "delivered, not on a person's word / ended and judged runs with an incident; target above 90 %",
  ),
  define(
    'M4',
    'orphans',
    'Orphaned workspaces',
    'runs that ended more than 10 min ago and were not given back; target 0',
  ),
  define(
    'M4',
    'attributed',
    'Failures attributed',
    'diagnosed incidents with a class other than unknown, a category and a cause / diagnosed incidents; target 100 %',
  ),
];
