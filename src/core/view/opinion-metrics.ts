/**
 * `opinionMetrics`: the opinions of a run for reports: what each claimed, and whether what happened next bore it out. What cannot be seen
 * is not judged.
 */
import type { StoryAnswer } from '../detect/autopsy/story-opinion.ts';
import { isProven } from '../gates/delivery-proof.ts';
import type { BelongsAnswer } from '../opinion/belongs-answer.ts';
import type { AskedQuestion, Incident, RunState } from '../state/run-state.ts';
import { jsonObject, jsonText } from '../text/json.ts';
import { costOf, type GivenOpinion, type Opinion } from '../vocabulary/opinion.ts';
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
  return state.opinions.map((given) => {
    const { outcome } = given;
    const { by, kind } = outcome.type === 'answered' ? outcome.opinion : outcome;
    const confidence = outcome.type === 'answered' ? outcome.opinion.confidence : null;
    const judged = outcome.type === 'answered' ? judge(state, given, outcome.opinion) : {};
    return { by, kind, confidence, cost: costOf(outcome) ?? 0, ...NOT_SEEN, ...judged };
  });
}

type Judged = Pick<OpinionMetrics, 'cameTrue' | 'about' | 'saysTrouble'>;

const NOT_SEEN: Judged = { cameTrue: null, about: null, saysTrouble: null };

function judge(state: RunState, { attempt }: GivenOpinion, { kind, answer }: Opinion): Partial<Judged> {
  switch (kind) {
    case 'diagnose':
      return judgeDiagnosis(state, attempt, jsonText(jsonObject(answer)['class']));
    case 'story':
      return judgeStory(state, attempt, (answer as StoryAnswer).stuck);
    case 'belongs':
      return { cameTrue: wasSentBack(state, attempt, answer as BelongsAnswer) };
    case 'lesson':
      return { about: jsonText(jsonObject(answer)['lesson']) };
    case 'stuck':
      return {};
  }
}

/** Of a class, the incident of the attempt tells: only one that was resolved shows that its class was handled rightly. */
function judgeDiagnosis(state: RunState, attempt: number, named: string): Partial<Judged> {
  const incident = state.incidents.find((one) => one.attempt === attempt);
  if (incident === undefined) return { cameTrue: isProven(state) ? named === 'success' : null };
  const cameTrue = incident.outcome === 'resolved' ? named === incident.class : null;
  return { cameTrue, about: incident.id, saysTrouble: named === 'unknown' ? null : named !== 'success' };
}

/**
 * The next attempt was told what the model thinks: it came true if that one got past the incident, and did not if that one ended in it
 * again. Where a person was asked in between, nobody can tell whose words helped.
 */
function judgeStory(state: RunState, attempt: number, stuck: StoryAnswer['stuck']): Partial<Judged> {
  if (stuck === 'cannot_tell') return {};
  const next = state.attempts.find(({ number }) => number === attempt + 1);
  const incident = state.incidents.find(({ id, attempt: of }) => id === next?.incident || of === attempt);
  if (incident === undefined) return {};
  const saysTrouble = stuck === 'stuck';
  const isJudged =
    saysTrouble && next?.incident === incident.id && !wasAsked(state, incident, next.plannedAt);
  return {
    about: incident.id,
    saysTrouble,
    cameTrue: isJudged ? gotPast(state, incident, next.number) : null,
  };
}

function wasAsked({ questions }: RunState, { id }: Incident, before: number): boolean {
  return questions.some(({ incident, question }) => incident === id && question.askedAt <= before);
}

function gotPast({ attempts }: RunState, { id, outcome }: Incident, told: number): boolean | null {
  const last = attempts.findLast(({ incident }) => incident === id)?.number;
  if (last !== told) return false;
  return outcome === 'resolved' ? true : null;
}

/** Of what does not belong, the person who was asked about nothing else tells: sent back, or meant. */
function wasSentBack({ questions }: RunState, attempt: number, { files }: BelongsAnswer): boolean | null {
  if (files.length === 0) return null;
  const asked = questions.findLast(({ question }) => isAbout(question, attempt));
  if (asked?.answer?.option === 'revise_work') return true;
  return asked?.answer?.option === 'record_judgment' ? false : null;
}

function isAbout({ about }: AskedQuestion['question'], attempt: number): boolean {
  return about?.attempt === attempt && about.blockers.length > 0 && about.blockers.every(isOpinions);
}

function isOpinions(key: StoredKey): boolean {
  if (typeof key === 'string' || key.code !== 'touch_point_unrecorded') return false;
  const { judges = [] } = key.fields as { readonly judges?: readonly ChangedJudge[] };
  return (
    key.source === 'unrelated' ||
    (key.source === 'judges' && judges.every(({ opinion }) => opinion !== undefined))
  );
}
