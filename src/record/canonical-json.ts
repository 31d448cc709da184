/** `canonicalJson`: JSON with sorted keys and no white space. Equal values give equal texts, so that the text can be hashed. */
export function canonicalJson(value: unknown): string {
  return JSON.stringify(sorted(value));
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (value === null || typeof value !== 'object') return value;
  // A null prototype keeps a key called __proto__ an ordinary key.
  const result: Record<string, unknown> = Object.create(null);
  for (const key of Object.keys(value).toSorted())
    result[key] = sorted((value as Record<string, unknown>)[key]);
  return result;
}
