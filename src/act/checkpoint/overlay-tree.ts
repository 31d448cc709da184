/** `overlayTree`: makes a tree with some entries replaced, added or deleted. It works in the shadow repository and touches no files. */
import { expectGit, lineOf } from '../../platform/git/git.ts';
import { shadowGit } from '../../platform/git/shadow-git.ts';
import { runStatePath } from '../workspace/home-layout.ts';
import type { TreeChange } from './tree-changes.ts';
import { withIndex } from './with-index.ts';

interface OverlaySpec {
  readonly shadow: string;
  readonly runId: string;
  readonly tree: string;
  readonly entries: readonly TreeChange[];
  readonly signal?: AbortSignal | undefined;
}

const NO_OBJECT = '0'.repeat(40);

export async function overlayTree(spec: OverlaySpec): Promise<string> {
  const { shadow, entries } = spec;
  const doing = 'putting a tree together';
  // Deletions come first, because a folder may take the name of a deleted file.
  const ordered = [...entries].sort((a, b) => Number(b.type === 'deleted') - Number(a.type === 'deleted'));
  const lines = ordered.map(({ type, mode, object, rawPath }) =>
    type === 'deleted' ? `0 ${NO_OBJECT}\t${rawPath}\0` : `${mode} ${object}\t${rawPath}\0`,
  );
  return await withIndex(runStatePath(shadow, spec.runId), async (indexFile) => {
    const call = { indexFile, signal: spec.signal };
    expectGit(await shadowGit(shadow, ['read-tree', spec.tree], call), doing);
    const added = await shadowGit(shadow, ['update-index', '--replace', '-z', '--index-info'], {
      ...call,
      input: Buffer.from(lines.join(''), 'latin1'),
    });
    expectGit(added, doing);
    return lineOf(expectGit(await shadowGit(shadow, ['write-tree'], call), doing));
  });
}
