/** `Page`: a part of a list. Without it, all of the list. */
export interface Page {
  /** At most so many. */
  readonly limit?: number;
  /** After so many that are left out. */
  readonly offset?: number;
}
