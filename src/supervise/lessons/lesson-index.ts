/** `openLessonIndex`: reads changed lesson files into the record, removes those that are gone, and tells the standing of every lesson. */
import { createHmac, randomUUID } from 'node:crypto';
import {
  CONTEXT_CHAIN,
  DECISION_KIND,
  type LessonDecision,
  readDecisions,
  type StandingOf,
  standingOf,
} from '../../context/decisions.ts';
import type { Approved } from '../../context/context-packet.ts';
import { type Efficacy, efficacyOf, worthOf } from '../../context/efficacy.ts';
import { type Lesson, lessonHash } from '../../context/lesson.ts';
import { readLessons } from '../../context/read-lessons.ts';
import type { RunMetrics } from '../../core/view/run-metrics.ts';
import { canonicalJson } from '../../record/canonical-json.ts';
import type { RunRecord } from '../../record/contract.ts';
import type { StoredLesson } from '../../record/contract/lessons.ts';
import { personKey, personKeyOrNull } from '../mail/person-key.ts';

export interface IndexedLesson {
  readonly repository: string;
  readonly lesson: Lesson;
  readonly hash: string;
  readonly origin: StoredLesson['origin'];
  readonly standing: StandingOf;
}

export interface LessonStore {
  readonly home: string;
  readonly record: RunRecord;
}

export interface LessonIndex {
  readonly lessons: readonly IndexedLesson[];
  readonly problems: readonly { readonly file: string; readonly problem: string }[];
}

export async function openLessonIndex(
  { home, record }: LessonStore,
  repository: string,
  now: number,
): Promise<LessonIndex> {
  const before = await record.lessons({ repository });
  const known = new Map(before.filter(({ origin }) => origin === 'file').map(({ id, stamp }) => [id, stamp]));
  const { changed, unchanged, problems } = await readLessons(repository, known);
  if (changed.length > 0)
    await record.saveLessons(
      changed.map(({ lesson, stamp }) =>
        storedLesson(repository, lesson, { origin: 'file', stamp, at: now }),
      ),
    );
  const kept = new Set([...unchanged, ...changed.map(({ lesson }) => lesson.id)]);
  const gone = [...known.keys()].filter((id) => !kept.has(id));
  if (gone.length > 0) await record.removeLessons(repository, gone);
  const all = changed.length + gone.length === 0 ? before : await record.lessons({ repository });
  const key = personKeyOrNull(home);
  const isSigned = (decision: LessonDecision) => key !== null && decision.mac === decisionMac(key, decision);
  const decisions = readDecisions(await record.ledger(CONTEXT_CHAIN), isSigned);
  return { lessons: all.map((stored) => indexed(stored, decisions, now)), problems };
}

export function indexed(
  stored: StoredLesson,
  decisions: ReadonlyMap<string, LessonDecision>,
  now: number,
): IndexedLesson {
  const lesson = JSON.parse(stored.document) as Lesson;
  // The hash is computed again: the copy in the record may have been changed.
  const hash = lessonHash(lesson);
  return {
    repository: stored.repository,
    lesson,
    hash,
    origin: stored.origin,
    standing: standingOf(lesson, hash, decisions, now),
  };
}

export function storedLesson(
  repository: string,
  lesson: Lesson,
  {
    origin,
    stamp,
    at,
  }: { readonly origin: StoredLesson['origin']; readonly stamp: string; readonly at: number },
): StoredLesson {
  return {
    repository,
    id: lesson.id,
    hash: lessonHash(lesson),
    origin,
    stamp,
    updatedAt: at,
    title: lesson.title,
    guidance: lesson.guidance,
    words: [
      ...lesson.words,
      ...lesson.classes,
      ...lesson.classes.map((name) => name.replaceAll('_', ' ')),
      ...lesson.paths,
      ...lesson.agents,
      ...(lesson.commands ?? []),
    ].join(' '),
    document: JSON.stringify(lesson),
  };
}

/** Writes a decision to the ledger. Only an approval is signed: the other decisions can only take a lesson away. */
export async function decideLesson(
  { home, record }: LessonStore,
  { lesson, hash }: Pick<IndexedLesson, 'lesson' | 'hash'>,
  decision: Pick<LessonDecision, 'decision' | 'by' | 'note' | 'at'>,
): Promise<void> {
  const said = { lesson: lesson.id, hash, ...decision };
  // The record redacts secrets. The text is redacted before it is signed, so that the signature fits what is stored.
  const clean = JSON.parse(record.redacted(JSON.stringify(said))) as LessonDecision;
  const isApproval = clean.decision === 'approve';
  const payload = isApproval ? { ...clean, mac: decisionMac(personKey(home), clean) } : clean;
  await record.appendEvidence(CONTEXT_CHAIN, [
    {
      id: `${CONTEXT_CHAIN}.${randomUUID()}`,
      kind: DECISION_KIND,
      at: decision.at,
      payload: canonicalJson(payload),
    },
  ]);
}

function decisionMac(key: Buffer, { lesson, hash, decision, by, note, at }: LessonDecision): string {
  return createHmac('sha256', key)
    .update(JSON.stringify(['mayday lesson 1', lesson, hash, decision, by, note, at]))
    .digest('hex');
}

/** Returns the approved lessons with their worth, and separately the approved lessons that did not help. */
export function approvedLessons(
  index: readonly IndexedLesson[],
  runs: readonly RunMetrics[],
): {
  readonly approved: readonly Approved[];
  readonly useless: readonly (IndexedLesson & { efficacy: Efficacy })[];
} {
  const approved: Approved[] = [];
  const useless: (IndexedLesson & { efficacy: Efficacy })[] = [];
  const shown = new Set(runs.flatMap((run) => run.shown.map(({ id }) => id)));
  for (const item of index) {
    if (item.standing.status !== 'approved') continue;
    const { lesson, hash } = item;
    const efficacy = shown.has(lesson.id) ? efficacyOf(lesson, runs) : null;
    if (efficacy?.verdict === 'useless') useless.push({ ...item, efficacy });
    else
      approved.push({
        lesson,
        hash,
        approvedBy: item.standing.decision?.by ?? 'a person',
        worth: efficacy === null ? 0 : worthOf(efficacy),
      });
  }
  return { approved, useless };
}
