/**
 * The trees to check a candidate in: as it is, and with the base's versions of verification files that the task does not
 * own. Passing only as it is means that the judge was changed, not the work.
 */
import { matchesAny } from '../../core/glob.ts';
import { rawToText } from '../../platform/raw-path.ts';
import { type TreeChange, treeChanges } from '../workspace/tree-changes.ts';
import { openWorkspace } from '../workspace/workspace.ts';
import { withBaseScripts } from './manifest-scripts.ts';
import { overlayTree } from './overlay-tree.ts';
import { isVerificationFile } from './verification-files.ts';

export interface VariantSpec {
  readonly home: string;
  readonly runId: string;
  /** Shadow tree of the candidate. */
  readonly tree: string;
  /** Globs the task owns by explicit scope; new files are always its own. */
  readonly ownedPaths: readonly string[];
  readonly signal?: AbortSignal | undefined;
}

export interface CheckVariant {
  readonly name: 'candidate' | 'base';
  readonly tree: string;
  /** Files that are as in the base. */
  readonly replaced: readonly string[];
}

export async function checkVariants(spec: VariantSpec): Promise<CheckVariant[]> {
  const { shadow, baseTree } = await openWorkspace(spec);
  const candidate: CheckVariant = { name: 'candidate', tree: spec.tree, replaced: [] };
  // Seen from the candidate: `changed` and `created` carry the base's version of what was edited or deleted.
  const back = (await treeChanges(shadow, spec.tree, baseTree, spec.signal)).filter(
    (change) => change.type !== 'deleted' && !matchesAny(rawToText(change.rawPath), spec.ownedPaths),
  );
  const judges = back.filter((change) => isVerificationFile(rawToText(change.rawPath)));
  const manifests = back.filter(({ rawPath }) => /(?:^|\/)package\.json$/.test(rawPath));
  const scripts: TreeChange[] = [];
  for (const manifest of manifests) {
    const mixed = await withBaseScripts({ shadow, tree: spec.tree, manifest, signal: spec.signal });
    if (mixed !== null) scripts.push({ ...manifest, object: mixed });
  }
  const replaced = [...judges, ...scripts];
  if (replaced.length === 0) return [candidate];
  const tree = await overlayTree({
    shadow,
    runId: spec.runId,
    tree: spec.tree,
    entries: replaced,
    signal: spec.signal,
  });
  return [candidate, { name: 'base', tree, replaced: replaced.map(({ rawPath }) => rawToText(rawPath)) }];
}
