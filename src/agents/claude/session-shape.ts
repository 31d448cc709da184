/** `CLAUDE_SESSION`: how to mend a conversation of Claude Code. Its records are a chain by `parentUuid`; a lost link loses all before. */
import { randomUUID } from 'node:crypto';
import { type JsonObject, jsonList, jsonObject, jsonText } from '../../core/text/json.ts';
import { NO_RESULT, type SessionShape } from '../sessions/repair-session.ts';

export const CLAUDE_SESSION: SessionShape = {
  isHeader: (record) => typeof record['sessionId'] === 'string',
  isSpoken: (record) => record['type'] === 'user' || record['type'] === 'assistant',
  imageChars: (part) =>
    part['type'] === 'image' ? jsonText(jsonObject(part['source'])['data']).length || null : null,
  textPart: (text) => ({ type: 'text', text }),
  closeCalls,
  relink,
};

/** A record whose parent is lost follows the last one before it. */
function relink(records: readonly JsonObject[]): readonly JsonObject[] {
  const known = new Set<string>();
  let last: string | null = null;
  return records.map((record) => {
    const parent = jsonText(record['parentUuid']);
    const linked = parent === '' || known.has(parent) ? record : { ...record, parentUuid: last };
    const id = jsonText(record['uuid']);
    if (id !== '') {
      known.add(id);
      last = id;
    }
    return linked;
  });
}

/** The results of a message stand after its last line, which may be followed by more lines of the same message. */
function closeCalls(records: readonly JsonObject[]): ReturnType<SessionShape['closeCalls']> {
  const called = new Set(blocksOf(records, 'tool_use').map((block) => jsonText(block['id'])));
  const answered = new Set(blocksOf(records, 'tool_result').map((block) => jsonText(block['tool_use_id'])));
  const out: JsonObject[] = [];
  const moved = new Map<string, string>();
  let mended = 0;
  for (const [index, record] of records.entries()) {
    const content = jsonList(jsonObject(record['message'])['content']).map(jsonObject);
    const kept = content.filter(
      (block) => block['type'] !== 'tool_result' || called.has(jsonText(block['tool_use_id'])),
    );
    mended += content.length - kept.length;
    const parent = jsonText(record['parentUuid']);
    const linked = moved.has(parent) ? { ...record, parentUuid: moved.get(parent) } : record;
    if (content.length > 0 && kept.length === 0) {
      // What followed the record follows its parent now.
      moved.set(jsonText(record['uuid']), jsonText(linked['parentUuid']));
      continue;
    }
    out.push(kept.length === content.length ? linked : withContent(linked, kept));
    const open = blocksOf([record], 'tool_use').filter((block) => !answered.has(jsonText(block['id'])));
    // Without a word after it the call was in flight at the end; the CLI marks it or drops it by itself.
    if (open.length === 0 || !records.slice(index + 1).some(CLAUDE_SESSION.isSpoken)) continue;
    const uuid = randomUUID();
    const { message: _, ...frame } = linked;
    const results = open.map((block) => ({
      type: 'tool_result',
      tool_use_id: block['id'],
      is_error: true,
      content: NO_RESULT,
    }));
    out.push({
      ...frame,
      parentUuid: record['uuid'],
      type: 'user',
      uuid,
      message: { role: 'user', content: results },
    });
    moved.set(jsonText(record['uuid']), uuid);
    mended += open.length;
  }
  return { records: out, mended };
}

function withContent(record: JsonObject, content: readonly JsonObject[]): JsonObject {
  return { ...record, message: { ...jsonObject(record['message']), content } };
}

function blocksOf(records: readonly JsonObject[], type: string): readonly JsonObject[] {
  return records
    .filter(CLAUDE_SESSION.isSpoken)
    .flatMap((record) => jsonList(jsonObject(record['message'])['content']).map(jsonObject))
    .filter((block) => block['type'] === type);
}
