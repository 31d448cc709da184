/** Fenced blocks of a page with the comment that stands directly above them. */
export interface Block {
  readonly language: string;
  readonly text: string;
  readonly line: number;
  /** Reason from `<!-- not run: reason -->`. */
  readonly notRun: string | null;
  /** From `<!-- exit N -->`; 0 otherwise. */
  readonly exitCode: number;
  /** From `<!-- file: PATH -->`. */
  readonly file: string | null;
}

export function markdownBlocks(page: string): readonly Block[] {
  const lines = page.split('\n');
  const blocks: Block[] = [];
  for (let at = 0; at < lines.length; at += 1) {
    const open = /^```(\w+)$/.exec(lines[at] ?? '');
    if (open === null) continue;
    const end = lines.indexOf('```', at + 1);
    const above = lines[at - 1] ?? '';
    blocks.push({
      language: open[1] ?? '',
      text: lines.slice(at + 1, end).join('\n'),
      line: at + 1,
      notRun: /^<!-- not run: (.+) -->$/.exec(above)?.[1] ?? null,
      exitCode: Number(/^<!-- exit (\d+) -->$/.exec(above)?.[1] ?? 0),
      file: /^<!-- file: (.+) -->$/.exec(above)?.[1] ?? null,
    });
    at = end;
  }
  return blocks;
}
