/** `diagnose`: what failed in a captured output, why, and whether a person is needed. Pure rules; no model is asked. */
import { diagnose as diagnoseOutput } from '../core/diagnose/diagnose.ts';
import { diagnosisJson } from '../core/view/diagnosis-json.ts';

export interface DiagnoseInput {
  readonly output: string;
  readonly exitCode?: number;
  readonly signal?: string;
  readonly command?: string;
  /** How often it was tried already. */
  readonly retryCount?: number;
  /** The feature and the issue that were worked on; repeated in the answer. */
  readonly featureId?: string;
  readonly issueNumber?: number;
  /** What the caller took it for; `error` stands for runtime_error. A hint: the evidence decides. */
  readonly failureType?: string;
}

export type DiagnosisDocument = ReturnType<typeof diagnosisJson>;

export function diagnose(input: string | DiagnoseInput): DiagnosisDocument {
  const given = typeof input === 'string' ? { output: input } : input;
  const clock = { nowMs: Date.now(), timeZone: Intl.DateTimeFormat().resolvedOptions().timeZone };
  const { failureType = null, ...rest } = given as DiagnoseInput;
  return diagnosisJson(diagnoseOutput({ ...clock, ...rest, failureTypeHint: failureType }));
}
