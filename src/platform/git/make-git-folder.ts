/** `makeGitFolder`: makes a git directory that borrows the objects of another one. Writing its files is faster than `git init`. */
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

export async function makeGitFolder(
  gitDir: string,
  /** `head`: the commit at which the history begins. */
  {
    objects,
    head,
    settings = '',
  }: { readonly objects: string; readonly head: string; readonly settings?: string },
): Promise<void> {
  const format = head.length === 64 ? SHA256_FORMAT : SHA1_FORMAT;
  await mkdir(join(gitDir, 'objects/info'), { recursive: true });
  await mkdir(join(gitDir, 'refs'));
  await writeFile(join(gitDir, 'config'), `${format}[core]\n\tbare = false\n${settings}`);
  await writeFile(join(gitDir, 'objects/info/alternates'), `${objects}\n`);
  await writeFile(join(gitDir, 'HEAD'), `${head}\n`);
}

const SHA1_FORMAT = '[core]\n\trepositoryformatversion = 0\n';
const SHA256_FORMAT = '[core]\n\trepositoryformatversion = 1\n[extensions]\n\tobjectformat = sha256\n';
