/** `Task`: what a person wants. It is given once, with the run, and never edited afterwards: wider limits are separate events. */

export interface Budget {
  readonly tokens: number | null;
  readonly usd: number | null;
  readonly turns: number | null;
  readonly wallClockMs: number | null;
}

export type SinkSpec =
  | { readonly type: 'branch'; readonly name: string }
  | { readonly type: 'none' }
  /** `confined`: only a file of the repository names the path, so the path must stay inside the repository. */
  | { readonly type: 'directory'; readonly path: string; readonly confined?: true }
  /** With an empty `file` the patch goes to the run's own folder. `againstBase`: written although the target moved. */
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
  /** Globs of the paths that may change. If empty: the whole workspace, by default policy. */
  readonly scope: readonly string[];
  readonly budget: Budget;
  readonly expectedMs: number | null;
  readonly size: 'simple' | 'complex' | null;
  readonly sink: SinkSpec;
  /** The commit at which the scope was written. The scope is stale if it names a path that existed there and is gone now. */
  readonly scopeAt?: string;
  /** The decisions taken beforehand, and those that must be taken before the work (without an answer). */
  readonly decisions?: readonly TaskDecision[];
}

export interface TaskDecision {
  readonly question: string;
  readonly answer: string | null;
}

/** Follows git's rules for reference names, and excludes names with a special meaning for git. */
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

/** The branch for the work of a run unless a person names another. */
export function ownBranch(runId: string): string {
  return `mayday/${runId}`;
}
