/**
 * `opinionMetrics`: the opinions of a run for reports: what each claimed, and whether what happened next bore it out. What cannot be seen
 * is not judged.
 */
import type { StoryAnswer } from '../detect/autopsy/story-opinion.ts';
import { isProven } from '../gates/delivery-proof.ts';
import type { BelongsAnswer } from '../opinion/belongs-answer.ts';
import type { RunState } from '../state/run-state.ts';
import { jsonObject, jsonText } from '../text/json.ts';
import { costOf, type Opinion } from '../vocabulary/opinion.ts';
import type { ChangedJudge } from '../vocabulary/proof.ts';
import type { StoredKey } from '../vocabulary/questions/approval.ts';

export interface OpinionMetrics {
  readonly by: string;
  readonly kind: string;
  /** Null: there was no answer. */
  readonly confidence: number | null;
  readonly cost: number;
  /** Null: nothing in the run has borne it out or refuted it. */
  readonly cameTrue: boolean | null;
  /** The incident or the lesson that it speaks of: what becomes of that is known only later. */
  readonly about: string | null;
  /** It says that there was trouble; null: it says nothing about that. */
  readonly saysTrouble: boolean | null;
}

export function opinionMetrics(state: RunState): readonly OpinionMetrics[] {
  return state.opinions.map(({ outcome, attempt }) => {
    const { by, kind } = outcome.type === 'answered' ? outcome.opinion : outcome;
    const unseen = { by, kind, cost: costOf(outcome) ?? 0, cameTrue: null, about: null, saysTrouble: null };
    if (outcome.type !== 'answered') return { ...unseen, confidence: null };
    const { confidence } = outcome.opinion;
    return { ...unseen, confidence, ...judge(state, attempt, outcome.opinion) };
  });
}

type Judged = Partial<Pick<OpinionMetrics, 'cameTrue' | 'about' | 'saysTrouble'>>;

function judge(state: RunState, attempt: number, { kind, answer }: Opinion): Judged {
  switch (kind) {
    case 'diagnose':
      return judgeDiagnosis(state, attempt, jsonText(jsonObject(answer)['class']));
    case 'story':
      return judgeStory(state, attempt, (answer as StoryAnswer).stuck);
    case 'belongs':
      return { cameTrue: wasSentBack(state, attempt, answer as BelongsAnswer) };
    case 'lesson':
      return { about: jsonText(jsonObject(answer)['lesson']) };
    default:
      return {};
  }
}

/** Of a class, the incident of the attempt tells: only one that was resolved shows that its class was handled rightly. */
function judgeDiagnosis(state: RunState, attempt: number, named: string): Judged {
  const incident = state.incidents.find((one) => one.attempt === attempt);
  if (incident === undefined) return { cameTrue: isProven(state) ? named === 'success' : null };
  const cameTrue = incident.outcome === 'resolved' ? named === incident.class : null;
  return { cameTrue, about: incident.id, saysTrouble: named === 'unknown' ? null : named !== 'success' };
}

/**
 * The next attempt was told what the model thinks: it came true if that one got past the incident, and did not if that one ended in it
 * again. Where a person was asked in between, the outcome does not show whose words helped.
 */
function judgeStory(state: RunState, attempt: number, stuck: StoryAnswer['stuck']): Judged {
  if (stuck === 'cannot_tell') return {};
  const next = state.attempts.find(({ number }) => number === attempt + 1);
  const incident = state.incidents.find(({ id, attempt: of }) => id === next?.incident || of === attempt);
  if (incident === undefined) return {};
  const { id, outcome } = incident;
  const saysTrouble = stuck === 'stuck';
  if (!saysTrouble || next?.incident !== id) return { about: id, saysTrouble };
  const wasAsked = state.questions.some(
    ({ incident: of, question }) => of === id && question.askedAt <= next.plannedAt,
  );
  const isAgain = state.attempts.some((later) => later.incident === id && later.number > next.number);
  const cameTrue = isAgain ? false : outcome === 'resolved' ? true : null;
  return { about: id, saysTrouble, cameTrue: wasAsked ? null : cameTrue };
}

/** Of what does not belong, the person who was asked about nothing else tells: sent back, or meant. */
function wasSentBack({ questions }: RunState, attempt: number, { files }: BelongsAnswer): boolean | null {
  if (files.length === 0) return null;
  const asked = questions.findLast(
    ({ question: { about } }) =>
      about?.attempt === attempt && about.blockers.length > 0 && about.blockers.every(isOpinions),
  );
  if (asked?.answer?.option === 'revise_work') return true;
  return asked?.answer?.option === 'record_judgment' ? false : null;
}

function isOpinions(key: StoredKey): boolean {
  if (typeof key === 'string' || key.code !== 'touch_point_unrecorded') return false;
  const { judges = [] } = key.fields as { readonly judges?: readonly ChangedJudge[] };
  if (key.source !== 'judges') return key.source === 'unrelated';
  return judges.every(({ opinion }) => opinion !== undefined);
}
