/**
 * `isWorthAsking`: whether the change is such that a model is asked what belongs to it. `belongsFindings`: what an answer adds to what was
 * observed. It clears nothing.
 */
import type { Opinion } from '../vocabulary/opinion.ts';
import type { ChangedJudge, UnrelatedFile } from '../vocabulary/proof.ts';
import type { BelongsAnswer } from './belongs-answer.ts';
import type { BelongsFile } from './belongs-question.ts';

/** Many files for a short task. */
const MANY_FILES = 20;
const SHORT_TASK_CHARS = 600;
/** So many files in places where no check reads are more than a document and a change log. */
const FAR_FILES = 5;
/** An answer that is less sure than this was right too seldom to be held against a work. It stays in the record. */
const LEAST_CONFIDENCE = 0.5;

export function isWorthAsking(task: string, files: readonly BelongsFile[]): boolean {
  return files.some(mayJudge) || isWide(task, files);
}

/** Where nothing was observed, every file of the base may. */
function mayJudge({ type, readBefore, judge }: BelongsFile): boolean {
  return judge !== null || (type !== 'created' && readBefore !== false);
}

function isWide(task: string, files: readonly BelongsFile[]): boolean {
  if (files.length >= MANY_FILES && task.length <= SHORT_TASK_CHARS) return true;
  const isRead = ({ readBefore, readNow }: BelongsFile) => readBefore === true || readNow === true;
  const near = new Set(files.filter(isRead).map(({ path }) => placeOf(path)));
  return files.filter((file) => !isRead(file) && !near.has(placeOf(file.path))).length >= FAR_FILES;
}

/** The folder at the top in which it lies. */
function placeOf(path: string): string {
  return path.slice(0, path.indexOf('/') + 1);
}

export interface BelongsFindings {
  readonly judges: readonly ChangedJudge[];
  readonly unrelated: readonly UnrelatedFile[];
}

export function belongsFindings(
  { by, answer, confidence }: Opinion<BelongsAnswer>,
  files: readonly BelongsFile[],
): BelongsFindings {
  if (confidence < LEAST_CONFIDENCE) return { judges: [], unrelated: [] };
  const known = new Map(files.map((file) => [file.path, file]));
  const judging = answer.files.filter(({ path, role, weakens }) => {
    const file = known.get(path);
    // New tests are the work's own, and what was observed is named already.
    return weakens || (role === 'judges_it' && file?.type !== 'created' && file?.judge === null);
  });
  const unrelated = answer.files.filter(({ role, weakens }) => role === 'unrelated' && !weakens);
  return {
    judges: judging.map(({ path, weakens, quote, why }) => ({
      path,
      why: 'opinion',
      by,
      opinion: { weakens, quote, says: why },
    })),
    unrelated: files.flatMap(({ path }) => {
      const claim = unrelated.find((one) =>
        one.path.endsWith('/') ? path.startsWith(one.path) : path === one.path,
      );
      return claim === undefined ? [] : [{ path, by, says: claim.why }];
    }),
  };
}
