/** `opinionRow`: what a model thinks about a run, as a row of its story, apart from what is proven. */
import type { StoryOpinion } from '../../core/detect/autopsy/story-opinion.ts';
import { oneLine } from '../../core/text/quote-fenced.ts';
import { opinionLine } from '../../core/view/opinions-json.ts';

export function opinionRow(opinion: StoryOpinion): readonly [label: string, text: string, aside: string] {
  const { stuck, cause, next_step } = opinion.answer;
  const lines = [
    `${stuck === 'stuck' ? 'cause' : stuck.replace('_', ' ')}: ${oneLine(cause)}`,
    ...(next_step === '' ? [] : [`next: ${oneLine(next_step)}`]),
  ];
  return ['Opinion', lines.join('\n'), `${opinionLine({ type: 'answered', opinion })}; not proven`];
}
