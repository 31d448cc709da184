/** `matchesGlob`, `matchesAny`, `globsOverlap`: path globs: `*` and `?` within a segment, `**`, `{a,b}`, `\`. No backtracking. */

/** A brace list longer than this is a mistake or an attack. */
const MAX_ALTERNATIVES = 64;

export function matchesAny(path: string, globs: readonly string[]): boolean {
  return globs.some((glob) => matchesGlob(path, glob));
}

export function matchesGlob(path: string, glob: string): boolean {
  const segments = path.split('/');
  return patternsOf(glob).some((pattern) => matchSegments(segments, pattern));
}

/** The glob that matches this path and nothing else, whatever its name is. */
export function literalGlob(path: string): string {
  return path.replace(/[\\*?{}]/g, '\\$&');
}

/** One segment of a pattern: any number of segments, or what each place of one segment may hold. */
type Segment = typeof DEEP | readonly Token[];
type Token = string | typeof ANY | typeof ONE;
const DEEP = Symbol('**');
const ANY = Symbol('*');
const ONE = Symbol('?');

/** A scope is asked about every path of a change: its globs are taken apart once. */
const TAKEN_APART = new Map<string, readonly (readonly Segment[])[]>();
const MAX_TAKEN_APART = 1_000;

function patternsOf(glob: string): readonly (readonly Segment[])[] {
  const known = TAKEN_APART.get(glob);
  if (known !== undefined) return known;
  const plain = glob.replace(/^\.\//, '').replace(/\/$/, '/**');
  const patterns = expand(plain).map((one) => one.split('/').map(segmentOf));
  if (TAKEN_APART.size >= MAX_TAKEN_APART) TAKEN_APART.clear();
  TAKEN_APART.set(glob, patterns);
  return patterns;
}

function segmentOf(text: string): Segment {
  if (text === '**') return DEEP;
  const tokens: Token[] = [];
  for (let at = 0; at < text.length; at += 1) {
    const sign = text[at] as string;
    if (sign === '\\' && at + 1 < text.length) tokens.push(text[++at] as string);
    else tokens.push(sign === '*' ? ANY : sign === '?' ? ONE : sign);
  }
  return tokens;
}

function expand(glob: string): string[] {
  const open = plainIndex(glob, '{', 0);
  const close = open === -1 ? -1 : plainIndex(glob, '}', open);
  if (close === -1) return [glob];
  const heads = alternatives(glob.slice(open + 1, close)).map((option) => glob.slice(0, open) + option);
  return expand(glob.slice(close + 1))
    .flatMap((tail) => heads.map((head) => head + tail))
    .slice(0, MAX_ALTERNATIVES);
}

function alternatives(list: string): string[] {
  const comma = plainIndex(list, ',', 0);
  return comma === -1 ? [list] : [list.slice(0, comma), ...alternatives(list.slice(comma + 1))];
}

/** Where the sign stands without a backslash before it. */
function plainIndex(text: string, sign: string, from: number): number {
  for (let at = from; at < text.length; at += 1) {
    if (text[at] === '\\') at += 1;
    else if (text[at] === sign) return at;
  }
  return -1;
}

/** Which suffixes of the path each pattern position can match: one row per pattern segment. */
function matchSegments(path: readonly string[], pattern: readonly Segment[]): boolean {
  let reachable = new Set([0]);
  for (const [index, part] of pattern.entries()) {
    const next = new Set<number>();
    for (const at of reachable) {
      if (part === DEEP) {
        // A trailing `dir/**` means what is inside, not the folder itself.
        const from = index === pattern.length - 1 ? at + 1 : at;
        for (let to = from; to <= path.length; to += 1) next.add(to);
      } else if (at < path.length && matchSegment(path[at] as string, part)) next.add(at + 1);
    }
    reachable = next;
  }
  return reachable.has(path.length);
}

/** The classic two-pointer wildcard match: at most one return point, so never exponential. */
function matchSegment(text: string, pattern: readonly Token[]): boolean {
  let at = 0;
  let wild = 0;
  let star = -1;
  let mark = 0;
  while (at < text.length) {
    if (wild < pattern.length && (pattern[wild] === ONE || pattern[wild] === text[at])) {
      at += 1;
      wild += 1;
    } else if (pattern[wild] === ANY) {
      star = wild;
      mark = at;
      wild += 1;
    } else if (star !== -1) {
      wild = star + 1;
      mark += 1;
      at = mark;
    } else return false;
  }
  while (pattern[wild] === ANY) wild += 1;
  return wild === pattern.length;
}

/** Could some path match one of each? Judged by the folders that both name; a doubt counts as yes. */
export function globsOverlap(some: readonly string[], others: readonly string[]): boolean {
  return some.some((one) => others.some((other) => mayMeet(fixedPart(one), fixedPart(other))));
}

function mayMeet(a: string, b: string): boolean {
  return a.startsWith(b) || b.startsWith(a);
}

/** Up to the first wildcard, whole segments only: `src/auth/` of `src/auth/*.ts`. */
function fixedPart(glob: string): string {
  const wild = Math.min(
    ...['*', '?', '{'].map((sign) => plainIndex(glob, sign, 0)).filter((at) => at !== -1),
  );
  const fixed = wild === Infinity ? glob : glob.slice(0, glob.lastIndexOf('/', wild) + 1);
  return fixed.replace(/\\(.)/gs, '$1');
}
