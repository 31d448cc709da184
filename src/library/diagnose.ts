/** `diagnose`: what failed in a captured output, why, and whether a person is needed. Pure rules; no model is asked. */
import { diagnose as diagnoseOutput } from '../core/diagnose/diagnose.ts';
import { diagnosisJson } from '../core/diagnose/diagnosis-json.ts';

export interface DiagnoseInput {
  readonly output: string;
  readonly exitCode?: number;
  readonly signal?: string;
  readonly command?: string;
  /** How often it was tried already. */
  readonly retryCount?: number;
}

export type DiagnosisDocument = ReturnType<typeof diagnosisJson>;

export function diagnose(input: string | DiagnoseInput): DiagnosisDocument {
  const given = typeof input === 'string' ? { output: input } : input;
  const clock = { nowMs: Date.now(), timeZone: Intl.DateTimeFormat().resolvedOptions().timeZone };
  return diagnosisJson(diagnoseOutput({ ...clock, ...given }));
}
