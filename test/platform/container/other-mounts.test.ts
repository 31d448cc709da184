/** A folder that can be reached by a second path is not hidden by a cover over the first. */
import { mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { otherMounts } from '../../../src/platform/container/other-mounts.ts';
import { temporaryDirectory } from '../../temporary-directory.ts';

it('a folder is found under each path at which its file system is mounted, as long as it is seen there', () => {
  const place = temporaryDirectory();
  const home = join(place, 'ann/.mayday');
  mkdirSync(home, { recursive: true });
  // In place of a second mount, which needs rights: the same inode by another path.
  symlinkSync(join(place, 'ann'), join(place, 'my data'));
  const row = (device: string, root: string, at: string) =>
    `36 35 ${device} ${root} ${at.replaceAll(' ', '\\040')} rw,relatime shared:1 - ext4 /dev/sda rw`;
  const found = (...rows: string[]) => otherMounts(home, rows.join('\n'));
  const root = row('8:1', '/', '/');
  expect(found(root, row('8:2', '/ann', join(place, 'my data')), row('0:5', '/', '/proc'))).toEqual([]);
  expect(found(root, row('8:1', `${place}/ann`, join(place, 'my data')))).toEqual([
    join(place, 'my data/.mayday'),
  ]);
  expect(found(root, row('8:1', `${place}/ann`, join(place, 'gone'))), 'covered or gone').toEqual([]);
  expect(found(row('8:1', '/', '/'), row('8:9', '/home', place), row('8:9', '/', '/mnt'))).toEqual([]);
  expect(found()).toEqual([]);
});
