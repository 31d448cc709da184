/** `storyText`: the story of an autopsy for a terminal, in two columns without colour. */
import type { Story } from './story.ts';

const WHEN_WIDTH = 10;

export function storyText(story: Story, briefPath: string | null): string {
  const column = (left: string, text: string) =>
    `  ${left.padEnd(WHEN_WIDTH)}${text.replaceAll('\n', `\n${' '.repeat(WHEN_WIDTH + 2)}`)}`;
  const lines = [
    story.heading.join(' · '),
    '',
    `  ${story.summary}`,
    ...(story.timeline.length === 0 ? [] : ['', ...story.timeline.map(([when, what]) => column(when, what))]),
    ...(story.facts.length === 0 ? [] : ['']),
    ...story.facts.flatMap(([label, text, aside]) => [
      column(label, text),
      ...(aside === undefined ? [] : [column('', aside)]),
    ]),
    ...(briefPath === null ? [] : [column('Brief', `written to ${briefPath}`)]),
  ];
  return `${lines.join('\n')}\n`;
}
