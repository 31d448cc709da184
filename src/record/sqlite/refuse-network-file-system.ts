/**
 * `refuseNetworkFileSystem`: throws for a folder on a network file system. SQLite's write-ahead log needs locks and shared memory, which
 * do not work there.
 */
import { readFileSync, statfsSync } from 'node:fs';
import { isInside } from '../../platform/file/inside.ts';
import { MaydayError } from '../../platform/mayday-error.ts';

/** Numbers that Linux reports for file systems whose locks and shared memory do not work between hosts. */
// biome-ignore format: words stand together
const NETWORK: ReadonlyMap<number, string> = new Map([
  [0x6969, 'NFS'], [0x517b, 'SMB'], [0xff534d42, 'CIFS'], [0xfe534d42, 'SMB2'], [0x5346414f, 'AFS'],
  [0x6b414653, 'AFS'], [0x73757245, 'Coda'], [0x564c, 'NCP'], [0x00c36400, 'Ceph'], [0x0bd00bd0, 'Lustre'],
  [0x47504653, 'GPFS'],
]);
const FUSE = 0x65735546;
/** FUSE also carries local disks (NTFS, encrypted folders); only these are known to be remote. */
const REMOTE_FUSE = /^fuse\.(sshfs|rclone|s3fs|gcsfuse|davfs2?|glusterfs|ceph.*|juicefs|cvmfs2?)$/;

/** How to learn what a folder is on; replaced in tests, where no network file system can be mounted. */
export interface FileSystemLook {
  readonly type: (directory: string) => number;
  readonly mounts: () => string;
}

export function refuseNetworkFileSystem(directory: string, look: FileSystemLook = machine): void {
  const type = look.type(directory) >>> 0;
  const name = NETWORK.get(type) ?? (type === FUSE ? remoteFuse(directory, look.mounts()) : undefined);
  if (name === undefined) return;
  throw new MaydayError('RECORD_ON_NETWORK', `${directory} is on a network file system (${name})`, [
    ['did', 'refused to keep its record there: its locks do not hold, and events would be lost'],
    [
      'do',
      'point MAYDAY_HOME to a folder on a local disk; for several hosts use MAYDAY_STORE=postgres://...',
    ],
  ]);
}

const machine: FileSystemLook = {
  type: (directory) => statfsSync(directory).type,
  mounts: () => readFileSync('/proc/self/mounts', 'utf8'),
};

function remoteFuse(directory: string, mounts: string): string | undefined {
  let best: { point: string; type: string } | undefined;
  for (const line of mounts.split('\n')) {
    const [, point = '', type = ''] = line.split(' ');
    if (isInside(directory, point) && point.length >= (best?.point.length ?? 0)) best = { point, type };
  }
  return best !== undefined && REMOTE_FUSE.test(best.type) ? best.type : undefined;
}
