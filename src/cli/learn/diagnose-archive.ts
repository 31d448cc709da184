/** `diagnoseArchive`: tells about the failed job of a log archive of GitHub Actions. `unreadableArchive`: the error where it is none. */
import { open } from 'node:fs/promises';
import { diagnoseLines } from '../../core/diagnose/diagnose.ts';
import { type Line, LineSieve } from '../../core/diagnose/lines/read-lines.ts';
import { type ArchiveJob, archiveJobs, failedJob } from '../../core/diagnose/steps/archive-jobs.ts';
import type { Diagnosis, DiagnosisInput } from '../../core/vocabulary/diagnosis.ts';
import { isZip, type ZipEntry, zipEntries } from '../../platform/file/zip-entries.ts';
import { MaydayError, usageError } from '../../platform/mayday-error.ts';

/** Null where the file is no archive, or cannot be read. */
export async function diagnoseArchive(
  path: string,
  status: Omit<DiagnosisInput, 'output'>,
): Promise<{ readonly diagnosis: Diagnosis; readonly lines: readonly Line[] } | null> {
  const file = await open(path).catch(() => null);
  if (file === null) return null;
  try {
    if (!(await isZip(file))) return null;
    const entries = await zipEntries(file, path);
    const jobs = archiveJobs((entries ?? []).map(({ name }) => name));
    if (entries === null || jobs.length === 0) throw unreadableArchive(path);
    const byName = new Map(entries.map((entry) => [entry.name, entry]));
    const told = [];
    for (const job of jobs) told.push(await diagnoseJob(job, byName, status));
    return failedJob(told);
  } catch (error) {
    if (error instanceof MaydayError) throw error;
    throw unreadableArchive(path);
  } finally {
    await file.close();
  }
}

async function diagnoseJob(
  job: ArchiveJob,
  entries: ReadonlyMap<string, ZipEntry>,
  status: Omit<DiagnosisInput, 'output'>,
): Promise<{ readonly diagnosis: Diagnosis; readonly lines: readonly Line[] }> {
  const sieve = new LineSieve();
  const starts: { readonly name: string; readonly line: number }[] = [];
  for (const name of job.files) {
    starts.push({ name, line: sieve.count });
    const decoder = new TextDecoder();
    for await (const chunk of (await entries.get(name)?.open()) ?? [])
      sieve.push(decoder.decode(chunk as Uint8Array, { stream: true }));
    sieve.push(`${decoder.decode()}\n`);
  }
  const lines = sieve.lines();
  const found = diagnoseLines(lines, status);
  const where = starts.findLast(({ line }) => line < (found.evidence[0]?.line ?? 1));
  const start = where?.line ?? 0;
  const evidence = found.evidence
    .filter(({ line }) => line > start)
    .map(({ line, text }) => ({ line: line - start, text }));
  const step = [job.name, found.step ?? '', where?.name ?? ''].filter((part) => part !== '').join(' · ');
  const diagnosis = found.failureType === 'success' ? found : { ...found, evidence, step };
  return { diagnosis, lines };
}

export function unreadableArchive(path: string): MaydayError {
  return usageError('INPUT_UNREADABLE', `cannot read ${JSON.stringify(path)} as a log archive`, [
    ['happened', 'it is cut off, or it holds no log of a job (0_build.txt, build/1_Set up job.txt)'],
    ['do', 'download the logs again, or unpack it and name the file of the failed job'],
  ]);
}
