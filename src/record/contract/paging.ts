/** `Paging`: which part of a list to return; without it, the whole list. */
export interface Paging {
  /** At most so many. */
  readonly limit?: number;
  /** After so many that are left out. */
  readonly offset?: number;
}
