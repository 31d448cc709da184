/**
 * `readRules`: reads the policies and decisions in a tree. Callers give the base or the target, because a candidate could have rewritten
 * its rules.
 */
import { DECISION_FOLDER, POLICY_FOLDER, type RepositoryRules } from '../../core/vocabulary/rules.ts';
import type { RuleFile } from '../../context/rules/parse-rules.ts';
import { expectGit } from '../../platform/git/git.ts';
import { rawToText, splitNul } from '../../platform/git/raw-path.ts';
import { shadowGit } from '../../platform/git/shadow-git.ts';
import { pathOfEntry, treeEntries } from '../checkpoint/tree-entries.ts';

/** Every rule is compared with every change, so the work needs a limit. People write fewer and smaller rules. */
const MAX_FILES = 500;
const MAX_BYTES = 64 * 1024;

export async function readRules(
  shadow: string,
  tree: string,
  signal?: AbortSignal,
): Promise<RepositoryRules> {
  const folders = [`${POLICY_FOLDER}/`, `${DECISION_FOLDER}/`];
  // Most trees have none, and checks need the same listing.
  const entries = await treeEntries(shadow, tree, signal);
  if (!entries.some((entry) => folders.some((folder) => pathOfEntry(entry).startsWith(folder))))
    return { rules: [], decisions: [], broken: [] };
  const args = ['ls-tree', '-r', '-z', '-l', '--full-tree', tree, '--', ...folders];
  const listing = splitNul(expectGit(await shadowGit(shadow, args, { signal }), 'reading policies').stdout);
  const files: RuleFile[] = [];
  const skipped: string[] = [];
  for (const entry of listing) {
    const tab = entry.indexOf('\t');
    const [mode = '', , object = '', size = ''] = entry.slice(0, tab).split(/ +/);
    const path = rawToText(entry.slice(tab + 1));
    if (!/\.(?:ya?ml|md)$/.test(path)) continue;
    if (!mode.startsWith('100')) skipped.push(`${path}: not a plain file`);
    else if (Number(size) > MAX_BYTES) skipped.push(`${path}: larger than ${MAX_BYTES / 1024} KiB`);
    else if (files.length >= MAX_FILES) skipped.push(`${path}: there are more than ${MAX_FILES} such files`);
    else {
      const blob = await shadowGit(shadow, ['cat-file', 'blob', object], { signal });
      files.push({ path, text: expectGit(blob, `reading ${path}`).stdout.toString('utf8') });
    }
  }
  if (files.length === 0) return { rules: [], decisions: [], broken: skipped };
  const { parseRules } = await import('../../context/rules/parse-rules.ts');
  const { rules, decisions, broken } = parseRules(files);
  return { rules, decisions, broken: [...broken, ...skipped] };
}
