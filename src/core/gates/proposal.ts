/** What an exploring agent proposes: a claim until a person or policy confirms it. */
export interface Proposal {
  readonly scope: readonly string[];
  readonly checks: readonly string[];
  readonly decisions: readonly { readonly question: string; readonly options: readonly string[] }[];
  readonly summary: string;
}
