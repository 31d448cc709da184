/** `ChangedJudge`, `FileProof`, `UnrelatedFile`, `NOT_PROVEN`, `opinionText`: how far the checks prove each changed file. */

export const NOT_PROVEN = 'delivered, not proven';

export interface ChangedJudge {
  readonly path: string;
  /**
   * `protected`: the person protects it. `check_line`: a check line names it. `loaded`: a judge names it, and no file of the work does.
   * `test`, `configuration`: known by convention. `no_longer_read`: the check read it on the base, and no longer does. `opinion`: a
   * model says so; nothing that was observed.
   */
  readonly why:
    | 'protected'
    | 'check_line'
    | 'loaded'
    | 'test'
    | 'configuration'
    | 'no_longer_read'
    | 'opinion';
  /** The check line, the judge that names it, the glob that protects it, or whose opinion it is. */
  readonly by?: string;
  /** `quote`: stands in the change of the file. `says`: the model's sentence. */
  readonly opinion?: { readonly weakens: boolean; readonly quote: string; readonly says: string };
}

/** A changed file that the task does not explain, in the opinion of a model. */
export interface UnrelatedFile {
  readonly path: string;
  readonly by: string;
  readonly says: string;
}

export interface FileProof {
  readonly path: string;
  /**
   * `read`: a required check that passed opened it. `judge`: it is part of what judges. `unread`: no check opened it. `not_observed`: this
   * machine could not tell which files the checks opened.
   */
  readonly standing: 'read' | 'judge' | 'unread' | 'not_observed';
  /** The check that read it. */
  readonly by?: string;
}

/** Without the model's own sentence. */
export function opinionText(
  by: string | undefined,
  { weakens, quote }: NonNullable<ChangedJudge['opinion']>,
): string {
  return `opinion of ${by ?? 'a model'}: ${weakens ? 'it weakens what judges' : 'it judges'}, “${quote}”`;
}
