/** `DoctorFinding`: one line of `mayday doctor`. `fine`: a line without fault. `findingOf`: that of an error with advice; or it throws. */
import { MaydayError } from '../../platform/mayday-error.ts';

export interface DoctorFinding {
  readonly what: string;
  readonly ok: boolean;
  readonly says: string;
  readonly advice: string | null;
}

export function findingOf(what: string, error: unknown): DoctorFinding {
  if (!(error instanceof MaydayError)) throw error;
  const advice = error.advice.find(([label]) => label === 'do')?.[1] ?? null;
  return { what, ok: false, says: error.message, advice };
}

export function fine(what: string, says: string, advice: string | null = null): DoctorFinding {
  return { what, ok: true, says, advice };
}
