/** Policies and decisions as they stand in a tree; never read from the candidate, which could have rewritten them. */
import type { RepositoryRules } from '../../core/vocabulary/rules.ts';
import {
  DECISION_FOLDER,
  parseRules,
  POLICY_FOLDER,
  type RuleFile,
} from '../../context/rules/parse-rules.ts';
import { expectGit } from '../../platform/git.ts';
import { rawToText, splitNul } from '../../platform/raw-path.ts';
import { shadowGit } from '../../platform/shadow-git.ts';

const MAX_FILES = 500;
const MAX_BYTES = 64 * 1024;

export async function readRules(
  shadow: string,
  tree: string,
  signal?: AbortSignal,
): Promise<RepositoryRules> {
  const args = [
    'ls-tree',
    '-r',
    '-z',
    '-l',
    '--full-tree',
    tree,
    '--',
    `${POLICY_FOLDER}/`,
    `${DECISION_FOLDER}/`,
  ];
  const listing = splitNul(expectGit(await shadowGit(shadow, args, { signal }), 'reading policies').stdout);
  const files: RuleFile[] = [];
  const skipped: string[] = [];
  for (const entry of listing) {
    const tab = entry.indexOf('\t');
    const [mode = '', , object = '', size = ''] = entry.slice(0, tab).split(/ +/);
    const path = rawToText(entry.slice(tab + 1));
    if (!/\.(?:ya?ml|md)$/.test(path)) continue;
    if (!mode.startsWith('100') || Number(size) > MAX_BYTES || files.length >= MAX_FILES) skipped.push(path);
    else {
      const blob = await shadowGit(shadow, ['cat-file', 'blob', object], { signal });
      files.push({ path, text: blob.stdout.toString('utf8') });
    }
  }
  const { rules, decisions, broken } = parseRules(files);
  return {
    rules,
    decisions,
    broken: [...broken, ...skipped.map((path) => `${path}: too large, or not a file`)],
  };
}
