/** `otherMounts`: the further paths under which a folder can be reached, because its file system is mounted there too. */
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { isInside } from '../file/inside.ts';
import { lookOrNull } from '../file/vanished.ts';

export function otherMounts(path: string, mountInfo: string): string[] {
  // Number, parent, device, folder of the file system, and where it is mounted. Of several in one place the last is seen.
  const mounts = [...mountInfo.matchAll(/^\d+ \d+ (\d+:\d+) (\S+) (\S+)/gm)].map(
    ([, device, root = '', at = '']) => ({
      device,
      root: plain(root),
      at: plain(at),
    }),
  );
  const own = mounts
    .filter(({ at }) => isInside(path, at))
    .toSorted((a, b) => a.at.length - b.at.length)
    .at(-1);
  if (own === undefined) return [];
  const inside = join(own.root, path.slice(own.at.length));
  return mounts
    .filter(({ device, root }) => device === own.device && isInside(inside, root))
    .map(({ root, at }) => join(at, inside.slice(root.length)))
    .filter((other) => other !== path && isSame(other, path));
}

/** Spaces and such are written as octal numbers. */
function plain(text: string): string {
  return text.replaceAll(/\\([0-7]{3})/g, (_, code: string) => String.fromCharCode(Number.parseInt(code, 8)));
}

function isSame(one: string, other: string): boolean {
  const [a, b] = [one, other].map((path) => lookOrNull(() => statSync(path)));
  return a?.ino !== undefined && a.ino === b?.ino && a.dev === b.dev;
}
