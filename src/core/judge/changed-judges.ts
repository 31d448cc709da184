/**
 * `changedJudges`: the changed files that judge the work, each with its reason. A file judges if the person protects it, if a check line
 * names it, if it is a test or a setting, if only files that judge name it, or if nobody does and the check finds it by itself. A new file
 * judges that takes a place which a judge asked for before. No language is parsed: which files a check reads was observed, and who names a
 * file is a question of text. `fileProof`: how far the checks prove each changed file.
 */
import { matchesAny } from '../text/glob.ts';
import { jsonObject, objectOrNull } from '../text/json.ts';
import type { ChangedJudge, FileProof } from '../vocabulary/proof.ts';
import {
  endingOf,
  namesFolder,
  namesPath,
  namingStrength,
  searchesFolder,
  spellsPath,
  stemOf,
  subjectOf,
} from './names-path.ts';
import {
  isConfiguration,
  isNamedLikeSetting,
  isPlanted,
  isTest,
  isTestProgram,
  nameOf,
} from './verification-files.ts';

export interface WorkChanges {
  readonly checks: readonly { readonly command: string; readonly passedBefore: boolean }[];
  readonly changes: readonly { readonly path: string; readonly type: 'created' | 'changed' | 'deleted' }[];
  readonly basePaths: readonly string[];
  /** The files that the checks read on the base, and on the candidate; null: not observed. */
  readonly readBefore: ReadonlySet<string> | null;
  readonly readNow: ReadonlySet<string> | null;
  /** Globs of what the person protects. */
  readonly protects: readonly string[];
}

/** A file that may name another. */
export interface Namer {
  readonly path: string;
  readonly text: string;
}

/** Yields paths, and gets the files of the base, or of the candidate, that may name each; null: it was not looked at. */
export type NamerSearch<Found> = Generator<
  { readonly path: string; readonly isNew: boolean },
  Found,
  readonly Namer[] | null
>;

/** Judges that name judges: a longer chain is not followed. */
const MAX_DEPTH = 5;
/** Each costs a search in git. What is not looked at any more is told. */
const MAX_SEARCHES = 400;
/** By it git converts what is delivered: no check reads it. */
const CONVERSIONS = '.gitattributes';
/** Of a naming. */
const STRONGEST = 2;
/** Texts for people name products and judges alike. */
const PROSE = /\.(?:md|rst|adoc)$/;

export function* changedJudges(work: WorkChanges): NamerSearch<ChangedJudge[]> {
  const { changes, readBefore, readNow } = work;
  const search = new Loaders(work);
  const judges: ChangedJudge[] = [];
  for (const { path, type } of changes) {
    const isNew = type === 'created';
    const wasRead = readBefore === null || readBefore.has(path);
    const glob = work.protects.find((one) => matchesAny(path, [one]));
    const line = lineNaming(work, path, isNew);
    if (glob !== undefined && !(isNew && isTest(path))) judges.push({ path, why: 'protected', by: glob });
    else if (line !== undefined) judges.push({ path, why: 'check_line', by: line });
    else if (nameOf(path) === CONVERSIONS) judges.push({ path, why: 'configuration' });
    else if (isPlanted(path) || (isTest(path) && !isNew)) judges.push({ path, why: 'test' });
    else if (isConfiguration(path)) {
      if ((wasRead && !isNew) || readNow?.has(path) !== false) judges.push({ path, why: 'configuration' });
    } else if (isNew && isNamedLikeSetting(path) && readNow?.has(path) !== false)
      judges.push({ path, why: 'configuration' });
    else if (isNew ? readNow?.has(path) && !isTestProgram(path) : wasRead) {
      const by = yield* isNew ? search.askerOf(path) : search.loaderOf(path);
      if (by !== null) judges.push({ path, why: 'loaded', ...(by === '' ? {} : { by }) });
    }
  }
  return judges;
}

/** The check line that names the path. A new file is what the check is about, unless the check passed without it. */
function lineNaming(work: WorkChanges, path: string, isNew: boolean): string | undefined {
  const { checks, readBefore } = work;
  const isRead = readBefore === null || readBefore.has(path);
  return (
    (isNew ? lineOfTarget(work, path) : undefined) ??
    checks.find(
      ({ command, passedBefore }) =>
        (isNew ? passedBefore && spellsPath(command, path) : isRead || spellsPath(command, path)) &&
        namesPath(command, path),
    )?.command
  );
}

/** The line names a target (`make test`), and what is there under that name now, unread, keeps it from being made. */
function lineOfTarget(
  { checks, basePaths, readBefore, readNow }: WorkChanges,
  path: string,
): string | undefined {
  const [target = ''] = path.split('/');
  // A check that read nothing before asks for the file itself (`test -f done`).
  if (readBefore?.size === 0) return undefined;
  const isTaken = basePaths.some((other) => other === target || other.startsWith(`${target}/`));
  if (readNow?.has(path) !== false || isTaken || endingOf(target) !== '') return undefined;
  return checks.find(({ command }) =>
    command
      .split(/[\s;&|()]+/)
      .slice(1)
      .includes(target),
  )?.command;
}

/** The judges that the checks read on the base, and read no longer. */
export function* noLongerRead(
  work: WorkChanges,
  /** The paths whose content a check read elsewhere, or with the judges of the base. */
  excused: ReadonlySet<string>,
): NamerSearch<ChangedJudge[]> {
  const { readBefore, readNow, basePaths, changes, checks } = work;
  if (readBefore === null || readNow === null) return [];
  const search = new Loaders(work);
  const touched = new Set(changes.map(({ path }) => path));
  const missed: ChangedJudge[] = [];
  for (const path of basePaths) {
    if (!readBefore.has(path) || readNow.has(path) || excused.has(path)) continue;
    const isKnown =
      isTestProgram(path) || isConfiguration(path) || checks.some(({ command }) => spellsPath(command, path));
    // What the work changed or took away may be its own; what it left as it was is passed over.
    if (isKnown || (!touched.has(path) && ((yield* search.loaderOf(path)) ?? '') !== ''))
      missed.push({ path, why: 'no_longer_read' });
  }
  return missed;
}

export function fileProof(
  changes: WorkChanges['changes'],
  judges: readonly ChangedJudge[],
  /** By check line; null: not observed. */
  read: ReadonlyMap<string, ReadonlySet<string> | null>,
): FileProof[] {
  const judging = new Map(judges.map(({ path, by }) => [path, by]));
  const isObserved = [...read.values()].every((files) => files !== null);
  return changes.map(({ path }) => {
    if (judging.has(path)) {
      const by = judging.get(path);
      return { path, standing: 'judge', ...(by === undefined ? {} : { by }) };
    }
    const by = [...read].find(([, files]) => files?.has(path))?.[0];
    if (by !== undefined) return { path, standing: 'read', by };
    return { path, standing: isObserved ? 'unread' : 'not_observed' };
  });
}

/** Finds the judge that loads a file which no file of the work names. */
class Loaders {
  readonly #work: WorkChanges;
  readonly #known = new Map<string, string | null>();
  readonly #asked = new Map<string, string | null>();
  #searches = 0;

  constructor(work: WorkChanges) {
    this.#work = work;
  }

  /** Null: it is the work's own; empty: the check found it by itself, or it was not searched for. */
  *loaderOf(path: string, depth = 0): NamerSearch<string | null> {
    const known = this.#known.get(path);
    if (known !== undefined) return known;
    // What names itself on the way round is no judge by that.
    this.#known.set(path, null);
    const by = yield* this.#search(path, depth);
    this.#known.set(path, by);
    return by;
  }

  *#search(path: string, depth: number): NamerSearch<string | null> {
    if (depth > MAX_DEPTH) return null;
    if (this.#searches >= MAX_SEARCHES) return '';
    this.#searches += 1;
    const namers = yield { path, isNew: false };
    if (namers === null) return '';
    let loader: string | null = null;
    let [byJudge, byProduct, isNamed] = [0, 0, false];
    for (const namer of namers) {
      if (namer.path === path || PROSE.test(namer.path)) continue;
      isNamed ||= namesPath(namer.text, path);
      if (!names(namer, path)) continue;
      if (isAbout(namer.path, path) || isOfProduct(namer, path)) return null;
      const strength = Math.max(1, namingStrength(namer.text, path));
      if (strength <= byProduct) continue;
      const by = yield* this.#judgeIn(namer.path, depth);
      if (by === null && strength === STRONGEST) return null;
      if (by === null) byProduct = strength;
      else [loader, byJudge] = [loader ?? by, Math.max(byJudge, strength)];
    }
    // A word of the product that happens to be the name takes nothing from a judge that spells it.
    if (byProduct > 0 && byProduct >= byJudge) return null;
    const line = this.#work.checks.find(({ command }) => namesFolder(command, path, true))?.command;
    return loader ?? line ?? (!isNamed && this.#work.readBefore?.has(path) === true ? '' : null);
  }

  /** The judge, as it was before the work, that names a new file: it asked for one in this place. Null: the work brought what names it. */
  *askerOf(path: string): NamerSearch<string | null> {
    const known = this.#asked.get(path);
    if (known !== undefined) return known;
    // Two new files that name each other are told, both.
    this.#asked.set(path, '');
    const by = yield* this.#askerIn(path);
    this.#asked.set(path, by);
    return by;
  }

  *#askerIn(path: string): NamerSearch<string | null> {
    const namers = yield { path, isNew: true };
    if (namers === null) return '';
    const touched = new Map(this.#work.changes.map((change) => [change.path, change.type]));
    let isNamed = false;
    for (const namer of namers) {
      if (namer.path === path || PROSE.test(namer.path) || !this.#work.readNow?.has(namer.path)) continue;
      const isSpelled = namesPath(namer.text, path);
      if (isSpelled && isOfProduct(namer, path)) return null;
      // What a test of the work is about may be the framework all the same.
      if (isSpelled && !touched.has(namer.path) && isAbout(namer.path, path)) return null;
      // A program names programs of its kind. What names a setting says nothing about who reads it.
      if (touched.has(namer.path)) {
        if (isNamed || !isSpelled || endingOf(namer.path) !== endingOf(path)) continue;
        const isOfWork = touched.get(namer.path) !== 'created' || isTestProgram(namer.path);
        if (isConfiguration(namer.path) || isNamedLikeSetting(namer.path)) continue;
        isNamed = isOfWork || (yield* this.askerOf(namer.path)) === null;
      } else if (isSpelled || (!isConfiguration(namer.path) && searchesFolder(namer.text, path))) {
        const by = yield* this.#judgeIn(namer.path, 0);
        if (by !== null && (isSpelled || by !== '')) return by;
        isNamed ||= isSpelled;
      }
    }
    return isNamed ? null : '';
  }

  /** The path, if it judges; empty, if the check finds it by itself. */
  *#judgeIn(path: string, depth: number): NamerSearch<string | null> {
    if (isTest(path) || isConfiguration(path)) return path;
    if (this.#work.checks.some(({ command }) => namesPath(command, path))) return path;
    const by = yield* this.loaderOf(path, depth + 1);
    return by === null || by === '' ? by : path;
  }
}

/** A setting names files; other texts name folders too. */
function names({ path, text }: Namer, named: string): boolean {
  return namesPath(text, named) || (!isConfiguration(path) && namesFolder(text, named));
}

/** The test has the name of the program: that is what it tests. */
function isAbout(test: string, path: string): boolean {
  const isOfKind = endingOf(test) === endingOf(path);
  return isTestProgram(test) && isOfKind && subjectOf(test) === stemOf(path).toLowerCase();
}

/** A manifest names the product outside of its scripts: `main`, `bin`, `exports`. */
function isOfProduct({ path, text }: Namer, named: string): boolean {
  if (nameOf(path) !== 'package.json') return false;
  const manifest = jsonObject(objectOrNull(text));
  const entries = ['main', 'module', 'browser', 'bin', 'exports', 'types'].map((key) => manifest[key]);
  return namesPath(JSON.stringify(entries), named);
}
