/**
 * `personKey`: reads the secret that signs a person's words, and makes it on first use. `rowSigner`: signs rows of the record with it.
 * `joinFleet`: takes the secret of a fleet in its place. The secret has a folder of its own in Mayday's home, so that the folder can be
 * hidden from agents and checks. Two processes that make it at once end with the same secret.
 */
import { createHmac, randomBytes } from 'node:crypto';
import { copyFileSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { makeFileOnce } from '../../platform/file/durable-write.ts';
import { MaydayError } from '../../platform/mayday-error.ts';
import type { RowSigner } from '../../record/signed-hold.ts';
import { storageError } from '../../platform/storage-error.ts';

const KEY_BYTES = 32;

/** Nothing that a run starts needs to see this folder. */
export function keysFolder(home: string): string {
  return join(home, 'keys');
}

export function personKey(home: string): Buffer {
  const path = keyPath(home);
  const key = keyIn(readText(path) ?? makeFileOnce(path, `${randomBytes(KEY_BYTES).toString('hex')}\n`));
  if (key === null)
    throw new MaydayError('PERSON_KEY_DAMAGED', `${path} does not hold a key`, [
      ['did', 'your word was not recorded and nothing was changed'],
      [
        'do',
        `remove ${path}; a new key is made with your next word, and letters signed with the old one are refused`,
      ],
    ]);
  return key;
}

/** Makes the key of the fleet the key of this home: a word from any host counts on every host. The earlier key is kept beside it. */
export function joinFleet(home: string, key: string): void {
  const path = keyPath(home);
  if (personKey(home).toString('hex') === key || keyIn(key) === null) return;
  const mine = `${path}.${process.pid}.${randomBytes(4).toString('hex')}`;
  try {
    copyFileSync(path, `${path}.before-fleet`);
    writeFileSync(mine, `${key}\n`, { mode: 0o600, flag: 'wx', flush: true });
    renameSync(mine, path);
  } catch (error) {
    throw storageError(error, path);
  }
}

/** For callers that only check a signature. Null: there is no key, so that no signature is valid. */
export function personKeyOrNull(home: string): Buffer | null {
  try {
    return keyIn(readFileSync(keyPath(home), 'utf8'));
  } catch {
    return null;
  }
}

/** Signs rows of the record with the same secret: where it is hidden, an agent cannot plant one. */
export function rowSigner(home: string): RowSigner {
  const mac = (key: Buffer, text: string) =>
    createHmac('sha256', key).update(`mayday row 1 ${text}`).digest('hex');
  return {
    sign: (text) => mac(personKey(home), text),
    isSigned: (text, given) => {
      const key = personKeyOrNull(home);
      return key !== null && mac(key, text) === given;
    },
  };
}

function keyPath(home: string): string {
  return join(keysFolder(home), 'person.key');
}

function keyIn(text: string): Buffer | null {
  const key = Buffer.from(text.trim(), 'hex');
  return key.length === KEY_BYTES ? key : null;
}

function readText(path: string): string | null {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw storageError(error, path);
  }
}
