/**
 * `archiveJobs`: the jobs in a log archive of GitHub Actions, by the names of its files: one file per job at the top (`0_build.txt`), a
 * folder per job with numbered steps (`build/3_Run npm test.txt`). `failedJob`: the one to tell about.
 */
import type { Diagnosis } from '../../vocabulary/diagnosis.ts';

export interface ArchiveJob {
  readonly name: string;
  /** In the order of the steps. */
  readonly files: readonly string[];
}

const NUMBERED = /^(?:(?<number>-?\d{1,6})_)?(?<title>.{1,300})\.txt$/;
/** The service's own notes about the runner. */
const SYSTEM = 'system.txt';

export function archiveJobs(names: readonly string[]): readonly ArchiveJob[] {
  const jobs = new Map<string, { readonly number: number; readonly file: string }[]>();
  for (const file of names) {
    const parts = file.split('/');
    const found = NUMBERED.exec(parts.at(-1) ?? '')?.groups;
    if (found === undefined || parts.at(-1) === SYSTEM) continue;
    const job = parts.length === 1 ? (found['title'] ?? '') : parts.slice(0, -1).join('/');
    jobs.set(job, [...(jobs.get(job) ?? []), { number: Number(found['number'] ?? 0), file }]);
  }
  return [...jobs].map(([name, files]) => {
    // The file at the top says the same as the steps of its folder.
    const steps = files.filter(({ file }) => file.includes('/'));
    const ordered = (steps.length > 0 ? steps : files).toSorted((a, b) => a.number - b.number);
    return { name, files: ordered.map(({ file }) => file) };
  });
}

/** Jobs that were cancelled stopped because another one failed. */
export function failedJob<Told extends { readonly diagnosis: Diagnosis }>(
  told: readonly Told[],
): Told | null {
  const failed = told.filter(({ diagnosis }) => diagnosis.failureType !== 'success');
  const marked = failed.filter(({ diagnosis }) => diagnosis.step !== undefined);
  const own = (marked.length > 0 ? marked : failed).find(
    ({ diagnosis }) => diagnosis.failureType !== 'interrupted',
  );
  return own ?? failed[0] ?? told[0] ?? null;
}
