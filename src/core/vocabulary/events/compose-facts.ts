/** `ComposeFacts`: what `act` observed around a change: the target as it is now, other runs, the rules. */
import type { RepositoryRules, Rule } from '../rules.ts';

export interface RuleFinding {
  readonly kind: 'forbidden' | 'missing' | 'not_changed' | 'check' | 'approval' | 'touch_point';
  readonly rule: string;
  readonly says: string;
  readonly approval: Rule['approval'];
  /** Paths with line numbers, patterns, or commands. */
  readonly evidence: readonly string[];
}

/** The findings of these kinds, as the blockers of every gate name them. */
export function byPolicy(findings: readonly RuleFinding[], kinds: readonly RuleFinding['kind'][]) {
  return findings
    .filter(({ kind }) => kinds.includes(kind))
    .map(({ rule, says, evidence }) => ({ source: 'policy' as const, rule, says, evidence }));
}

export interface Overlap {
  readonly run: string;
  readonly task: string;
  /** The paths that both runs changed. */
  readonly paths: readonly string[];
  /** Those of `paths` that cannot be merged. */
  readonly conflicts: readonly string[];
  /** The other run began first, so this run asks about the conflict. */
  readonly older: boolean;
}

/** What an agent may have changed in the person's git folder: a ref, a setting, an entry of the index. */
export interface RepositoryChange {
  readonly name: string;
  /** Null if it is new. */
  readonly was: string | null;
  /** Null if it was deleted. */
  readonly is: string | null;
  /** The command that undoes it; absent if none is known, and in journals of older versions. */
  readonly undo?: string;
}

export function changeText({ name, was, is }: RepositoryChange): string {
  if (was === null || is === null) return `${name} is ${is === null ? 'gone' : 'new'}`;
  return `${name} changed from ${was.slice(0, SHOWN_VALUE)} to ${is.slice(0, SHOWN_VALUE)}`;
}
/** Enough for an id, or a branch. */
const SHOWN_VALUE = 32;

/** A process that still works in the workspace after the agent ended. */
export interface LeftProcess {
  readonly pid: number;
  readonly command: string;
}

export interface ComposeFacts {
  /** Null if the sink has no target branch. */
  readonly target: {
    readonly name: string;
    readonly commit: string;
    readonly moved: boolean;
    /** Paths that cannot be merged with the target. */
    readonly conflicts: readonly string[];
    /** The subjects of the target's newer commits, which tell their intent. */
    readonly theirs: readonly string[];
  } | null;
  readonly overlaps: readonly Overlap[];
  readonly findings: readonly RuleFinding[];
  /** The rules of the moved target. They count as much as those of the base. */
  readonly targetRules: RepositoryRules | null;
  /** `path:line` of conflict markers left in the work. */
  readonly markers: readonly string[];
  /** `path -> target` of symbolic links that leave the tree. */
  readonly leaving: readonly string[];
  /** Changed paths inside submodules, which the sink cannot hold; absent in journals of older versions. */
  readonly submodules?: readonly string[];
  /** Changes that neither the person's checkouts nor recorded deliveries explain; absent in journals of older versions. */
  readonly movedRefs?: readonly RepositoryChange[];
  /** Absent in journals of older versions. */
  readonly leftProcesses?: readonly LeftProcess[];
}
