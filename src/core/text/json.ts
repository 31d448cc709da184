/** `jsonOrNull`, `objectOrNull`, `jsonObject`, `jsonList`, `jsonText`, `jsonNumber`, `textOfContent`: JSON of unknown shape. */

export type JsonObject = Readonly<Record<string, unknown>>;

export function jsonOrNull(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
export function objectOrNull(text: string): JsonObject | null {
  const value = jsonOrNull(text);
  return isJsonObject(value) ? value : null;
}

export function jsonObject(value: unknown): JsonObject {
  return isJsonObject(value) ? value : {};
}

export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function jsonList(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

export function jsonText(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

export function jsonNumber(value: unknown): number {
  return typeof value === 'number' && Number.isFinite(value) ? value : 0;
}

export function textOfContent(content: unknown): string {
  if (typeof content === 'string') return content;
  return jsonList(content)
    .map((part) => jsonText(jsonObject(part)['text']))
    .join('\n');
}
