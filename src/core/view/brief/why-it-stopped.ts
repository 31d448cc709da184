/** `whyItStopped`, `repeatedWithoutChange`, `modelThinks`: the cause of the last incident, and what was repeated. */
import { blockerCase, blockerEvidence } from '../../vocabulary/blockers/blocker-evidence.ts';
import type { RepeatedCall } from '../../vocabulary/events/examination.ts';
import type { IncidentClass } from '../../vocabulary/classes/incident-class.ts';
import type { Blocker } from '../../vocabulary/blockers/blocker-rule.ts';
import { opinionLines } from '../../detect/autopsy/autopsy-brief.ts';
import type { StoryOpinion } from '../../detect/autopsy/story-opinion.ts';
import { callKind, commandOf } from '../../detect/call-kind.ts';
import { openIncident, type RunState } from '../../state/run-state.ts';
import { quoteFenced } from '../../text/quote-fenced.ts';
import { lines } from './brief-text.ts';
import { lastExamination } from './work-so-far.ts';

const MAX_CAUSE_CHARS = 400;
const MAX_EVIDENCE_CHARS = 240;
/** What a check said, and the check itself. */
const MAX_EVIDENCE = 6;
const MAX_CALLS = 3;

export function whyItStopped(state: RunState, mark: string): string {
  const incident = openIncident(state) ?? state.incidents.at(-1);
  if (incident === undefined) return '';
  const { diagnosis } = incident;
  const isRead = diagnosis?.origin === 'read' && !diagnosis.pattern;
  const blocked = state.delivery.blockers.flatMap(evidenceForAgent);
  const found = blocked.length > 0 ? blocked : (diagnosis?.evidence.map(({ text }) => text) ?? []);
  const evidence = new Set(found.filter((text) => text !== diagnosis?.rootCause));
  return lines([
    diagnosis?.origin === 'person'
      ? `A person found: ${diagnosis.rootCause}`
      : `${leadOf(incident.class)}: ${quoteFenced(diagnosis?.rootCause ?? 'the attempt ended early', mark, MAX_CAUSE_CHARS)}`,
    isRead && diagnosis.recoveryPlan !== null
      ? `A diagnosis of the output suggests: ${quoteFenced(diagnosis.recoveryPlan, mark, MAX_EVIDENCE_CHARS)}`
      : null,
    evidenceLines([...evidence].slice(0, MAX_EVIDENCE), mark),
  ]);
}

function leadOf(incidentClass: IncidentClass): string {
  if (incidentClass === 'false_success') return 'The work was called done, but it is not accepted';
  const words = incidentClass.replaceAll('_', ' ');
  return `${words.slice(0, 1).toUpperCase()}${words.slice(1)}`;
}

/** Whether a check was red before the work is for the person who decides about it. For the agent it must pass either way. */
function evidenceForAgent(blocker: Blocker): readonly string[] {
  return blocker.code === 'check_failed' && blocker.source === 'check'
    ? [blockerCase(blocker), ...blocker.output]
    : blockerEvidence(blocker);
}

function evidenceLines(texts: readonly string[], mark: string): string | null {
  if (texts.length === 0) return null;
  return ['Output of programs:', ...texts.map((text) => quoteFenced(text, mark, MAX_EVIDENCE_CHARS))].join(
    '\n',
  );
}

/** Of the attempt that ended last, where the record holds its quotations; a quotation itself, never an instruction. */
export function modelThinks({ opinions }: RunState, attempt: number, mark: string): string {
  const answered = opinions.flatMap(({ attempt: of, outcome }) =>
    of === attempt && outcome.type === 'answered' ? [outcome.opinion] : [],
  );
  const opinion = answered.findLast(({ kind }) => kind === 'story') as StoryOpinion | undefined;
  return opinion?.answer.stuck === 'stuck' ? lines(opinionLines(opinion, mark)) : '';
}

export function repeatedWithoutChange(state: RunState, mark: string): string {
  const calls = (lastExamination(state)?.repeated ?? []).filter((made) => !isLooking(made));
  return calls
    .slice(0, MAX_CALLS)
    .map((made) => {
      const { call, times, result } = made;
      const then = isCheck(state, made)
        ? 'change something that bears on this result before you run it again'
        : 'do not repeat it as it is';
      return `- ${quoteFenced(call, mark, 200)}: ${times} times, each time: ${quoteFenced(result, mark, 200)}: ${then}`;
    })
    .join('\n');
}

function parted({
  call,
  tool = call.split(' ', 1)[0] ?? '',
}: RepeatedCall): readonly [tool: string, input: string] {
  return [tool, call.slice(tool.length + 1)];
}

/** Looking again is how an agent finds out what changed: it is never forbidden. */
function isLooking(made: RepeatedCall): boolean {
  const kind = callKind(...parted(made));
  return kind === 'read' || kind === 'search';
}

export function isCheck({ task }: RunState, made: RepeatedCall): boolean {
  const [tool, input] = parted(made);
  const command = commandOf(input);
  return callKind(tool, input) === 'test' || task.checks.some((check) => command.includes(check));
}
