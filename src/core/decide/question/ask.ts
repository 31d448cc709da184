/** `ask`, `askOnceMore`, `flag`, `askAboutBlocker`: ask a person: the decision, what each option does, what was tried. */
import { counted } from '../../text/counted.ts';
import type { Blocker } from '../../vocabulary/blockers/blocker-rule.ts';
import { isResolution, optionFor, ownWords } from '../../vocabulary/questions/resolution.ts';
import { blockerEvidence, blockerSays } from '../../vocabulary/blockers/blocker-evidence.ts';
import { blockerKey } from '../../vocabulary/blockers/blocker-key.ts';
import type { IncidentClass } from '../../vocabulary/events/event.ts';
import type { OwnQuestion, Stage } from '../../vocabulary/classes/class-rule.ts';
import { safeOption } from '../../vocabulary/questions/recommended.ts';
import { blockerQuestion } from '../../gates/blocker-question.ts';
import { candidateTree } from '../../state/last-tree.ts';
import { oneLine } from '../../text/quote-fenced.ts';
import type { Question } from '../../vocabulary/questions/question.ts';
import { openIncident, type AskedQuestion, type Incident, type RunState } from '../../state/run-state.ts';
import { classQuestion } from './class-question.ts';
import { consequenceOf } from './consequence-of.ts';
import { escalate } from '../recovery/incident.ts';
import type { Turn } from '../turn.ts';

const MAX_EVIDENCE = 6;

type Draft = OwnQuestion & {
  readonly whyNow: string;
  readonly evidence?: readonly string[];
  /** The blockers that an approval would lift. If left out: every blocker that a person may waive. */
  readonly about?: readonly Blocker[];
  /** What blocks the run if no gate has said so. A failure class is a blocker too. */
  readonly failure?: Failure;
};

interface Failure {
  readonly code: IncidentClass;
  readonly returnsTo: Stage | null;
  readonly evidence: readonly string[];
}

export function ask(turn: Turn, draft: Draft): void {
  const failure = turn.state.delivery.blockers.length === 0 ? draft.failure : undefined;
  if (failure !== undefined)
    turn.decide({ type: 'blocked', blockers: [failureBlocker(turn.state, failure, draft.options)] });
  const { state, at } = turn;
  // An approval cannot lift a failure; a waiver then accepts the work as it is.
  const about = failure === undefined ? (draft.about ?? state.delivery.blockers.filter(isWaivable)) : [];
  const incident = openIncident(state);
  const deadline = state.policy.question_deadline_ms;
  const options = draft.options.map((option) => ({
    ...option,
    consequence: consequenceOf(state, { kind: draft.kind, about }, option.id),
  }));
  const question: Question = {
    id: `${state.runId}-q${state.questions.length + 1}`,
    kind: draft.kind,
    text: draft.text,
    whyNow: draft.whyNow,
    tried: [...agentsTried(state), ...answeredBefore(state, draft.kind, incident), ...tried(state)],
    // Each piece of evidence is one line, so that none looks like a part of the question.
    evidence: (draft.evidence ?? incident?.diagnosis?.evidence.map(({ text }) => text) ?? [])
      .slice(0, MAX_EVIDENCE)
      .map(oneLine),
    options,
    recommended: safeOption(options, draft.preferred),
    askedAt: at,
    deadlineAt: deadline > 0 ? at + deadline : null,
    about: { tree: candidateTree(state), attempt: state.attempts.length, blockers: about.map(blockerKey) },
  };
  turn.decide({ type: 'question_asked', question, incident: incident?.id ?? null });
  if (question.deadlineAt !== null) turn.timer('question', question.deadlineAt);
}

/** Asks the same question under a new id: the old one was withdrawn, but its decision is still open. */
export function askOnceMore(turn: Turn, { question: old, incident }: AskedQuestion): void {
  const { state, at } = turn;
  const deadline = state.policy.question_deadline_ms;
  const id = `${state.runId}-q${state.questions.length + 1}`;
  const question = { ...old, id, askedAt: at, deadlineAt: deadline > 0 ? at + deadline : null };
  turn.decide({ type: 'question_asked', question, incident });
  if (question.deadlineAt !== null) turn.timer('question', question.deadlineAt);
}

/** Phase 3 of an incident: journals the escalation and asks a person, with everything needed to decide. */
export function flag(turn: Turn, incident: Incident, why: string): void {
  escalate(turn, incident, incident.diagnosis?.returnTo ?? null, why);
  const draft = classQuestion(turn.state, incident, turn);
  ask(turn, { ...draft, whyNow: why, failure: failureOf(incident) });
}

export function askAboutBlocker(turn: Turn, blocker: Blocker): void {
  const { kind, text, labels = {} } = blockerQuestion(turn.state, blocker, turn.mark);
  const options = blocker.resolutions.map((id) => {
    const own = labels[id];
    return own === undefined ? optionFor(id) : ownWords(id, own);
  });
  ask(turn, {
    kind,
    text,
    whyNow: `${blockerSays(blocker.code)}, so the work cannot go on`,
    options,
    evidence: blockerEvidence(blocker),
    about: [blocker],
  });
}

export function failureOf({ class: code, diagnosis }: Incident): Failure {
  const evidence = [diagnosis?.rootCause ?? code, ...(diagnosis?.evidence.map(({ text }) => text) ?? [])];
  return { code, returnsTo: diagnosis?.returnTo ?? null, evidence };
}

function failureBlocker(state: RunState, failure: Failure, options: Question['options']): Blocker {
  const evidence = [...new Set(failure.evidence)].slice(0, MAX_EVIDENCE);
  const resolutions = options.flatMap(({ id }) => (isResolution(id) ? [id] : []));
  return saidBlocker(state, { ...failure, evidence }, resolutions);
}

/** A blocker in the words of an agent, a person or a failure; the run stays in its stage where nothing says to which it returns. */
export function saidBlocker(
  { stage }: RunState,
  { code, returnsTo, evidence: said }: Failure,
  resolutions: Blocker['resolutions'],
): Blocker {
  return { code, stage, returnsTo: returnsTo ?? stage, source: 'said', said, resolutions };
}

function isWaivable({ resolutions }: Blocker): boolean {
  return resolutions.includes('waive_with_reason');
}

/** Agents are named only if more than one worked: the question must say that a fallback failed, too. */
function agentsTried({ attempts }: RunState): string[] {
  const lives = new Map<string, number>();
  for (const { agent, startedAt } of attempts)
    if (startedAt !== null) lives.set(agent.name, (lives.get(agent.name) ?? 0) + 1);
  const told = [...lives].map(([name, count]) => `${name} (${counted(count, 'attempt')})`);
  return told.length > 1 ? [`agents: ${told.join(', ')}`] : [];
}

/** The answer to the same question, where the same trouble came again after it. A rescue in vain is told as the reason to ask. */
function answeredBefore({ questions }: RunState, kind: string, incident: Incident | undefined): string[] {
  const { question, answer = null, incident: of } = questions.at(-1) ?? {};
  if (answer === null || question?.kind !== kind || of !== incident?.id || answer.option === 'rescue')
    return [];
  // A choice that the agent offered is in its words, which stand only between marks: it is told by its number.
  const label = question.options.find(({ id }) => id === answer.option && isResolution(id))?.label;
  const name = answer.option.replace(/^option_/, '').replaceAll('_', ' ');
  const note = answer.note === '' ? '' : `: "${oneLine(answer.note)}"`;
  return [`your answer ${label === undefined ? name : `(${label})`}${note}; then it came again`];
}

/** Everything since a person last spoke, also what led to other trouble. */
function tried({ incidents, forgivenAt }: RunState): string[] {
  return incidents
    .filter(({ lastDecidedAt }) => (lastDecidedAt ?? 0) > forgivenAt)
    .flatMap(({ recoveries }) => recoveries)
    .filter(({ strategy }) => strategy !== 'escalate')
    .map(({ reason }) => reason);
}
