/** Questions: the real decision, the real options, what each would do, what was tried. Never "should I try another approach?". */
import type { Blocker } from '../blocker.ts';
import { blockerKey } from '../gates/approvals.ts';
import { blockerQuestion } from '../gates/blocker-question.ts';
import { candidateTree } from '../gates/candidate-tree.ts';
import type { Question } from '../question.ts';
import { openIncident, type Incident, type RunState } from '../run-state.ts';
import { closeMission } from './close-mission.ts';
import { escalate } from './incident.ts';
import { optionFor, ownWords } from './option-for.ts';
import type { Turn } from './turn.ts';

const MAX_EVIDENCE = 6;

type Draft = Pick<Question, 'kind' | 'text' | 'whyNow' | 'options' | 'recommended'> & {
  readonly evidence?: readonly string[];
  /** The blockers that an approval would lift; left out: every one that a person may waive. */
  readonly about?: readonly Blocker[];
};

export function ask(turn: Turn, draft: Draft): void {
  const { state, at } = turn;
  const incident = openIncident(state);
  const deadline = state.policy.question_deadline_ms;
  const question: Question = {
    id: `${state.runId}-q${state.questions.length + 1}`,
    kind: draft.kind,
    text: draft.text,
    whyNow: draft.whyNow,
    tried: tried(incident),
    evidence: (draft.evidence ?? incident?.diagnosis?.evidence.map(({ text }) => text) ?? []).slice(
      0,
      MAX_EVIDENCE,
    ),
    options: draft.options,
    recommended: draft.recommended,
    askedAt: at,
    deadlineAt: deadline > 0 ? at + deadline : null,
    about: {
      tree: candidateTree(state),
      attempt: state.attempts.length,
      blockers: (draft.about ?? state.blockers.filter(isWaivable)).map(blockerKey),
    },
  };
  turn.decide({ type: 'question_asked', question, incident: incident?.id ?? null });
  if (question.deadlineAt !== null) turn.timer('question', question.deadlineAt);
}

/** Phase 3 of an incident: everything a person needs to decide, and the decision itself as a decision in the journal. */
export function flag(turn: Turn, incident: Incident, why: string): void {
  const { state } = turn;
  closeMission(turn, 're-escalated');
  escalate(turn, incident, incident.diagnosis?.returnTo ?? null, why);
  const specific = BY_CLASS[incident.class];
  const draft = specific?.(state, incident) ?? generic(incident);
  ask(turn, { ...draft, whyNow: why });
}

/** A blocker at a gate that only a person can lift. */
export function askAboutBlocker(turn: Turn, blocker: Blocker): void {
  const { kind, text, labels } = blockerQuestion(turn.state, blocker);
  const options = blocker.resolutions.map((id) => {
    const own = labels[id];
    return own === undefined ? optionFor(id) : ownWords(id, own);
  });
  ask(turn, {
    kind,
    text,
    whyNow: `${blocker.code}: the work may not leave ${blocker.stage}`,
    options,
    recommended: options[0]?.id ?? 'abandon',
    evidence: blocker.evidence,
    about: [blocker],
  });
}

function isWaivable({ resolutions }: Blocker): boolean {
  return resolutions.includes('waive_with_reason');
}

type Drafter = (state: RunState, incident: Incident) => Omit<Draft, 'whyNow'>;

const BY_CLASS: Readonly<Partial<Record<Incident['class'], Drafter>>> = {
  auth_failure: (_, incident) => ({
    kind: 'login',
    text: `The login is refused: ${causeOf(incident)}. Log in again, then let the run go on?`,
    options: [
      {
        id: 'retry',
        label: 'I have logged in again: go on',
        effect: 'the run resumes in the same agent session',
      },
      optionFor('abandon'),
    ],
    recommended: 'retry',
  }),
  budget_exhausted: (state, incident) => ({
    kind: 'budget',
    text: `The budget is used up: ${causeOf(incident)}. Raise it, narrow the task, or stop?`,
    options: [
      {
        id: 'raise_budget',
        label: 'raise it by the same amount again and go on',
        effect: `budget then: ${describeBudget(state)}, once more`,
      },
      {
        id: 'revise_work',
        label: 'narrow the task and go on',
        effect: 'the agent gets your note; the budget is raised by a quarter for the narrower task',
        needsNote: true,
      },
      optionFor('waive_with_reason'),
      optionFor('abandon'),
    ],
    recommended: 'raise_budget',
  }),
  permission_denied: (state, incident) => {
    const denied = state.attempts.at(-1)?.examination?.deniedTools ?? [];
    if (denied.length === 0) return generic(incident);
    return {
      kind: 'permission',
      text: `${capital(causeOf(incident))}. Allow exactly that, do it without, or stop?`,
      options: [
        {
          id: 'allow',
          label: `allow ${denied.join(', ')} and go on`,
          effect: 'recorded as your permission for this run only; the agent goes on in its session',
        },
        optionFor('revise_work'),
        optionFor('waive_with_reason'),
        optionFor('abandon'),
      ],
      recommended: 'revise_work',
    };
  },
  model_refusal: (_, incident) => ({
    kind: 'refusal',
    text: `The model refuses by its policy: ${causeOf(incident)}. Mayday never rephrases to evade it. What should happen?`,
    options: [
      {
        id: 'revise_work',
        label: 'change the task and go on',
        effect: 'your words reach the agent; Mayday adds nothing to them',
        needsNote: true,
      },
      optionFor('abandon'),
    ],
    recommended: 'revise_work',
  }),
  waiting_for_input: (_, incident) => ({
    kind: 'input',
    text: `The agent waits for an answer that nobody can type: ${causeOf(incident)}. What is your answer?`,
    options: [optionFor('answer_question'), optionFor('abandon')],
    recommended: 'answer_question',
  }),
};

function generic(incident: Incident): Omit<Draft, 'whyNow'> {
  const instructions = incident.diagnosis?.humanInstructions;
  return {
    kind: incident.class,
    text: `${capital(causeOf(incident))}.${instructions ? ` ${instructions}` : ''} Try again, change the approach, or stop?`,
    options: [
      optionFor('retry'),
      optionFor('revise_work'),
      optionFor('waive_with_reason'),
      optionFor('abandon'),
    ],
    recommended: 'retry',
  };
}

function causeOf(incident: Incident): string {
  return (incident.diagnosis?.rootCause ?? incident.class).replace(/[.\s]+$/, '');
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

function describeBudget({ budget }: RunState): string {
  const parts = [
    budget.tokens === null ? null : `${budget.tokens} tokens`,
    budget.usd === null ? null : `$${budget.usd}`,
    budget.turns === null ? null : `${budget.turns} turns`,
    budget.wallClockMs === null ? null : `${Math.round(budget.wallClockMs / 60_000)} min`,
  ];
  return parts.filter((part) => part !== null).join(', ');
}

function tried(incident: Incident | undefined): string[] {
  return (incident?.recoveries ?? [])
    .filter(({ strategy }) => strategy !== 'escalate')
    .map(({ strategy, reason }) => `${strategy}: ${reason}`);
}
