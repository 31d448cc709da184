/** `filesNaming`: the files of a tree whose text has the name of another file, or of its folders. Binary files name nothing. */
import type { Namer } from '../../core/judge/changed-judges.ts';
import { stemOf } from '../../core/judge/names-path.ts';
import { isTest } from '../../core/judge/verification-files.ts';
import { rawToText, splitNul } from '../../platform/git/raw-path.ts';
import { shadowGit } from '../../platform/git/shadow-git.ts';

/** Of more files of the base, those that judge nothing come first: one of them shows that the name is the work's own. */
const MAX_FILES = 60;
/** An agent may have made many, so that the one that asks for a new file is not among the first. */
const MAX_OF_WORK = 1_000;
/** No source that a person wrote is larger. */
const MAX_BYTES = 8 * 1024 * 1024;

/** A name may have any other character in it. */
const END = { byte: '\0', option: ['-z'] };

/** Null: there are too many, or their texts are too long. `isNew`: the tree is the work's. */
export async function filesNaming(
  shadow: string,
  tree: string,
  { path, isNew }: { readonly path: string; readonly isNew: boolean },
  signal?: AbortSignal,
): Promise<Namer[] | null> {
  const grep = async (names: readonly string[]) => {
    const patterns = names.flatMap((name) => ['-e', name]);
    const args = ['grep', '-I', '-l', '-z', '-F', ...patterns, tree, '--'];
    return splitNul((await shadowGit(shadow, args, { signal })).stdout).map((name) =>
      name.slice(tree.length + 1),
    );
  };
  const stem = stemOf(path);
  const withFolders = await grep([stem, ...path.split('/').slice(0, -1)]);
  const most = isNew ? MAX_OF_WORK : MAX_FILES;
  const found = withFolders.length > most ? await grep([stem]) : withFolders;
  if (isNew && found.length > most) return null;
  const looked = [...found].sort((a, b) => Number(isTest(a)) - Number(isTest(b))).slice(0, most);
  const input = Buffer.from(looked.map((name) => `${tree}:${name}${END.byte}`).join(''), 'latin1');
  const { stdout } = await shadowGit(shadow, ['cat-file', '--batch', ...END.option], { input, signal });
  return stdout.length > MAX_BYTES ? null : textsOf(stdout, looked);
}

/** `cat-file --batch` writes a line with the size before each file, and a line end after it. */
function textsOf(bytes: Buffer, rawPaths: readonly string[]): Namer[] {
  let at = 0;
  return rawPaths.map((rawPath) => {
    const end = bytes.indexOf('\n', at);
    const size = / blob (\d+)$/.exec(bytes.subarray(at, end).toString('latin1'))?.[1];
    const text = bytes.subarray(end + 1, end + 1 + Number(size ?? 0)).toString('utf8');
    at = end + 1 + (size === undefined ? 0 : Number(size) + 1);
    return { path: rawToText(rawPath), text };
  });
}
