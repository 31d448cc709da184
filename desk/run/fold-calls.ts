/** `foldCalls`: the lines of a transcript in which equal calls with equal results, one after the other, are one line that unfolds. */
import type { TranscriptDocument } from '../../src/http/transcript-document.ts';

export type Entry = TranscriptDocument['entries'][number];

/** The calls between the first and the last of equal ones. */
export interface FoldedCalls {
  readonly times: number;
  readonly entries: readonly Entry[];
}

/** Two equal calls stand as they are: a line that says so would be as long. */
const MIN_EQUAL = 3;

export function foldCalls(entries: readonly Entry[]): readonly (Entry | FoldedCalls)[] {
  const groups = groupsOf(entries);
  const lines: (Entry | FoldedCalls)[] = [];
  for (let at = 0; at < groups.length; ) {
    const first = groups[at] as readonly Entry[];
    let end = at + 1;
    while (end < groups.length && isSame(first, groups[end] ?? [])) end += 1;
    const equal = groups.slice(at, end);
    if (equal.length < MIN_EQUAL) lines.push(...equal.flat());
    else {
      const between = equal.slice(1, -1);
      lines.push(...first, { times: between.length, entries: between.flat() }, ...(equal.at(-1) ?? []));
    }
    at = end;
  }
  return lines;
}

export function isFolded(line: Entry | FoldedCalls): line is FoldedCalls {
  return 'times' in line;
}

/** A call, its result and what they used belong together; every other entry stands for itself. */
function groupsOf(entries: readonly Entry[]): readonly (readonly Entry[])[] {
  const groups: Entry[][] = [];
  for (const entry of entries) {
    const before = groups.at(-1);
    const isCall = before?.[0]?.type === 'tool_call';
    const isNext =
      isCall && (entry.type === 'usage' || (entry.type === 'tool_result' && before.length === 1));
    if (isNext) before.push(entry);
    else groups.push([entry]);
  }
  return groups;
}

function isSame(one: readonly Entry[], other: readonly Entry[]): boolean {
  const [mine, theirs] = [one, other].map((all) => all.filter(({ type }) => type !== 'usage'));
  if (mine?.[0]?.type !== 'tool_call' || mine.length !== theirs?.length) return false;
  return mine.every((entry, index) => {
    const { type, name, text, failed } = theirs[index] ?? {};
    return entry.type === type && entry.name === name && entry.text === text && entry.failed === failed;
  });
}
