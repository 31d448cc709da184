/**
 * `makeStandIn`, `keepAttributes`: make a git directory of Mayday's own in front of one that agents can write. It leads to the objects,
 * the refs and their logs, and has no configuration, hooks or attributes: what an agent writes there, git does not open.
 */
import { existsSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { namesIn } from '../file/find-paths.ts';
import { readPlainFile } from '../file/plain-file.ts';
import type { GitPlace } from './locate-repository.ts';

const SHARED = ['objects', 'refs', 'packed-refs', 'reftable', 'logs', 'shallow', 'lfs', 'info/exclude'];
const OWN = ['info/sparse-checkout'];
const MAX_CONFIG_BYTES = 1024 * 1024;

export interface GitAttributes {
  /** Of the person, for all repositories. */
  readonly global: string;
  /** Of the repository (`info/attributes`). */
  readonly own: string;
}

export function makeStandIn(
  standIn: string,
  { gitDir, commonDir }: GitPlace,
  attributes?: GitAttributes,
): void {
  mkdirSync(join(standIn, 'info'), { recursive: true, mode: 0o700 });
  const split = namesIn(gitDir).filter((name) => name.startsWith('sharedindex.'));
  // Git makes `packed-refs` where there is none, and then the repository must get it.
  for (const [from, names] of [
    [commonDir, SHARED],
    [gitDir, [...OWN, ...split]],
  ] as const)
    for (const name of names)
      if (name === 'packed-refs' || existsSync(join(from, name)))
        symlinkSync(join(from, name), join(standIn, name));
  writeFileSync(join(standIn, 'config'), formatOf(textOf(join(commonDir, 'config'))));
  keepAttributes(standIn, attributes);
  const head = textOf(join(gitDir, 'HEAD'));
  if (head !== '') writeFileSync(join(standIn, 'HEAD'), head);
}

/** `core.attributesFile` has to name the first of them. */
export function keepAttributes(
  gitDir: string,
  { global, own }: GitAttributes = { global: '', own: '' },
): void {
  mkdirSync(join(gitDir, 'info'), { recursive: true, mode: 0o700 });
  writeFileSync(join(gitDir, 'attributes'), global);
  writeFileSync(join(gitDir, 'info/attributes'), own);
}

/** How objects and refs are stored, and for whom: the only words that are taken from the configuration as it is now. */
function formatOf(config: string): string {
  const shared = /^\s*(sharedrepository\s*=\s*\w+)\s*$/im.exec(config)?.[1];
  const isLong = /^\s*objectformat\s*=\s*"?sha256/im.test(config);
  const isTable = /^\s*refstorage\s*=\s*"?reftable/im.test(config);
  const extensions = `${isLong ? '\tobjectFormat = sha256\n' : ''}${isTable ? '\trefStorage = reftable\n' : ''}`;
  const version = extensions === '' ? 0 : 1;
  const core = `[core]\n\trepositoryFormatVersion = ${version}\n\tbare = false\n\t${shared ?? ''}\n`;
  return extensions === '' ? core : `${core}[extensions]\n${extensions}`;
}

function textOf(path: string): string {
  const read = readPlainFile(path, MAX_CONFIG_BYTES, { follow: true });
  return read.type === 'text' ? read.text : '';
}
