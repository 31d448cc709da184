/** `mutant`, `torn`: a value or a text that somebody damaged, from a seed: each differs from the honest one in a few places. */
import type { Random } from './simulation/random.ts';

const DEEP: unknown = JSON.parse(`${'['.repeat(500)}${']'.repeat(500)}`);
const ODD: readonly unknown[] = [
  null,
  true,
  0,
  -1,
  1.5,
  1e308,
  Number.MAX_SAFE_INTEGER,
  '',
  ' ',
  '\u0000',
  '__proto__',
  'constructor',
  '../../x',
  '\u202e\u200b\ud800',
  'x'.repeat(70_000),
  [],
  {},
  [null],
  { toString: 1, length: -1 },
  DEEP,
];

/** A copy with one to three of its parts replaced, left out, doubled or renamed. */
export function mutant(random: Random, value: unknown): unknown {
  let changed = structuredClone(value);
  for (let left = random.between(1, 3); left > 0; left -= 1) changed = changedSomewhere(random, changed);
  return changed;
}

function changedSomewhere(random: Random, value: unknown): unknown {
  if (value === null || typeof value !== 'object' || random.chance(0.15)) return random.pick(ODD);
  if (Array.isArray(value)) {
    const at = random.between(0, value.length);
    if (random.chance(0.2)) return value.toSpliced(at, 1);
    if (random.chance(0.2)) return [...value, ...value];
    return at < value.length
      ? value.with(at, changedSomewhere(random, value[at]))
      : [...value, random.pick(ODD)];
  }
  const entries = Object.entries(value);
  if (entries.length === 0 || random.chance(0.1))
    return { ...value, [random.chance(0.5) ? 'extra' : '']: random.pick(ODD) };
  const [name, inner] = random.pick(entries);
  const { [name]: _, ...others } = value as Record<string, unknown>;
  if (random.chance(0.2)) return others;
  return { ...value, [name]: changedSomewhere(random, inner) };
}

/** A text that was cut, doubled, joined with itself, or has a few foreign characters in it. */
export function torn(random: Random, text: string): string {
  const at = random.between(0, text.length);
  switch (random.between(0, 4)) {
    case 0:
      return text.slice(0, at);
    case 1:
      return text.slice(at);
    case 2:
      return `${text.slice(0, at)}${random.pick(['\u0000', '\ufeff', '\r', '\n', '"', '{', '\\', ':', '- ', '&a *a', '\ud800'])}${text.slice(at)}`;
    case 3:
      return `${text.slice(0, at)}${text}`;
    default:
      return `${text.slice(0, at)}${text.slice(at + random.between(1, 40))}`;
  }
}
