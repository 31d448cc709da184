/** `GEMINI_SESSION`: how to mend a chat of Gemini CLI. A call and its result are one record, appended again when it changes. */
import { type JsonObject, jsonList, jsonObject, jsonText } from '../../core/text/json.ts';
import { NO_RESULT, type SessionShape } from '../sessions/repair-session.ts';

export const GEMINI_SESSION: SessionShape = {
  isHeader: (record) => 'sessionId' in record && 'projectHash' in record,
  isSpoken: (record) => record['type'] === 'user' || record['type'] === 'gemini',
  imageChars: (part) => jsonText(jsonObject(part['inlineData'])['data']).length || null,
  textPart: (text) => ({ text }),
  closeCalls,
};

/** The last record of an id counts. A result is also told as a record of its own. */
function closeCalls(records: readonly JsonObject[]): ReturnType<SessionShape['closeCalls']> {
  const called = new Set(records.flatMap(callsOf).map(({ id }) => id));
  const kept = records.filter((record) => answeredBy(record).every((id) => called.has(id)));
  const last = new Map(kept.map((record, index) => [jsonText(record['id']), index]));
  let mended = records.length - kept.length;
  const closed = kept.map((record, index) => {
    const calls = callsOf(record);
    const isNewest = last.get(jsonText(record['id'])) === index;
    const isLast = !kept.slice(index + 1).some(GEMINI_SESSION.isSpoken);
    if (!isNewest || isLast || calls.every(hasResult)) return record;
    mended += calls.filter((call) => !hasResult(call)).length;
    return { ...record, toolCalls: calls.map((call) => (hasResult(call) ? call : cancelled(call))) };
  });
  return { records: closed, mended };
}

function callsOf(record: JsonObject): readonly JsonObject[] {
  return jsonList(record['toolCalls']).map(jsonObject);
}

function answeredBy(record: JsonObject): readonly unknown[] {
  const parts = jsonList(record['content']).map((part) => jsonObject(part)['functionResponse']);
  return parts.filter((part) => part !== undefined).map((part) => jsonObject(part)['id']);
}

function hasResult(call: JsonObject): boolean {
  return jsonList(call['result']).length > 0;
}

function cancelled(call: JsonObject): JsonObject {
  const { id, name } = call;
  const result = [{ functionResponse: { id, name, response: { error: NO_RESULT } } }];
  return { ...call, status: 'cancelled', result };
}
