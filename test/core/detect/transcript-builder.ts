/** Small transcripts, written as what was called and what came back. */
import { createWatch, type Watch, watchNext } from '../../../src/core/detect/watch.ts';
import type { DetectPolicy } from '../../../src/core/detect/detector.ts';
import type { Tick } from '../../../src/core/detect/tick.ts';
import type { Signal } from '../../../src/core/vocabulary/signal.ts';
import type { TranscriptEntry } from '../../../src/core/vocabulary/transcript.ts';

const STEP_MS = 1_000;

export type Part =
  | { readonly call: string; readonly tool?: string; readonly result: string; readonly failed?: boolean }
  | { readonly say: string; readonly role?: 'agent' | 'person' }
  | { readonly progress: 'tree' | 'commit' | 'check' | 'subtask'; readonly detail: string }
  | { readonly entry: TranscriptEntry };

export function call(input: string, result: string, tool = 'Bash'): Part {
  return { call: input, result, tool };
}

export function failedCall(input: string, result: string, tool = 'Bash'): Part {
  return { call: input, result, tool, failed: true };
}

export function edit(path: string, from: string, to: string): Part {
  const input = JSON.stringify({ file_path: path, old_string: from, new_string: to });
  return { call: input, tool: 'Edit', result: `The file ${path} has been updated.` };
}

export function transcript(parts: readonly Part[]): readonly TranscriptEntry[] {
  const entries: TranscriptEntry[] = [];
  const at = () => entries.length * STEP_MS;
  for (const part of parts) {
    if ('entry' in part) entries.push({ ...part.entry, at: at() });
    else if ('say' in part)
      entries.push({ type: 'message', at: at(), role: part.role ?? 'agent', text: part.say });
    else if ('progress' in part) {
      entries.push({ type: 'progress', at: at(), kind: part.progress, detail: part.detail });
    } else {
      const id = `call-${entries.length}`;
      entries.push({ type: 'tool_call', at: at(), id, tool: part.tool ?? 'Bash', input: part.call });
      entries.push({ type: 'tool_result', at: at(), id, output: part.result, isError: part.failed ?? false });
    }
  }
  return entries;
}

export interface Heard {
  readonly signals: readonly Signal[];
  readonly watch: Watch;
}

export function listen(
  entries: readonly (TranscriptEntry | Tick)[],
  policy: Partial<DetectPolicy> = {},
): Heard {
  let watch = createWatch(policy);
  const signals: Signal[] = [];
  for (const entry of entries) {
    const watched = watchNext(watch, entry);
    watch = watched.watch;
    signals.push(...watched.signals);
  }
  return { signals, watch };
}

export function hear(parts: readonly Part[], policy: Partial<DetectPolicy> = {}): Heard {
  return listen(transcript(parts), policy);
}

/** After how many completed calls the first critical signal came; null when none did. */
export function callsUntilCritical(entries: readonly TranscriptEntry[]): number | null {
  let watch = createWatch();
  let calls = 0;
  for (const entry of entries) {
    if (entry.type === 'tool_result') calls++;
    const watched = watchNext(watch, entry);
    watch = watched.watch;
    if (watched.signals.some((signal) => signal.severity === 'critical')) return calls;
  }
  return null;
}
