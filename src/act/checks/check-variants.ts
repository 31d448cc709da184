/**
 * The trees to check a candidate in: as it is, and with the base's versions of verification files that the task does not
 * own. Passing only as it is means that the judge was changed, not the work.
 */
import { matchesAny } from '../../core/glob.ts';
import { expectGit, lineOf } from '../../platform/git.ts';
import { rawToText } from '../../platform/raw-path.ts';
import { shadowGit } from '../../platform/shadow-git.ts';
import { type TreeChange, treeChanges } from '../workspace/tree-changes.ts';
import { openWorkspace } from '../workspace/workspace.ts';
import { mixerFor } from './judging-parts.ts';
import { overlayTree } from './overlay-tree.ts';
import { isTestConfiguration, isPlanted, isVerificationFile } from './verification-files.ts';

export interface VariantSpec {
  readonly home: string;
  readonly runId: string;
  /** Shadow tree of the candidate. */
  readonly tree: string;
  /** Globs the task owns by explicit scope; new tests are always its own. */
  readonly ownedPaths: readonly string[];
  /** Every check passed before the work: then no new test configuration may be needed to pass. */
  readonly greenBefore?: boolean;
  readonly signal?: AbortSignal | undefined;
}

export interface CheckVariant {
  readonly name: 'candidate' | 'base';
  readonly tree: string;
  /** Files that are as in the base. */
  readonly replaced: readonly string[];
}

/** Larger than any manifest a person wrote. */
const MAX_MIXED_BYTES = 1024 * 1024;

export async function checkVariants(spec: VariantSpec): Promise<CheckVariant[]> {
  const { shadow, baseTree } = await openWorkspace(spec);
  const candidate: CheckVariant = { name: 'candidate', tree: spec.tree, replaced: [] };
  // Seen from the candidate: `changed` and `created` carry the base's version of what was edited or deleted here, and
  // `deleted` is what the work created.
  const back = (await treeChanges(shadow, spec.tree, baseTree, spec.signal)).filter(
    ({ rawPath }) => !matchesAny(rawToText(rawPath), spec.ownedPaths),
  );
  const replaced: TreeChange[] = [];
  for (const change of back) {
    const path = rawToText(change.rawPath);
    if (isJudge(change, path, spec.greenBefore === true)) replaced.push(change);
    else if (change.type !== 'deleted') {
      const object = await mixed(shadow, spec, change, path);
      if (object !== null) replaced.push({ ...change, object });
    }
  }
  if (replaced.length === 0) return [candidate];
  const { runId, tree: from, signal } = spec;
  const tree = await overlayTree({ shadow, runId, tree: from, entries: replaced, signal });
  return [candidate, { name: 'base', tree, replaced: replaced.map(({ rawPath }) => rawToText(rawPath)) }];
}

function isJudge({ type }: TreeChange, path: string, greenBefore: boolean): boolean {
  if (isPlanted(path)) return true;
  return type === 'deleted' ? greenBefore && isTestConfiguration(path) : isVerificationFile(path);
}

/** The candidate's file with the base's judging parts, or null when they are unchanged. */
async function mixed(
  shadow: string,
  { tree, signal }: VariantSpec,
  change: TreeChange,
  path: string,
): Promise<string | null> {
  const mix = mixerFor(path);
  if (mix === null) return null;
  const base = await blobText(shadow, change.object, signal);
  const candidate = await blobText(shadow, `${tree}:${path}`, signal);
  if (base === null) return null;
  if (candidate === null) return change.object;
  const text = mix(base, candidate);
  if (text === null) return null;
  const written = await shadowGit(shadow, ['hash-object', '-w', '--stdin'], { input: text, signal });
  return lineOf(expectGit(written, 'preparing the check with the base’s scripts'));
}

async function blobText(shadow: string, object: string, signal?: AbortSignal): Promise<string | null> {
  const blob = await shadowGit(shadow, ['cat-file', 'blob', object], { signal });
  return blob.exitCode === 0 && blob.stdout.length <= MAX_MIXED_BYTES ? blob.stdout.toString('utf8') : null;
}
