/** `readDecisions`, `standingOf`: what people decided about lessons. It gives the one status of a lesson, whatever its file says. */
import { z } from 'zod';
import type { Lesson } from './lesson.ts';
import { safeParse } from '../platform/safe-parse.ts';

/** The chain of evidence for decisions about lessons. */
export const CONTEXT_CHAIN = '@context';
export const DECISION_KIND = 'lesson';

const lessonDecision = z.object({
  lesson: z.string(),
  hash: z.string(),
  decision: z.enum(['approve', 'reject', 'revoke', 'retire']),
  by: z.string(),
  note: z.string().default(''),
  at: z.number(),
  /** Signed with the person's key; an approval without it is no person's word. */
  mac: z.string().optional(),
});
export type LessonDecision = z.infer<typeof lessonDecision>;

export type LessonStatus = 'proposed' | 'approved' | 'rejected' | 'revoked' | 'retired' | 'expired';

export interface StandingOf {
  readonly status: LessonStatus;
  /** In words: which person decided, or why an approval does not hold. */
  readonly because: string;
  readonly decision: LessonDecision | null;
}

/** The last decision about each lesson; erased and foreign entries say nothing, nor does an approval that is not signed. */
export function readDecisions(
  entries: readonly { readonly kind: string; readonly payload: string | null }[],
  isSigned: (decision: LessonDecision) => boolean = () => true,
): Map<string, LessonDecision> {
  const last = new Map<string, LessonDecision>();
  for (const { kind, payload } of entries) {
    if (kind !== DECISION_KIND || payload === null) continue;
    const parsed = safeParse(lessonDecision, JSON.parse(payload));
    if (parsed.success && (parsed.data.decision !== 'approve' || isSigned(parsed.data)))
      last.set(parsed.data.lesson, parsed.data);
  }
  return last;
}

/** Whether a decision settles what a mission owes: an approval, or a rejection with its reason. */
export function settles(decision: LessonDecision | null): boolean {
  return decision !== null && (decision.decision !== 'reject' || decision.note.trim() !== '');
}

const STATUS: Readonly<Record<LessonDecision['decision'], LessonStatus>> = {
  approve: 'approved',
  reject: 'rejected',
  revoke: 'revoked',
  retire: 'retired',
};

export function standingOf(
  lesson: Pick<Lesson, 'id' | 'status' | 'expires'>,
  hash: string,
  decisions: ReadonlyMap<string, LessonDecision>,
  now: number,
): StandingOf {
  const decision = decisions.get(lesson.id) ?? null;
  if (decision === null) {
    const claims = lesson.status === 'approved' ? 'its file says approved, but no person is on record' : '';
    return { status: 'proposed', because: claims || 'no person has decided yet', decision };
  }
  if (decision.hash !== hash)
    return {
      status: 'proposed',
      because: `changed since ${decision.by} said ${decision.decision}`,
      decision,
    };
  const because = `${STATUS[decision.decision]} by ${decision.by} on ${day(decision.at)}${decision.note ? `: ${decision.note}` : ''}`;
  if (decision.decision === 'approve' && lesson.expires !== null && day(now) > lesson.expires)
    return {
      status: 'expired',
      because: `approved by ${decision.by}, expired on ${lesson.expires}`,
      decision,
    };
  return { status: STATUS[decision.decision], because, decision };
}

function day(at: number): string {
  return new Date(at).toISOString().slice(0, 10);
}
