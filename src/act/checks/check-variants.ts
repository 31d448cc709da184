/**
 * `baseVariants`: the trees to check a candidate in once more. For each command with judging files of its own there is one, with these
 * files as in the base, except those that the task owns. A check that passes only in the candidate passes because the judge was
 * changed. `core/judge` says which files judge.
 */
import type { RunKey } from '../checkpoint/take-base.ts';
import {
  type CheckBefore,
  type JudgedCommand,
  judgedCommands,
  type JudgedFiles,
  treatmentOf,
} from '../../core/judge/base-version.ts';
import { mixerFor } from '../../core/judge/mix-versions.ts';
import { expectGit, lineOf } from '../../platform/git/git.ts';
import { rawToText } from '../../platform/git/raw-path.ts';
import { shadowGit } from '../../platform/git/shadow-git.ts';
import type { TreeChange } from '../checkpoint/tree-changes.ts';
import { isTestProgram } from '../../core/judge/verification-files.ts';
import { overlayTree } from '../checkpoint/overlay-tree.ts';

export interface VariantSpec extends RunKey {
  readonly shadow: string;
  /** Shadow tree of the candidate. */
  readonly tree: string;
  readonly commands: readonly string[];
  /** How each command ended in the base. */
  readonly before?: readonly CheckBefore[];
  /** The changes back to the base, without those of files that the task owns. */
  readonly back: readonly BackChange[];
  /** What the work renamed: its content, at the old place. */
  readonly renamed: readonly TreeChange[];
  readonly judged: JudgedFiles;
}

export interface CheckVariant {
  readonly tree: string;
  /** Like `tree`, and what the work gave another name has its old one too; null: it renamed nothing. */
  readonly withOldNames: string | null;
  /** The commands to run in this tree. */
  readonly commands: readonly string[];
  /** Files that have the content of the base. */
  readonly replaced: readonly string[];
}

/** A change from the candidate back to the base: a file that the work created is `deleted`; other changes carry the base's version. */
export interface BackChange extends TreeChange {
  readonly path: string;
}

/** No manifest that a person wrote is larger. */
const MAX_MIXED_BYTES = 1024 * 1024;

export async function baseVariants(spec: VariantSpec): Promise<CheckVariant[]> {
  const variants: CheckVariant[] = [];
  for (const judged of judgedCommands(spec.commands, spec.judged, spec.before ?? [])) {
    const base = await asBefore(spec, judged);
    if (base !== null) variants.push({ commands: [judged.command], ...base });
  }
  return variants;
}

async function asBefore(
  spec: VariantSpec,
  group: JudgedCommand,
): Promise<Omit<CheckVariant, 'commands'> | null> {
  const { runId, shadow, tree: from, judged, signal } = spec;
  const entries: BackChange[] = [];
  for (const change of spec.back) {
    const treatment = treatmentOf(group, judged, change.path);
    if (treatment === 'as_base') entries.push(change);
    const object = treatment === 'mixed' ? await mixed(spec, group.hasJudge, change) : null;
    if (object !== null) entries.push({ ...change, type: 'changed', object });
  }
  // A new test runs beside the old ones and could bend the framework for them: they must pass without it.
  const judges = entries.filter(
    ({ type, path }) => type !== 'deleted' || !isTestProgram(path) || judged.readNow?.has(path) !== false,
  );
  if (judges.length === 0) return null;
  const tree = await overlayTree({ shadow, runId, tree: from, entries, signal });
  if (tree === from) return null;
  const replaced = entries.map(({ path }) => path);
  const old = spec.renamed.filter(({ rawPath }) => !replaced.includes(rawToText(rawPath)));
  const withOldNames = await overlayTree({ shadow, runId, tree, entries: old, signal });
  return { tree, replaced, withOldNames: withOldNames === tree ? null : withOldNames };
}

/** The object of the candidate's file with the judging parts of the base; null: these parts are unchanged. */
async function mixed(
  { shadow, tree, signal }: VariantSpec,
  hasJudge: boolean,
  { path, type, object }: BackChange,
): Promise<string | null> {
  const base = type === 'deleted' ? '' : await blobText(shadow, object, signal);
  const candidate = await blobText(shadow, `${tree}:${path}`, signal);
  if (base === null) return null;
  if (candidate === null) return type === 'deleted' ? null : object;
  const text = mixerFor(path)?.(base, candidate, hasJudge) ?? null;
  if (text === null) return null;
  const written = await shadowGit(shadow, ['hash-object', '-w', '--stdin'], { input: text, signal });
  return lineOf(expectGit(written, 'preparing the check with the base’s scripts'));
}

async function blobText(shadow: string, object: string, signal?: AbortSignal): Promise<string | null> {
  const blob = await shadowGit(shadow, ['cat-file', 'blob', object], { signal });
  return blob.exitCode === 0 && blob.stdout.length <= MAX_MIXED_BYTES ? blob.stdout.toString('utf8') : null;
}
