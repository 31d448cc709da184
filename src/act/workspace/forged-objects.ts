/**
 * `forgedObjects`: the objects of the person's repository, new since a moment, whose content is not what their name says. Git does not
 * compare the two when it reads, so such an object changes what a commit of Mayday or of the person holds.
 */
import { createHash } from 'node:crypto';
import { lstatSync, readdirSync, type Stats } from 'node:fs';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createInflate } from 'node:zlib';
import { openPlainHandle } from '../../platform/file/plain-file.ts';
import { codeOf } from '../../platform/file/file-kind.ts';
import { guardedGit } from '../../platform/git/git.ts';

/** The clocks of two disks may differ by as much. */
const MARGIN_MS = 2_000;
const FOLDER = /^[0-9a-f]{2}$/;
const PACKS = 'objects/pack';
/** Git reads every pack with an index, whatever its name is. */
const PACKED = /^(?<pack>.+)\.(?:pack|idx)$/;
/** The common index of several packs: a file, or a folder of them. */
const COMMON = /^multi-pack-index(?:\.d)?$/;

/** Names below the git folder. What was there before needs no look: no program can set back the time of a change. */
export async function forgedObjects(
  commonDir: string,
  sinceMs: number,
  signal?: AbortSignal,
): Promise<readonly string[]> {
  const forged: string[] = [];
  const isNew = (facts: Stats | null) => facts !== null && facts.ctimeMs >= sinceMs - MARGIN_MS;
  for (const folder of namesIn(commonDir, 'objects').filter((name) => FOLDER.test(name))) {
    const at = `objects/${folder}`;
    const facts = factsOf(join(commonDir, at));
    if (!isNew(facts)) continue;
    // A folder may also have been moved with all that is in it.
    if (facts?.isDirectory() !== true) forged.push(at);
    else
      for (const name of namesIn(commonDir, at).filter((each) => /^[0-9a-f]{38,62}$/.test(each)))
        if (!(await holds(join(commonDir, at, name), `${folder}${name}`, signal)))
          forged.push(`${at}/${name}`);
  }
  if (factsOf(join(commonDir, PACKS))?.isSymbolicLink() === true) return [...forged, PACKS];
  const names = namesIn(commonDir, PACKS).filter((name) => isNew(factsOf(join(commonDir, PACKS, name))));
  const ask = { cwd: commonDir, env: process.env, gitEnv: { GIT_DIR: commonDir }, signal };
  const isSound = async (args: readonly string[]) => (await guardedGit({ ...ask, args })).exitCode === 0;
  for (const pack of new Set(names.flatMap((name) => PACKED.exec(name)?.groups?.['pack'] ?? []))) {
    const index = join(commonDir, PACKS, `${pack}.idx`);
    // Git reads neither without the other.
    if (factsOf(index) === null || factsOf(join(commonDir, PACKS, `${pack}.pack`)) === null) continue;
    if (!(await isSound(['verify-pack', '--', index]))) forged.push(`${PACKS}/${pack}.pack`);
  }
  const common = names.find((name) => COMMON.test(name));
  if (common !== undefined && !(await isSound(['multi-pack-index', 'verify'])))
    forged.push(`${PACKS}/${common}`);
  return forged;
}

/** The name of a loose object is the hash of what it holds once it is inflated. */
async function holds(path: string, id: string, signal: AbortSignal | undefined): Promise<boolean> {
  const hash = createHash(id.length === 40 ? 'sha1' : 'sha256');
  try {
    await using file = await openPlainHandle(path);
    await pipeline(
      file.createReadStream({ autoClose: false }),
      createInflate(),
      hash,
      signal === undefined ? {} : { signal },
    );
  } catch (error) {
    signal?.throwIfAborted();
    // Git moves loose objects into packs.
    return codeOf(error) === 'ENOENT';
  }
  return hash.digest('hex') === id;
}

function namesIn(commonDir: string, folder: string): string[] {
  try {
    return readdirSync(join(commonDir, folder));
  } catch {
    return [];
  }
}

function factsOf(path: string): Stats | null {
  return lstatSync(path, { throwIfNoEntry: false }) ?? null;
}
