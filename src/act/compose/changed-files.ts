/**
 * `changedFiles`: reads the change as the rules judge it: paths, added lines, and links that lead out of the tree. The number of lines
 * is bounded.
 */
import { posix } from 'node:path';
import type { ChangedFile } from '../../core/gates/rule-findings.ts';
import { expectGit } from '../../platform/git/git.ts';
import { rawToText } from '../../platform/git/raw-path.ts';
import { shadowGit } from '../../platform/git/shadow-git.ts';
import type { TreeChange } from '../checkpoint/tree-changes.ts';

interface Added {
  readonly line: number;
  readonly text: string;
}

const MAX_LINES_PER_FILE = 5_000;
const MAX_LINES = 200_000;
const MAX_LINE = 2_000;
/** Larger files are data: git treats them as binary and shows no lines. */
const BIG_FILE = '1m';
const MAX_LINKS = 100;

export async function changedFiles(spec: {
  readonly shadow: string;
  readonly baseTree: string;
  readonly tree: string;
  readonly changes: readonly TreeChange[];
  readonly signal?: AbortSignal | undefined;
}): Promise<ChangedFile[]> {
  const { shadow, signal } = spec;
  const flags = ['-p', '-r', '-U0', '--no-color', '--no-ext-diff', '--no-textconv', '--no-renames'];
  const diff = await shadowGit(shadow, ['diff-tree', ...flags, spec.baseTree, spec.tree], {
    config: ['core.quotePath=false', `core.bigFileThreshold=${BIG_FILE}`],
    signal,
  });
  const added = addedLines(expectGit(diff, 'reading the change').stdout.toString('utf8'));
  const leaves = await leavingLinks(shadow, spec.changes, signal);
  return spec.changes.map(({ type, rawPath }) => {
    const path = rawToText(rawPath);
    return { path, type, added: added.get(path) ?? [], leavesTo: leaves.get(path) ?? null };
  });
}

function addedLines(diff: string): Map<string, Added[]> {
  const found = new Map<string, Added[]>();
  let lines: Added[] = [];
  let number = 0;
  let total = 0;
  let inHunk = false;
  for (const line of eachLine(diff)) {
    if (line.startsWith('diff --git ')) inHunk = false;
    else if (!inHunk && line.startsWith('+++ ')) {
      lines = [];
      found.set(pathOf(line), lines);
    } else if (line.startsWith('@@ ')) {
      inHunk = true;
      number = Number(/\+(\d+)/.exec(line)?.[1] ?? 1);
    } else if (inHunk && line.startsWith('+')) {
      if (lines.length < MAX_LINES_PER_FILE && total < MAX_LINES) {
        lines.push({ line: number, text: line.slice(1, MAX_LINE) });
        total += 1;
      }
      number += 1;
    }
  }
  return found;
}

function* eachLine(text: string): Generator<string> {
  for (let from = 0; from < text.length; ) {
    const end = text.indexOf('\n', from);
    yield text.slice(from, end === -1 ? text.length : end);
    from = end === -1 ? text.length : end + 1;
  }
}

/** Reads `+++ b/path`. Git puts the path in quotes when it has quotes or control characters. */
function pathOf(line: string): string {
  const name = line.slice(4).replace(/\t$/, '');
  const plain = name.startsWith('"') ? name.slice(1, -1).replaceAll(/\\(["\\])/g, '$1') : name;
  return plain.replace(/^b\//, '');
}

async function leavingLinks(
  shadow: string,
  changes: readonly TreeChange[],
  signal: AbortSignal | undefined,
): Promise<Map<string, string>> {
  const links = changes
    .filter(({ type, mode }) => type !== 'deleted' && mode === '120000')
    .slice(0, MAX_LINKS);
  const found = new Map<string, string>();
  for (const { rawPath, object } of links) {
    const path = rawToText(rawPath);
    const to = (await shadowGit(shadow, ['cat-file', 'blob', object], { signal })).stdout.toString('utf8');
    const landed = posix.join(posix.dirname(path), to);
    if (to.startsWith('/') || landed === '..' || landed.startsWith('../')) found.set(path, to.slice(0, 200));
  }
  return found;
}
