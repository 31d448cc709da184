/** `proposeLessons`: saves what the rescues of an ended run taught as proposals in the record. Only a person puts them into a checkout. */
import { newChance } from '../new-chance.ts';
import { alreadyKnown, proposeLesson, type Rescued } from '../../context/propose-lesson.ts';
import { quoted } from '../../context/clean-text.ts';
import type { Lesson } from '../../context/lesson.ts';
import { readableQuotes } from '../../core/text/quote-fenced.ts';
import type { Fact } from '../../core/vocabulary/events/event.ts';
import type { Incident, RunState } from '../../core/state/run-state.ts';
import type { LessonAnswer } from '../../core/opinion/lesson-answer.ts';
import type { OpinionQuestion } from '../../core/opinion/opinion-question.ts';
import type { Opinion } from '../../core/vocabulary/opinion.ts';
import { materialMark } from '../../agents/opinion/material-mark.ts';
import type { RunRecord } from '../../record/contract.ts';
import { storedLesson } from './lesson-index.ts';
import { troubledCommands } from './troubled-commands.ts';

/** Rescues teach from this phase on: a plain retry teaches nothing that another agent could use. */
const TEACHING_PHASE = 2;
const MAX_LABEL_CHARS = 120;

/** Null: there is no answer that the record holds. */
export type AskLesson = (question: OpinionQuestion<LessonAnswer>) => Promise<Opinion<LessonAnswer> | null>;

/** Returns a fact for each new proposal; empty while the run goes on, and when every proposal is on record. */
export async function proposeLessons(
  record: RunRecord,
  state: RunState,
  redact: (text: string) => string,
  ask: AskLesson,
  now: number,
): Promise<readonly Fact[]> {
  if (state.life.type !== 'ended' || state.life.state === 'abandoned') return [];
  const rescued = state.incidents.flatMap((incident) => {
    const told = rescuedBy(state, incident, now);
    return told === null ? [] : [told];
  });
  if (rescued.length === 0) return [];
  const known = (await record.lessons({ repository: state.repository })).map(
    ({ document }) => JSON.parse(document) as Lesson,
  );
  const facts: Fact[] = [];
  for (const rescue of rescued) {
    const material = redacted(rescue, redact);
    let lesson = proposeLesson(material, newChance(), null);
    // An earlier keeper of this run saved the lesson and died before it submitted the fact.
    const saved = known.find(
      ({ id, learned }) => id === lesson.id && learned.run === state.runId && !state.proposed.includes(id),
    );
    if (saved === undefined && alreadyKnown(lesson, known)) continue;
    if (saved === undefined) {
      const { opinion: who = { type: 'none' } } = state.options;
      const opinion = who.type === 'none' ? null : await ask(await questionOf(material, lesson.id));
      if (opinion !== null) lesson = proposeLesson(material, newChance(), opinion);
      known.push(lesson);
      await record.saveLessons([
        storedLesson(state.repository, lesson, { origin: 'record', stamp: '', at: now }),
      ]);
    }
    facts.push({
      type: 'lesson_proposed',
      at: now,
      lesson: lesson.id,
      title: (saved ?? lesson).title,
      incident: material.incident,
    });
  }
  return facts;
}

async function questionOf(told: Rescued, lesson: string): Promise<OpinionQuestion<LessonAnswer>> {
  const { lessonQuestion } = await import('../../core/opinion/lesson-question.ts');
  return lessonQuestion(told, lesson, materialMark);
}

function rescuedBy(state: RunState, incident: Incident, now: number): Rescued | null {
  if (incident.outcome !== 'resolved' || incident.diagnosis === null) return null;
  const asked = state.questions.filter((one) => one.incident === incident.id);
  const answers = asked.flatMap(({ answer }) => answer ?? []);
  const missions = state.missions.filter((mission) => mission.incident === incident.id);
  const notes = [...answers.map(({ note }) => note), ...missions.map(({ plan }) => plan.injection)].filter(
    (note) => note.trim() !== '',
  );
  const phase = Math.max(0, ...incident.recoveries.map((recovery) => recovery.phase));
  if (phase < TEACHING_PHASE) return null;
  // A lesson that the agent followed is counted as helpful and not proposed again.
  if (
    state.attempts.some(
      (attempt) => attempt.incident === incident.id && attempt.lessons.length > 0 && notes.length === 0,
    )
  )
    return null;
  const attempt = state.attempts.find(({ number }) => number === incident.attempt);
  return {
    runId: state.runId,
    incident: incident.id,
    class: incident.class,
    fingerprint: incident.diagnosis.fingerprint,
    rootCause: incident.diagnosis.rootCause,
    evidence: incident.diagnosis.evidence.map(({ text }) => text),
    commands: troubledCommands(attempt?.examination).commands,
    notes,
    did: [
      ...asked.flatMap(({ question, answer }) => {
        const chosen = question.options.find(({ id }) => id === answer?.option);
        return answer === null
          ? []
          : [
              `${answer.by} answered ${quoted(readableQuotes(chosen?.label ?? answer.option), MAX_LABEL_CHARS)}`,
            ];
      }),
      ...missions.map(({ id, owner }) => `rescue mission ${id} by ${owner}`),
      ...incident.recoveries
        .filter(({ strategy }) => strategy !== 'escalate')
        .map(({ hint, reason }) => (hint ? `the agent was told: ${hint}` : reason)),
    ],
    ...knownAfter(state, incident),
    failedCalls: (attempt?.examination?.knowledge?.failedCalls ?? []).map(
      ({ call, result }) => `${call} -> ${result}`,
    ),
    task: state.task.text,
    changed: state.delivered?.files ?? [],
    proof: incident.proof ?? state.life.type,
    at: now,
    by: missions.at(-1)?.owner ?? answers.at(-1)?.by ?? 'mayday',
  };
}

/** What the attempt that got past the incident decided, its last words, and its change. */
function knownAfter({ attempts }: RunState, { id }: Incident): Pick<Rescued, 'statements' | 'diff'> {
  const known = attempts.findLast((one) => one.incident === id)?.examination?.knowledge;
  return {
    statements: [...(known?.decided.toReversed() ?? []), known?.lastWords ?? ''],
    diff: known?.diff ?? [],
  };
}

function redacted(told: Rescued, redact: (text: string) => string): Rescued {
  return {
    ...told,
    task: redact(told.task),
    failedCalls: told.failedCalls.map(redact),
    diff: told.diff.map(redact),
    rootCause: redact(told.rootCause),
    evidence: told.evidence.map(redact),
    commands: told.commands.map(redact),
    notes: told.notes.map(redact),
    did: told.did.map(redact),
    statements: told.statements.map(redact),
    changed: told.changed.map(redact),
    proof: redact(told.proof),
  };
}
