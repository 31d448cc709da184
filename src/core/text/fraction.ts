/** `fraction`: chance that can be repeated, made of a text. */

/** A number in [0, 1) that only depends on the text (FNV-1a). */
export function fraction(text: string): number {
  let hash = 0x811c9dc5;
  for (let index = 0; index < text.length; index += 1) {
    hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
  }
  return (hash >>> 0) / 2 ** 32;
}
