/** `fraction`: a number in [0, 1) that depends only on the text (FNV-1a); in place of chance, so that it can be repeated. */

export function fraction(text: string): number {
  let hash = 0x811c9dc5;
  for (let index = 0; index < text.length; index += 1) {
    hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
  }
  return (hash >>> 0) / 2 ** 32;
}
