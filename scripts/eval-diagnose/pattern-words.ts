/** `wordsOf`: the words that a text must hold for a pattern to match: one per alternative, or null if an alternative has none. */

/** A single character occurs everywhere and saves nothing. */
const SHORTEST = 2;

export function wordsOf(pattern: RegExp): readonly string[] | null {
  const words: string[] = [];
  for (const alternative of alternativesOf(pattern.source)) {
    const literal = longestLiteral(alternative);
    // `(?:abc|def)x?`: the words of a group that must match serve as well, and better where they are rarer.
    const sets = neededGroups(alternative).map((inner) => wordsOf(new RegExp(inner)));
    if (literal.length >= SHORTEST) sets.unshift([literal]);
    let best: readonly string[] | null = null;
    for (const set of sets)
      if (set !== null && (best === null || rarity(set) > rarity(best) + CLEARLY)) best = set;
    if (best === null) return null;
    words.push(...best);
  }
  return words;
}

/** Two lists that are about as rare: the first is the shorter one. */
const CLEARLY = 1;

/** How seldom a text holds one of the words: by the commonest. Numbers are rarer than words, blanks and colons stand everywhere. */
function rarity(words: readonly string[]): number {
  return Math.min(
    ...words.map((word) => (/^\d{3,}$/.test(word) ? word.length + 3 : word.replace(/[^a-z0-9]/g, '').length)),
  );
}

/** `a|b(c|d)` gives `a` and `b(c|d)`. */
export function alternativesOf(source: string): readonly string[] {
  const parts: string[] = [];
  let depth = 0;
  let inClass = false;
  let start = 0;
  for (let index = 0; index < source.length; index += 1) {
    const char = source[index];
    if (char === '\\') index += 1;
    else if (inClass) inClass = char !== ']';
    else if (char === '[') inClass = true;
    else if (char === '(') depth += 1;
    else if (char === ')') depth -= 1;
    else if (char === '|' && depth === 0) {
      parts.push(source.slice(start, index));
      start = index + 1;
    }
  }
  parts.push(source.slice(start));
  return parts;
}

function longestLiteral(source: string): string {
  let best = '';
  let run = '';
  const end = (): void => {
    if (run.length > best.length) best = run;
    run = '';
  };
  for (let index = 0; index < source.length; index += 1) {
    const char = source[index] as string;
    let literal: string | null = char;
    if (char === '\\') {
      index += 1;
      const escaped = source[index] as string;
      literal = /[\w]/.test(escaped) ? null : escaped;
      if (escaped === 'b') continue;
    } else if (char === '[' || char === '(') {
      index = closing(source, index);
      literal = null;
    } else if (char === '^' || char === '$') continue;
    else if (char === '.') literal = null;
    const after = source[index + 1];
    if (after === '?' || after === '*' || after === '{') {
      end();
      index = after === '{' ? source.indexOf('}', index) : index + 1;
      if (source[index + 1] === '?') index += 1;
      continue;
    }
    if (literal === null) end();
    else run += literal;
    if (after === '+') {
      end();
      index += 1;
    }
  }
  end();
  return best.toLowerCase();
}

function closing(source: string, open: number): number {
  let depth = 0;
  let inClass = false;
  for (let index = open; index < source.length; index += 1) {
    const char = source[index];
    if (char === '\\') index += 1;
    else if (inClass) {
      if (char === ']') {
        inClass = false;
        if (depth === 0) return index;
      }
    } else if (char === '[') inClass = true;
    else if (char === '(') depth += 1;
    else if (char === ')') {
      depth -= 1;
      if (depth === 0) return index;
    }
  }
  return source.length;
}

/** The groups that must match: no look-arounds, nothing optional. */
function neededGroups(source: string): readonly string[] {
  const groups: string[] = [];
  for (let index = 0; index < source.length; index += 1) {
    const char = source[index];
    if (char === '\\') index += 1;
    else if (char === '[') index = closing(source, index);
    else if (char === '(') {
      const end = closing(source, index);
      const inner = source.slice(index + 1, end);
      const quantifier = source[end + 1];
      const optional =
        quantifier === '?' || quantifier === '*' || (quantifier === '{' && source[end + 2] === '0');
      if (!optional && !/^\?<?[=!]/.test(inner)) groups.push(inner.replace(/^\?(?::|<\w+>)/, ''));
      index = end;
    }
  }
  return groups;
}
