/**
 * `deliverPatch`: the sink `patch:FILE`. It writes the work as one patch for `git apply`, whole or not at all. It replaces an existing
 * file with other content only if a person approves.
 */
import { dirname } from 'node:path';
import { expectGit } from '../../platform/git/git.ts';
import type { GitResult } from '../../platform/git/start-git.ts';
import { writeFileDurably } from '../../platform/file/durable-write.ts';
import { openPlainHandle } from '../../platform/file/plain-file.ts';
import { shadowGit } from '../../platform/git/shadow-git.ts';
import { openWorkspace, type Workspace } from '../workspace/workspace.ts';
import { commitWork } from './commit-work.ts';
import {
  approvalRequired,
  blockedDelivery,
  type CommitSpec,
  type DeliveryResult,
  type IsApproved,
} from './delivery.ts';
import { forbiddenPlace } from './forbidden-place.ts';
import { FOR_THE_PERSON, makeFolder } from '../../platform/file/make-folder.ts';
import { openRepository, type Repository, tipOf, UNPROVEN, withTrailer } from './repository-git.ts';
import { withScratchRepository } from './scratch-repository.ts';
import { sinkFailure } from './sink-failure.ts';
import { rawToText } from '../../platform/git/raw-path.ts';
import { treeChanges } from '../checkpoint/tree-changes.ts';
import { firstLine } from '../../core/text/first-line.ts';

export interface PatchDelivery extends CommitSpec {
  /** An absolute path. */
  readonly file: string;
  /** The folder that must hold the file; null: a person named the file, so it may be anywhere. */
  readonly confinedTo?: string | null;
  /** True: a person chose to write the patch although it may not apply to the present target. */
  readonly againstBase: boolean;
  readonly isApproved: IsApproved;
}

const DIFF = ['--binary', '--full-index', '--no-ext-diff', '--no-textconv', '--no-color', '--no-renames'];

export async function deliverPatch(spec: PatchDelivery): Promise<DeliveryResult> {
  const workspace = await openWorkspace(spec);
  const forbidden = await forbiddenPlace(spec.file, { confinedTo: spec.confinedTo ?? null });
  if (forbidden !== null) return blockedDelivery('sink_not_writable', [forbidden]);
  try {
    const made =
      workspace.commonDir === null ? await plainPatch(spec, workspace) : await gitPatch(spec, workspace);
    if ('type' in made) return made;
    if (made.files.length === 0) return blockedDelivery('empty_change', ['Nothing differs from the base.']);
    return await write(spec, made);
  } catch (error) {
    return sinkFailure(error, spec.signal);
  }
}

interface Patch {
  readonly bytes: Buffer;
  readonly files: readonly string[];
  readonly warnings: readonly string[];
}

async function gitPatch(spec: PatchDelivery, workspace: Workspace): Promise<Patch | DeliveryResult> {
  const repository = await openRepository(workspace, spec.signal);
  if (!('git' in repository)) return repository;
  const { baseCommit } = repository;
  const message = withTrailer(spec);
  const made = await commitWork({ ...spec, workspace, baseCommit, parent: baseCommit, message });
  const target = await driftedTarget(repository, workspace);
  return await withScratchRepository({ workspace, at: spec.at, signal: spec.signal }, async (scratch) => {
    const diff = await scratch.git(['diff-tree', '-p', ...DIFF, baseCommit, made.commit]);
    if (target !== null && !spec.againstBase) {
      await scratch.git(['read-tree', target]);
      const applied = await scratch.tryGit(['apply', '--cached', '--check', '-'], { input: diff.stdout });
      if (applied.exitCode !== 0) return doesNotApply(workspace, applied);
    }
    const bytes = Buffer.concat([head(spec, baseCommit), diff.stdout]);
    return { bytes, files: made.files, warnings: made.warnings };
  });
}

async function plainPatch(spec: PatchDelivery, { shadow, baseTree }: Workspace): Promise<Patch> {
  const args = ['diff-tree', '-p', ...DIFF, baseTree, spec.tree];
  const diff = expectGit(await shadowGit(shadow, args, { signal: spec.signal }), 'writing the patch');
  const changes = await treeChanges(shadow, baseTree, spec.tree, spec.signal);
  const files = changes.map((change) => rawToText(change.rawPath));
  return { bytes: Buffer.concat([head(spec, null), diff.stdout]), files, warnings: [] };
}

/** The present commit of the person's branch; null: it is still the base, or there is no branch. */
async function driftedTarget({ git, baseCommit }: Repository, { branch }: Workspace): Promise<string | null> {
  const tip = branch === null ? null : await tipOf(git, `refs/heads/${branch}`);
  return tip === baseCommit ? null : tip;
}

function doesNotApply({ branch }: Workspace, applied: GitResult): DeliveryResult {
  const lines = applied.stderr.split('\n').filter((line) => line.trim() !== '');
  return blockedDelivery('patch_does_not_apply', [
    `The patch does not apply to ${branch ?? 'the target'} as it is now.`,
    ...lines.map((line) => line.slice(0, 300)),
  ]);
}

/** The patch names its base, so that a person knows what it applies to. `git apply` skips these lines. */
function head({ runId, message, trailers = UNPROVEN }: PatchDelivery, baseCommit: string | null): Buffer {
  const subject = firstLine(message);
  const base = baseCommit === null ? '' : `Base: ${baseCommit}\n`;
  return Buffer.from(`Work of Mayday run ${runId}\n${base}${trailers.join('\n')}\n\n${subject}\n---\n\n`);
}

async function write(spec: PatchDelivery, { bytes, files, warnings }: Patch): Promise<DeliveryResult> {
  const done: DeliveryResult = { type: 'delivered', ref: spec.file, commit: null, files, warnings };
  const there = await contentOf(spec.file).catch((error: NodeJS.ErrnoException) => error);
  if (Buffer.isBuffer(there) && there.equals(bytes)) return done;
  const finding = { source: 'file', path: spec.file, run: spec.runId } as const;
  if (Buffer.isBuffer(there) && !spec.isApproved(finding)) return approvalRequired(finding);
  if (!Buffer.isBuffer(there) && there.code !== 'ENOENT')
    return blockedDelivery('sink_not_writable', [`${spec.file} cannot be written (${there.code}).`]);
  makeFolder(dirname(spec.file), FOR_THE_PERSON);
  await writeFileDurably(spec.file, bytes, { mode: 0o644 });
  return done;
}

async function contentOf(path: string): Promise<Buffer> {
  const file = await openPlainHandle(path, { follow: true });
  try {
    return await file.readFile();
  } finally {
    await file.close();
  }
}
