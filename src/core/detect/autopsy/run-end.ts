/**
 * `endOf`: tells from the last entries of a transcript how a run ended. A transcript has no exit codes, and they would not be reliable.
 */
import type { TranscriptEntry } from '../../vocabulary/transcript.ts';

export type EndedBy = 'person' | 'error' | 'result' | 'cut off';

const SUBMITTED = /^(submit|finish|complete|exit)\b|COMPLETE_TASK|TERMINATE|task (is )?(complete|done)/i;
export const RAN_OUT =
  /exit_(cost|context|abort|timeout)|autosubmitted|max(imum)? (turns|iterations|steps|budget)|limits? ?(reached|exceeded)|out of budget/i;
export const INTERRUPTED = /^\[(Request interrupted by user|turn aborted|aborted)/;

export function endOf(entries: readonly TranscriptEntry[]): EndedBy {
  const last = entries.findLast(
    (entry) => entry.type !== 'usage' && entry.type !== 'unknown' && entry.type !== 'progress',
  );
  if (last === undefined) return 'cut off';
  switch (last.type) {
    case 'result':
      return last.isError || RAN_OUT.test(last.subtype.replaceAll('_', ' ')) ? 'error' : 'result';
    case 'error':
    case 'retry':
      return 'error';
    case 'message':
      if (last.role === 'person') return INTERRUPTED.test(last.text) ? 'person' : 'cut off';
      return RAN_OUT.test(last.text.slice(0, 200)) ? 'error' : 'result';
    case 'tool_result': {
      const call = entries.findLast((entry) => entry.type === 'tool_call' && entry.id === last.id);
      const input = call?.type === 'tool_call' ? call.input.slice(0, 200) : '';
      if (RAN_OUT.test(input) || RAN_OUT.test(last.output.slice(0, 200))) return 'error';
      return SUBMITTED.test(input) ? 'result' : 'cut off';
    }
    case 'tool_call':
      return SUBMITTED.test(last.input.slice(0, 200)) || SUBMITTED.test(last.tool) ? 'result' : 'cut off';
    default:
      return 'cut off';
  }
}
