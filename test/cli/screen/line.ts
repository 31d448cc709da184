/** `line`: a run as a list shows it, for tests of the full screen. */
import { type LineDocument, lineDocument } from '../../../src/http/line-document.ts';

export const NOW = Date.parse('2026-01-01T12:00:00Z');

export function line(run_id: string, given: Partial<LineDocument> = {}): LineDocument {
  const bare = lineDocument(
    JSON.stringify({
      run_id,
      task: `the task of ${run_id}`,
      agent: 'command',
      state: 'working',
      stage: 'build',
    }),
  );
  return {
    ...bare,
    why: 'attempt 1 of command',
    progress_at: new Date(NOW - 5_000).toISOString(),
    ...given,
  };
}

export function asking(run_id: string): LineDocument {
  return line(run_id, {
    word: 'needs_you',
    question: { id: `${run_id}-q1`, kind: 'agent_asks', asked_at: null },
  });
}
