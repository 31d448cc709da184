/** `storyAsker`: asks for an opinion on runs that are over, where the person or the configuration names somebody to ask. */
import { type Autopsy, autopsy, withOpinion } from '../../core/detect/autopsy/autopsy.ts';
import type { DetectPolicy } from '../../core/detect/detector.ts';
import type { TranscriptEntry } from '../../core/vocabulary/transcript.ts';
import type { Invocation } from '../command.ts';
import { textOf } from '../option-values.ts';
import { plainLine } from '../render/plain.ts';
import { writeText } from '../write-text.ts';

export type AskStory = (
  found: Autopsy,
  entries: readonly TranscriptEntry[],
  limits: Partial<DetectPolicy>,
) => Promise<Autopsy>;

/** `isBulk`: one question per line may be many, so they are asked only where the person says so. */
export async function storyAsker(invocation: Invocation, isBulk: boolean): Promise<AskStory> {
  if (isBulk && textOf(invocation, 'opinion') === undefined)
    return async (found) => ({ ...found, noOpinion: 'with --jsonl nobody is asked without --opinion' });
  const { opinionProvider } = await import('./opinion-provider.ts');
  const hand = await opinionProvider(invocation);
  if (hand.type === 'nobody') return async (found) => ({ ...found, noOpinion: hand.why });
  const [{ storyQuestion }, { readableEntries, storyTexts }, { materialMark }, { askOpinion }] =
    await Promise.all([
      import('../../core/opinion/story-question.ts'),
      import('../../core/opinion/story-record.ts'),
      import('../../agents/opinion/material-mark.ts'),
      import('../../agents/opinion/ask-opinion.ts'),
    ]);
  const { provider, limits: asking, redact } = hand;
  return async (found, entries, limits) => {
    if (found.state === 'unknown') return { ...found, noOpinion: 'the record is too short' };
    const readable = readableEntries(entries, redact);
    const read = autopsy(found.id, readable, null, limits);
    const question = storyQuestion(readable, read, materialMark(...storyTexts(readable)));
    const asked = { ...question, prompt: redact(question.prompt) };
    const outcome = await askOpinion(asked, provider, asking, new AbortController().signal);
    if (outcome.type === 'answered') return withOpinion(found, outcome.opinion);
    writeText(
      invocation.stderr,
      `mayday autopsy: no opinion of ${outcome.by}: ${plainLine(outcome.reason, 200)}\n`,
    );
    return { ...found, noOpinion: outcome.reason };
  };
}
