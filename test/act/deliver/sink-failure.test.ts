import { expect, it } from 'vitest';
import { sinkFailure } from '../../../src/act/deliver/sink-failure.ts';
import { gitFailed } from '../../../src/platform/git/git.ts';
import { MaydayError } from '../../../src/platform/mayday-error.ts';

const system = (code: string): Error => Object.assign(new Error('x'), { code, syscall: 'open' });
const git = (stderr: string): Error =>
  gitFailed({ exitCode: 128, killedBy: null, stdout: Buffer.alloc(0), stderr } as never, 'writing a tree');
const kindOf = (error: unknown): unknown => sinkFailure(error, undefined);

it.each([
  ['a disk without inodes', new MaydayError('DISK_FULL', 'no file entries (inodes) left to write /x', [])],
  ['a folder of somebody else', new MaydayError('STORE_READ_ONLY', '/x cannot take it', [])],
  ['an error of the system', system('EROFS')],
  ['what git says of a full disk', git('fatal: write error: No space left on device')],
  ['what git says of a folder', git("error: unable to create directory for 'x': Permission denied")],
])('%s is a place that cannot be written', (_, error) => {
  expect(kindOf(error)).toMatchObject({ blocker: { code: 'sink_not_writable' } });
});

it.each([
  ['git that was ended', git('fatal: early EOF')],
  ['too many open files', git('error: Too many open files')],
  [
    'an error of ours that speaks of permission',
    new MaydayError('RUN_EXISTS', 'no permission is needed', []),
  ],
])('%s is to be tried again', (_, error) => {
  expect(kindOf(error)).toMatchObject({ blocker: { code: 'delivery_failed' } });
});

it('throws an error of the code again', () => {
  expect(() => kindOf(new TypeError('x is no function'))).toThrow('x is no function');
});
