/** What a person wants. Comes in once, with the run, and is never edited afterwards: wider limits are events of their own. */

export interface Budget {
  readonly tokens: number | null;
  readonly usd: number | null;
  readonly turns: number | null;
  readonly wallClockMs: number | null;
}

export type SinkSpec =
  | { readonly type: 'branch'; readonly name: string }
  | { readonly type: 'none' }
  /** `confined`: only a file of the repository names the place, so it must stay inside the repository. */
  | { readonly type: 'directory'; readonly path: string; readonly confined?: true }
  /** Without a file: in the run's own folder. `againstBase`: written although the target moved on. */
  | {
      readonly type: 'patch';
      readonly file: string;
      readonly againstBase?: boolean;
      readonly confined?: true;
    }
  | { readonly type: 'merge'; readonly branch: string }
  | { readonly type: 'pull_request' };

export interface Task {
  readonly text: string;
  /** Commands that Mayday itself runs to verify the work. */
  readonly checks: readonly string[];
  /** Globs of what may change; empty: the whole workspace, by default policy. */
  readonly scope: readonly string[];
  readonly budget: Budget;
  readonly expectedMs: number | null;
  readonly size: 'simple' | 'complex' | null;
  readonly sink: SinkSpec;
  /** Commit at which the scope was written down; what it named there and is gone since makes it stale. */
  readonly scopeAt?: string;
  /** What was decided beforehand, and what must be decided before the work (no answer). */
  readonly decisions?: readonly TaskDecision[];
}

export interface TaskDecision {
  readonly question: string;
  readonly answer: string | null;
}

/** The rules of git's own reference names, without those names that mean something else to git. */
export function isBranchName(name: string): boolean {
  const parts = name.split('/');
  return (
    name.length <= 200 &&
    name !== '@' &&
    !name.startsWith('-') &&
    !/^(?:[A-Z]+_)?HEAD$/i.test(name) &&
    !/^refs$/i.test(parts[0] ?? '') &&
    !/[\s~^:?*[\\\p{Cc}]|\.\.|@\{/u.test(name) &&
    !parts.some((part) => part === '' || part.startsWith('.') || /\.(?:lock)?$/i.test(part))
  );
}

/** Where the work of a run goes unless somebody says otherwise. */
export function ownBranch(runId: string): string {
  return `mayday/${runId}`;
}
