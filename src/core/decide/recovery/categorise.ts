/** `categoryEvidence`, `categorise`: the category of a cause, from what was seen; `unknown` where nothing speaks for one. */
import type { Category, DiagnosedCategory } from '../../vocabulary/classes/class-rule.ts';
import { callKind } from '../../detect/call-kind.ts';
import type { Diagnosis } from '../../vocabulary/diagnosis.ts';
import type { Examination } from '../../vocabulary/events/examination.ts';
import { type FailureClass, isFailureClass } from '../../vocabulary/classes/failure-class.ts';
import { type IncidentClass, ruleOf } from '../../vocabulary/classes/incident-class.ts';
import type { Attempt } from '../../state/run-state.ts';

export interface CategoryEvidence {
  readonly category: Category;
  readonly reason: string;
}

interface Seen {
  readonly class: IncidentClass;
  readonly diagnosis: Diagnosis;
  readonly attempt: Attempt | undefined;
}

const MAX_REASON_CHARS = 300;
const SURE_ENOUGH = 0.5;
/** A result that says that something went wrong. Which words it uses only decides between two explanations. */
const FAILED =
  /\b(error|errors|fail|failed|failing|failure|fatal|cannot|not found|no such|denied|unexpected|expected|missing|exception)\b/i;

/** True: the class itself says what kind of cause it is. Silence, an end that was only observed and a wait for input need more. */
function speaksForItself(named: FailureClass): boolean {
  const { isObserved, isSilence } = ruleOf(named);
  return isObserved !== true && isSilence !== true && named !== 'waiting_for_input';
}

export function categorise(seen: Seen): { readonly category: DiagnosedCategory; readonly reason: string } {
  return categoryEvidence(seen)[0] ?? { category: 'unknown', reason: notKnown(seen) };
}

export function categoryEvidence(seen: Seen): readonly CategoryEvidence[] {
  const examination = seen.attempt?.examination ?? null;
  const found = [
    ...fromAgent(examination),
    ...fromOutput(seen, examination),
    ...fromClass(seen),
    ...fromConduct(seen, examination),
  ];
  return found.map(({ category, reason }) => ({ category, reason: reason.slice(0, MAX_REASON_CHARS) }));
}

function fromAgent(examination: Examination | null): CategoryEvidence[] {
  const asked = examination?.raised?.question ?? examination?.asks?.text ?? null;
  const denied = (examination?.deniedTools ?? []).filter((rule) => callKind(rule, '') !== 'ask');
  return [
    ...(asked === null ? [] : [{ category: 'ambiguous_spec' as const, reason: `the agent asked: ${asked}` }]),
    ...(denied.length === 0
      ? []
      : [
          {
            category: 'constraint_conflict' as const,
            reason: `the task needs what this run does not allow: ${denied.join(', ')}`,
          },
        ]),
  ];
}

function fromOutput({ class: named, diagnosis }: Seen, examination: Examination | null): CategoryEvidence[] {
  const read = examination?.diagnosis ?? diagnosis;
  const { failureType, confidence, evidence, origin } = read;
  if (origin !== 'read' || confidence < SURE_ENOUGH || failureType === 'success') return [];
  const line = evidence[0]?.text ?? read.rootCause;
  if (failureType === 'permission_denied')
    return [{ category: 'environment', reason: `this machine denies it: ${line}` }];
  const { category } = ruleOf(failureType);
  if (failureType === named || category !== 'environment' || !speaksForItself(failureType)) return [];
  return [{ category, reason: `the output names it: ${line}` }];
}

function fromClass({ class: named, diagnosis, attempt }: Seen): CategoryEvidence[] {
  const { category } = ruleOf(named);
  const line = diagnosis.evidence[0]?.text ?? diagnosis.rootCause;
  // A person's flag and a claim of success are no evidence; a gate that names a blocker is.
  if (!isFailureClass(named)) return [{ category, reason: `the gate says ${named}: ${line}` }];
  if (speaksForItself(named)) return [{ category, reason: `${named}: ${line}` }];
  const signal = attempt?.endedBy === 'itself' || attempt?.endedBy === 'unobserved' ? attempt.signal : null;
  return signal === null || signal === undefined
    ? []
    : [{ category: 'environment', reason: `ended by ${signal}` }];
}

function fromConduct(
  { class: named, diagnosis, attempt }: Seen,
  examination: Examination | null,
): CategoryEvidence[] {
  if (named === 'looping') {
    const failing = (examination?.repeated ?? []).find(({ result }) => FAILED.test(result));
    const again = examination?.repeated[0];
    if (failing !== undefined)
      return [
        {
          category: 'missing_context',
          reason: `it does not know what would change this result: ${failing.result}`,
        },
      ];
    return again === undefined
      ? []
      : [{ category: 'capability_gap', reason: `it repeats without an error: ${again.call}` }];
  }
  if (named === 'timeout' && attempt !== undefined && attempt.progressAt !== null)
    return [{ category: 'capability_gap', reason: 'it made progress and did not finish in its time' }];
  if (named === 'waiting_for_input' && attempt?.signals.some(({ type }) => type === 'waiting_for_input'))
    return [
      {
        category: 'environment',
        reason: `a program asks for input that nobody can type: ${diagnosis.rootCause}`,
      },
    ];
  if (named === 'false_success' && diagnosis.evidence.length > 0)
    return [{ category: 'missing_context', reason: `what is missing: ${diagnosis.evidence[0]?.text ?? ''}` }];
  return [];
}

function notKnown({ class: named, diagnosis }: Seen): string {
  const said =
    named === 'stalled' || named === 'frozen'
      ? 'it went silent and nothing says why'
      : 'nothing in the output names a cause';
  return `${said}: ${diagnosis.rootCause}`.slice(0, MAX_REASON_CHARS);
}
