/** `jsonOrNull`, `objectOrNull`: JSON that somebody else wrote; null where it is none. */

export function jsonOrNull(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

export function objectOrNull(text: string): Readonly<Record<string, unknown>> | null {
  const value = jsonOrNull(text);
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Readonly<Record<string, unknown>>)
    : null;
}
