/** Path globs of scopes and policies: `*` and `?` within a segment, `**` over segments, `{a,b}`. Linear in practice: no backtracking over text. */

/** A brace list longer than this is a mistake or an attack. */
const MAX_ALTERNATIVES = 64;

export function matchesAny(path: string, globs: readonly string[]): boolean {
  return globs.some((glob) => matchesGlob(path, glob));
}

export function matchesGlob(path: string, glob: string): boolean {
  const segments = path.split('/');
  return patternsOf(glob).some((pattern) => matchSegments(segments, pattern));
}

/** A scope is asked about every path of a change: its globs are taken apart once. */
const TAKEN_APART = new Map<string, readonly (readonly string[])[]>();
const MAX_TAKEN_APART = 1_000;

function patternsOf(glob: string): readonly (readonly string[])[] {
  const known = TAKEN_APART.get(glob);
  if (known !== undefined) return known;
  const patterns = expand(glob.replace(/^\.\//, '').replace(/\/$/, '/**')).map((plain) => plain.split('/'));
  if (TAKEN_APART.size >= MAX_TAKEN_APART) TAKEN_APART.clear();
  TAKEN_APART.set(glob, patterns);
  return patterns;
}

function expand(glob: string): string[] {
  const open = glob.indexOf('{');
  const close = glob.indexOf('}', open);
  if (open === -1 || close === -1) return [glob];
  const heads = glob
    .slice(open + 1, close)
    .split(',')
    .map((option) => glob.slice(0, open) + option);
  return expand(glob.slice(close + 1))
    .flatMap((tail) => heads.map((head) => head + tail))
    .slice(0, MAX_ALTERNATIVES);
}

/** Which suffixes of the path each pattern position can match: one row per pattern segment. */
function matchSegments(path: readonly string[], pattern: readonly string[]): boolean {
  let reachable = new Set([0]);
  for (const [index, part] of pattern.entries()) {
    const next = new Set<number>();
    for (const at of reachable) {
      if (part === '**') {
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
function matchSegment(text: string, pattern: string): boolean {
  let at = 0;
  let wild = 0;
  let star = -1;
  let mark = 0;
  while (at < text.length) {
    if (wild < pattern.length && (pattern[wild] === '?' || pattern[wild] === text[at])) {
      at += 1;
      wild += 1;
    } else if (pattern[wild] === '*') {
      star = wild;
      mark = at;
      wild += 1;
    } else if (star !== -1) {
      wild = star + 1;
      mark += 1;
      at = mark;
    } else return false;
  }
  while (pattern[wild] === '*') wild += 1;
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
  const wild = glob.search(/[*?{]/);
  return wild === -1 ? glob : glob.slice(0, glob.lastIndexOf('/', wild) + 1);
}
