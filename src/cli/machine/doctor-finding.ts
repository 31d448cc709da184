/** `DoctorFinding`: one line of `mayday doctor`. `findingOf`: the line for an error with advice; any other is thrown on. */
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
