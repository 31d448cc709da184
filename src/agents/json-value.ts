/**
 * `parseJsonObject`, `jsonObject`, `jsonList`, `jsonText`, `jsonNumber`: read parts of JSON of unknown shape; a missing or wrong part reads
 * as empty.
 */

export type JsonObject = Readonly<Record<string, unknown>>;

export function jsonObject(value: unknown): JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as JsonObject) : {};
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

/** Null when the line is no JSON object. */
export function parseJsonObject(line: string): JsonObject | null {
  try {
    const value: unknown = JSON.parse(line);
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as JsonObject)
      : null;
  } catch {
    return null;
  }
}
