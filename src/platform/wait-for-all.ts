/**
 * `waitForAll`: as `Promise.all`, but it throws only when all have ended: no part of a failed act works on while the act is tried again.
 */
export async function waitForAll<const T extends readonly unknown[]>(
  parts: T,
): Promise<{ -readonly [Index in keyof T]: Awaited<T[Index]> }> {
  await Promise.allSettled(parts);
  return await Promise.all(parts);
}
