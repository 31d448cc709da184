/**
 * `explainStop`: asks the model of a run why an attempt looped or stalled, once it was stopped for that. The answer stands in the journal,
 * and the next brief quotes it; without one, nothing changes.
 */
import { materialMark } from '../../agents/opinion/material-mark.ts';
import { stoppedFor } from '../../core/decide/recovery/classify.ts';
import { autopsy } from '../../core/detect/autopsy/autopsy.ts';
import { storyQuestion } from '../../core/opinion/story-question.ts';
import { readableEntries, storyTexts } from '../../core/opinion/story-record.ts';
import type { Attempt } from '../../core/state/run-state.ts';
import type { TranscriptEntry } from '../../core/vocabulary/transcript.ts';
import type { ActContext } from '../act.ts';
import { askInRun, redactorOf } from '../ask-in-run.ts';

export async function explainStop(
  context: ActContext,
  attempt: Attempt,
  entries: readonly TranscriptEntry[],
): Promise<void> {
  const { state, journal } = context;
  const { opinion = { type: 'none' } } = state.options;
  const stopped = stoppedFor(attempt)?.class;
  if (opinion.type === 'none' || (stopped !== 'looping' && stopped !== 'stalled')) return;
  // One question about one end is enough; an act that begins again asks no second time.
  const given = (journal?.state() ?? state).opinions;
  if (given.some((one) => one.attempt === attempt.number && isAboutEnd(one.outcome))) return;
  const readable = readableEntries(entries, await redactorOf(context));
  const found = autopsy(state.runId, readable, null, state.policy);
  await askInRun(context, storyQuestion(readable, found, materialMark(...storyTexts(readable))));
}

function isAboutEnd(outcome: ActContext['state']['opinions'][number]['outcome']): boolean {
  const { kind } = outcome.type === 'answered' ? outcome.opinion : outcome;
  return kind === 'diagnose' || kind === 'story';
}
