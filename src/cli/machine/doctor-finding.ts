/** `DoctorFinding`: one line of `mayday doctor`. */
export interface DoctorFinding {
  readonly what: string;
  readonly ok: boolean;
  readonly says: string;
  readonly advice: string | null;
}
