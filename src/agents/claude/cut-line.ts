/**
 * `cutLine`: what can be read of a line that was cut at the reader's limit and is no JSON any more. A lost tool result would leave its
 * call in flight for ever, so the call id and the text so far are taken from the beginning of the line.
 */
import type { JsonObject } from '../../core/text/json.ts';

/** Shorter broken lines are torn or foreign, not cut by us. */
const SHORTEST_CUT = 16 * 1024;
/** The names stand in front of the bulk. */
const HEAD = 4 * 1024;

export function cutLine(line: string): JsonObject | null {
  if (line.length < SHORTEST_CUT || !line.startsWith('{"type":"')) return null;
  const head = line.slice(0, HEAD);
  if (head.startsWith('{"type":"user"')) {
    const id = /"tool_use_id":"([\w-]{1,80})"/.exec(head)?.[1];
    if (id === undefined) return null;
    const isError = /"is_error":true/.test(head);
    const block = {
      type: 'tool_result',
      tool_use_id: id,
      is_error: isError,
      content: textAfter(line, '"content":"'),
    };
    return { type: 'user', message: { content: [block] } };
  }
  if (head.startsWith('{"type":"assistant"')) {
    const call = /"type":"tool_use","id":"([\w-]{1,80})","name":"([\w.:-]{1,120})"/.exec(head);
    if (call === null) return null;
    const block = {
      type: 'tool_use',
      id: call[1],
      name: call[2],
      input: { cut: textAfter(line, '"input":') },
    };
    return { type: 'assistant', message: { content: [block] } };
  }
  return null;
}

function textAfter(line: string, marker: string): string {
  const index = line.indexOf(marker);
  return index === -1 ? '' : line.slice(index + marker.length);
}
