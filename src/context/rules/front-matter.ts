/** `splitFrontMatter`: splits Markdown into its YAML head, between two lines of three dashes, and its body. Without a head, all is body. */

export interface FrontMatter {
  readonly front: string;
  readonly body: string;
  /** Line of the file on which the head begins, for messages. */
  readonly line: number;
}

export function splitFrontMatter(text: string): FrontMatter {
  const plain = text.replace(/^\uFEFF/, '').replaceAll('\r\n', '\n');
  if (!plain.startsWith('---\n')) return { front: '', body: plain, line: 1 };
  const end = plain.indexOf('\n---', 3);
  if (end === -1) return { front: '', body: plain, line: 1 };
  const after = plain.indexOf('\n', end + 1);
  return { front: plain.slice(4, end + 1), body: after === -1 ? '' : plain.slice(after + 1), line: 2 };
}
