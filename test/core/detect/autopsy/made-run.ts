/** `madeRun`: a run made from messages and calls, and what its autopsy tells. */
import { autopsy } from '../../../../src/core/detect/autopsy/autopsy.ts';
import { diagnose } from '../../../../src/core/diagnose/diagnose.ts';
import type { TranscriptEntry } from '../../../../src/core/vocabulary/transcript.ts';

export type Said = readonly [role: 'agent' | 'person', text: string];
export type Call = readonly [tool: string, input: string, output: string];

export const times = <T>(count: number, part: (n: number) => readonly T[]) =>
  Array.from({ length: count }, (_, n) => part(n)).flat();

export function entriesOf(parts: readonly (Said | Call)[]): readonly TranscriptEntry[] {
  const entries: TranscriptEntry[] = [{ type: 'message', at: 0, role: 'person', text: 'Do the task' }];
  for (const part of parts) {
    const [at, id] = [1_000 * entries.length, `${entries.length}`];
    if (part.length === 2) entries.push({ type: 'message', at, role: part[0], text: part[1] });
    else {
      const [tool, input, output] = part;
      entries.push({ type: 'tool_call', at, id, tool, input });
      entries.push({ type: 'tool_result', at: at + 500, id, output, isError: false });
    }
  }
  return entries;
}

export function madeRun(parts: readonly (Said | Call)[]) {
  const entries = entriesOf(parts);
  const found = autopsy('run', entries, diagnose);
  return {
    found,
    entries,
    cause: found.rootCause ?? '',
    next: found.next.startHere ?? '',
    /** The call with which the trouble begins, counted from 1. */
    since: found.turns.findIndex(({ callStep }) => callStep >= (found.firstStuckStep ?? Infinity)) + 1,
  };
}
