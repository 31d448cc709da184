/** `diffExcerpt`: the first lines of the diff between the base and a saved tree, for the brief of a session that has not seen it. */
import { shadowGit } from '../../platform/git/shadow-git.ts';

const MAX_LINES = 40;
const MAX_LINE_CHARS = 160;
/** A larger diff is only counted up to here. */
const MAX_BYTES = 256 * 1024;

interface Excerpt {
  readonly diff: readonly string[];
  readonly diffLeftOut: number;
}

export async function diffExcerpt(
  shadow: string,
  baseTree: string,
  tree: string,
  signal: AbortSignal,
): Promise<Excerpt> {
  if (tree === baseTree) return { diff: [], diffLeftOut: 0 };
  // biome-ignore format: words stand together
  const args = [
    'diff-tree', '-r', '--no-ext-diff', '--no-textconv', '--patch', '--unified=1', baseTree, tree,
  ];
  const ran = await shadowGit(shadow, args, { signal });
  const lines = ran.stdout
    .subarray(0, MAX_BYTES)
    .toString()
    .split('\n')
    .filter((line, at, all) => (line.startsWith('diff --git ') ? isNameless(all, at) : !NOISE.test(line)));
  if (lines.at(-1) === '') lines.pop();
  return {
    diff: lines.slice(0, MAX_LINES).map((line) => line.slice(0, MAX_LINE_CHARS)),
    diffLeftOut: Math.max(0, lines.length - MAX_LINES),
  };
}

const NOISE = /^(?:index |--- )/;

/** A file that is empty, or whose mode alone changed, is named by its first line only. */
function isNameless(lines: readonly string[], at: number): boolean {
  return !lines.slice(at + 1, at + 6).some((line) => /^(?:\+\+\+ |Binary files )/.test(line));
}
