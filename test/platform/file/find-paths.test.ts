import { chmodSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { findPaths } from '../../../src/platform/file/find-paths.ts';
import { temporaryDirectory } from '../../temporary-directory.ts';

function folderWith(...paths: readonly string[]): string {
  const folder = temporaryDirectory();
  for (const path of paths) {
    mkdirSync(join(folder, dirname(path)), { recursive: true });
    writeFileSync(join(folder, path), '');
  }
  return folder;
}

describe('findPaths', () => {
  it('finds files, folders and links by their name, also one that leads nowhere', () => {
    const folder = folderWith('.npmrc', '.config/git/config');
    symlinkSync('/nonexistent', join(folder, '.curlrc'));
    const patterns = [
      '.npmrc',
      '.NPMRC',
      '.config/git',
      '.config/pip',
      '.curlrc',
      '.wgetrc',
      '.m2/settings.xml',
    ];
    expect(findPaths(folder, patterns)).toEqual(['.npmrc', '.config/git', '.curlrc']);
  });

  it('takes a star for any characters of one name', () => {
    const folder = folderWith('lib/python3.11/site-packages/a.pth', 'lib/python3.9/b.pth', 'lib/ruby/c.pth');
    expect(findPaths(folder, ['lib/python3*/site-packages/*.pth', 'lib/*/b.pth', 'p*/b.pth'])).toEqual([
      'lib/python3.11/site-packages/a.pth',
      'lib/python3.9/b.pth',
    ]);
  });

  it('finds a name beside one that some disks would take for another', () => {
    expect(findPaths(folderWith('größe', '.npmrc'), ['.npmrc', '.curlrc'])).toEqual(['.npmrc']);
  });

  it('finds a name in a folder that can be entered but not read, and none in one that is missing', () => {
    const folder = folderWith('closed/.npmrc');
    chmodSync(join(folder, 'closed'), 0o311);
    // Only root could delete it as it is.
    onTestFinished(() => chmodSync(join(folder, 'closed'), 0o755));
    expect(findPaths(join(folder, 'closed'), ['.npmrc', '.curlrc'])).toEqual(['.npmrc']);
    expect(findPaths(join(folder, 'missing'), ['.npmrc', '.con*/git'])).toEqual([]);
  });
});
