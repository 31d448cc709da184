/** A package.json of the candidate with the base's test scripts: `npm test` must mean what it meant before. */
import { z } from 'zod';
import { expectGit, lineOf } from '../../platform/git.ts';
import { shadowGit } from '../../platform/shadow-git.ts';
import type { TreeChange } from '../workspace/tree-changes.ts';
import { isVerificationScript } from './verification-files.ts';

const Manifest = z.looseObject({ scripts: z.record(z.string(), z.string()).optional() });
/** Larger than any manifest a person wrote. */
const MAX_MANIFEST_BYTES = 1024 * 1024;

interface ManifestSpec {
  readonly shadow: string;
  /** Of the candidate. */
  readonly tree: string;
  /** The base's version. */
  readonly manifest: TreeChange;
  readonly signal?: AbortSignal | undefined;
}

/** The blob to use instead, or null when the scripts that count are unchanged. */
export async function withBaseScripts(spec: ManifestSpec): Promise<string | null> {
  const { shadow, signal } = spec;
  const read = async (object: string) => {
    const blob = await shadowGit(shadow, ['cat-file', 'blob', object], { signal });
    if (blob.exitCode !== 0 || blob.stdout.length > MAX_MANIFEST_BYTES) return null;
    return parse(blob.stdout.toString('utf8'));
  };
  const base = await read(spec.manifest.object);
  const candidate = await read(
    `${spec.tree}:${Buffer.from(spec.manifest.rawPath, 'latin1').toString('utf8')}`,
  );
  // Deleted or broken in the candidate: what the base had is the only meaning left.
  if (base === null) return null;
  if (candidate === null) return spec.manifest.object;
  const counting = Object.entries(base.scripts ?? {}).filter(([name]) => isVerificationScript(name));
  if (counting.every(([name, text]) => candidate.scripts?.[name] === text)) return null;
  const mixed = { ...candidate, scripts: { ...candidate.scripts, ...Object.fromEntries(counting) } };
  const written = await shadowGit(shadow, ['hash-object', '-w', '--stdin'], {
    input: `${JSON.stringify(mixed, null, 2)}\n`,
    signal,
  });
  return lineOf(expectGit(written, 'preparing the check with the base’s scripts'));
}

function parse(text: string): z.infer<typeof Manifest> | null {
  try {
    const parsed = Manifest.safeParse(JSON.parse(text));
    return parsed.success ? parsed.data : null;
  } catch {
    return null;
  }
}
