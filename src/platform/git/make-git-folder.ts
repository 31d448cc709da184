/** `makeGitFolder`: makes a git directory that borrows the objects of another one. Writing its files is faster than `git init`. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

export function makeGitFolder(
  gitDir: string,
  /** `head`: the commit at which the history begins. */
  {
    objects,
    head,
    settings = '',
  }: { readonly objects: string; readonly head: string; readonly settings?: string },
): void {
  const format = head.length === 64 ? SHA256_FORMAT : SHA1_FORMAT;
  // Only new files: what lies in their place could be a pipe that nobody reads.
  const write = (name: string, text: string) => writeFileSync(join(gitDir, name), text, { flag: 'wx' });
  mkdirSync(join(gitDir, 'objects/info'), { recursive: true });
  mkdirSync(join(gitDir, 'refs'));
  write('config', `${format}[core]\n\tbare = false\n${settings}`);
  write('objects/info/alternates', `${objects}\n`);
  write('HEAD', `${head}\n`);
}

const SHA1_FORMAT = '[core]\n\trepositoryformatversion = 0\n';
const SHA256_FORMAT = '[core]\n\trepositoryformatversion = 1\n[extensions]\n\tobjectformat = sha256\n';
