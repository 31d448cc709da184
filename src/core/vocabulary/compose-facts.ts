/** What is seen of the world around a change: the target as it is now, other runs, the rules. Collected by `act`, judged here. */
import type { RepositoryRules, Rule } from './rules.ts';

/** What of a change a rule speaks about. */
export interface RuleFinding {
  readonly kind: 'forbidden' | 'missing' | 'not_changed' | 'check' | 'approval' | 'touch_point';
  readonly rule: string;
  readonly says: string;
  readonly approval: Rule['approval'];
  /** Paths with lines, patterns, commands. */
  readonly evidence: readonly string[];
}

export interface Overlap {
  readonly run: string;
  /** What the other run is about: its intent. */
  readonly task: string;
  /** Changed by both. */
  readonly paths: readonly string[];
  /** Of these, what cannot be merged. */
  readonly conflicts: readonly string[];
  /** The other began first, so it is the one to be asked about. */
  readonly older: boolean;
}

/** A branch or tag of the person that is not where it was before the agent started. */
export interface MovedRef {
  readonly name: string;
  readonly was: string;
  /** Null: it is gone. */
  readonly is: string | null;
}

/** A process that works in the workspace although the agent has ended. */
export interface LeftProcess {
  readonly pid: number;
  readonly command: string;
}

export interface ComposeFacts {
  /** Null where the sink has no target branch. */
  readonly target: {
    readonly name: string;
    readonly commit: string;
    readonly moved: boolean;
    /** Paths that cannot be merged with the target. */
    readonly conflicts: readonly string[];
    /** Subjects of the target's newer commits: their intent. */
    readonly theirs: readonly string[];
  } | null;
  readonly overlaps: readonly Overlap[];
  readonly findings: readonly RuleFinding[];
  /** Rules of the moved target, which count as much as those of the base. */
  readonly targetRules: RepositoryRules | null;
  /** `path:line` of conflict markers left in the work. */
  readonly markers: readonly string[];
  /** `path -> target` of symbolic links that leave the tree. */
  readonly leaving: readonly string[];
  /** Changed paths inside submodules, which the sink cannot hold; absent in journals of older versions. */
  readonly submodules?: readonly string[];
  /** Moves that neither the person's checkouts nor recorded deliveries explain; absent in journals of older versions. */
  readonly movedRefs?: readonly MovedRef[];
  /** Absent in journals of older versions. */
  readonly leftProcesses?: readonly LeftProcess[];
}
