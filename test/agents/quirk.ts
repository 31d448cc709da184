/** `Quirk`: a measured habit of an agent CLI that is misleading. Each has a test over a recording. */
export interface Quirk {
  readonly code: string;
  readonly what: string;
  /** What Mayday does about it. */
  readonly answer: string;
  /** Absent: in every version that was measured. */
  readonly versions?: readonly string[];
}
