/** `section`, `lines`, `quotedList`, `quotedBlock`: parts of a brief as bounded text. */
import { quoteFenced } from '../../text/quote-fenced.ts';
import { visibleText } from '../../text/visible-text.ts';

/** A list of names ends here; the agent can look up the rest. */
const MAX_LIST_CHARS = 400;
const MAX_ITEM_CHARS = 160;

export function section(title: string, body: string): string {
  return body.trim() === '' ? '' : `## ${title}\n\n${body.trim()}\n`;
}

export function lines(parts: readonly (string | null)[]): string {
  return parts.filter((part) => part !== null && part !== '').join('\n');
}

export function quotedList(title: string, items: readonly string[], mark: string): string | null {
  if (items.length === 0) return null;
  const shown: string[] = [];
  let chars = 0;
  for (const item of items) {
    const quoted = quoteFenced(item, mark, MAX_ITEM_CHARS);
    chars += quoted.length;
    if (shown.length > 0 && chars > MAX_LIST_CHARS) break;
    shown.push(quoted);
  }
  const left = items.length - shown.length;
  return `${title}: ${shown.join(', ')}${left > 0 ? ` and ${left} more` : ''}.`;
}

/** Several lines of a program or file as data: between marks of their own, without characters that a reviewer cannot see. */
export function quotedBlock(kind: string, text: string, mark: string): string {
  return `<<<${kind}-${mark}\n${inMarks(text, mark)}\n${kind}-${mark}>>>`;
}

export function inMarks(text: string, mark: string): string {
  let clean = visibleText(text, ' ')
    .split('\n')
    .map((line) => line.trimEnd())
    .join('\n');
  // What is left after a mark was taken out must not be one again.
  while (clean.includes(mark)) clean = clean.replaceAll(mark, '');
  return clean.replaceAll('\n## ', '\n### ').trim();
}
