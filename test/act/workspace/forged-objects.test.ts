/** Objects whose content is not what their name says, in every form in which git keeps them. */
import { createHash } from 'node:crypto';
import { chmodSync, globSync, readFileSync, renameSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { forgedObjects } from '../../../src/act/workspace/forged-objects.ts';
import { temporaryRepository } from '../temporary-repository.ts';

function packed() {
  const { git, root } = temporaryRepository({ 'a.txt': 'first\n', 'b.txt': 'second\n' });
  git('repack', '-adq');
  const folder = join(root, '.git/objects/pack');
  const [index = ''] = globSync('*.idx', { cwd: folder });
  /** The file with one byte of a name changed, and a checksum that fits. */
  const forge = (file: string, id: string) => {
    const path = join(folder, file);
    const bytes = readFileSync(path).subarray(0, -20);
    const at = bytes.lastIndexOf(Buffer.from(id, 'hex')) + 19;
    bytes[at] = (bytes[at] ?? 0) ^ 1;
    chmodSync(path, 0o644);
    writeFileSync(path, Buffer.concat([bytes, createHash('sha1').update(bytes).digest()]));
  };
  return { git, folder, index, forge, forged: async () => await forgedObjects(join(root, '.git'), 0) };
}

it('packs and their common index are sound as git wrote them', async () => {
  const { git, forged } = packed();
  git('multi-pack-index', 'write');
  expect(await forged()).toEqual([]);
});

it('a pack is read whatever its name is', async () => {
  const { git, folder, index, forge, forged } = packed();
  for (const ending of ['idx', 'pack'])
    renameSync(join(folder, index.replace('idx', ending)), join(folder, `odd.${ending}`));
  expect(await forged()).toEqual([]);
  forge('odd.idx', git('rev-parse', 'HEAD:a.txt'));
  expect(await forged()).toEqual(['objects/pack/odd.pack']);
});

it('an index of several packs is compared with theirs', async () => {
  const { git, forge, forged } = packed();
  git('multi-pack-index', 'write');
  forge('multi-pack-index', git('rev-parse', 'HEAD:a.txt'));
  expect(await forged()).toEqual(['objects/pack/multi-pack-index']);
});

it('a folder of packs that became a link is told', async () => {
  const { folder, forged } = packed();
  renameSync(folder, `${folder}-elsewhere`);
  symlinkSync(`${folder}-elsewhere`, folder);
  expect(await forged()).toEqual(['objects/pack']);
});
