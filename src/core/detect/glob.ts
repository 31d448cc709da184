/** Globs for scopes: `*` inside a name, `**` over folders, `?` one character. Linear in the path for every pattern. */

/** Absolute paths are told by agents, scopes by people; both mean the end of the path. */
export function matchesAnyGlob(globs: readonly string[], path: string): boolean {
  const parts = split(path);
  return globs.some((glob) => {
    const wanted = split(glob);
    if (path.startsWith('/') && !glob.startsWith('/')) {
      return parts.some((_, at) => matchParts(wanted, parts.slice(at)));
    }
    return matchParts(wanted, parts);
  });
}

function split(path: string): readonly string[] {
  return path.split('/').filter((part) => part !== '' && part !== '.');
}

/** The classic two-pointer match with one remembered star: no backtracking beyond the last one. */
function matchParts(wanted: readonly string[], parts: readonly string[]): boolean {
  let w = 0;
  let star = -1;
  let resume = 0;
  for (let p = 0; p < parts.length; ) {
    const pattern = wanted[w];
    if (pattern === '**') {
      star = w++;
      resume = p;
    } else if (pattern !== undefined && matchName(pattern, parts[p] as string)) {
      w++;
      p++;
    } else if (star >= 0) {
      w = star + 1;
      p = ++resume;
    } else return false;
  }
  while (wanted[w] === '**') w++;
  return w === wanted.length;
}

function matchName(pattern: string, name: string): boolean {
  let q = 0;
  let star = -1;
  let resume = 0;
  for (let n = 0; n < name.length; ) {
    const code = pattern[q];
    if (code === '*') {
      star = q++;
      resume = n;
    } else if (code === '?' || code === name[n]) {
      q++;
      n++;
    } else if (star >= 0) {
      q = star + 1;
      n = ++resume;
    } else return false;
  }
  while (pattern[q] === '*') q++;
  return q === pattern.length;
}
