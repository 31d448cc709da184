/** `CODEX_SESSION`: how to mend a rollout of Codex. A call and its output are lines of their own, joined by `call_id`. */
import { type JsonObject, jsonObject, jsonText } from '../../core/text/json.ts';
import { NO_RESULT, type SessionShape } from '../sessions/repair-session.ts';

const DATA = /^data:[\w/+.-]{1,80};base64,/;

export const CODEX_SESSION: SessionShape = {
  isHeader: (record) => record['type'] === 'session_meta',
  isSpoken: (record) => record['type'] === 'response_item',
  imageChars: (part) => {
    const url = jsonText(part['image_url']);
    return part['type'] === 'input_image' && DATA.test(url.slice(0, 120)) ? url.length : null;
  },
  textPart: (text) => ({ type: 'input_text', text }),
  closeCalls,
};

function closeCalls(records: readonly JsonObject[]): ReturnType<SessionShape['closeCalls']> {
  const called = new Set(records.map((record) => callId(record, '_call')));
  const answered = new Set(records.map((record) => callId(record, '_call_output')));
  const kept = records.filter((record) => {
    const id = callId(record, '_call_output');
    return id === null || called.has(id);
  });
  let mended = records.length - kept.length;
  const closed = kept.flatMap((record, index) => {
    const id = callId(record, '_call');
    if (id === null || answered.has(id) || !kept.slice(index + 1).some(CODEX_SESSION.isSpoken))
      return [record];
    mended++;
    const type = `${jsonText(jsonObject(record['payload'])['type'])}_output`;
    const payload = { type, call_id: id, output: NO_RESULT };
    return [record, { timestamp: record['timestamp'], type: 'response_item', payload }];
  });
  return { records: closed.map(renumbered), mended };
}

/** `ordinal`: each record has its place, without a gap. */
function renumbered(record: JsonObject, index: number): JsonObject {
  return 'ordinal' in record || index > 0 ? { ...record, ordinal: index } : record;
}

function callId(record: JsonObject, ending: string): string | null {
  const payload = jsonObject(record['payload']);
  const fits = record['type'] === 'response_item' && jsonText(payload['type']).endsWith(ending);
  return fits && jsonText(payload['call_id']) !== '' ? jsonText(payload['call_id']) : null;
}
