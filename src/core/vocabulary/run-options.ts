/** `RunOptions`, `AgentChoice`: how a run was started: with which agent, and what that agent may use. */
import type { AgentPolicies } from './agent-limits.ts';
import type { ClassPolicies } from './classes/class-policy.ts';

export interface AgentChoice {
  /** The name that the person uses: an agent of Mayday, one of the configuration, or `command` for a command line after `--`. */
  readonly name: string;
  /** The adapter that drives it; absent if the adapter has the same name. */
  readonly adapter?: string;
  /** The command line of a program that is not a known agent. */
  readonly command: readonly string[];
  readonly model: string | null;
  /** The names of variables that this agent gets in addition to those of the run. */
  readonly env?: readonly string[];
}

export function adapterName({ name, adapter }: AgentChoice): string {
  return adapter ?? name;
}

export interface RunOptions {
  readonly inPlace: boolean;
  readonly includeDirty: boolean;
  readonly autoResume: boolean;
  readonly fallbacks: readonly AgentChoice[];
  /** The commands and tools that the person allowed beyond the default. */
  readonly permissions: readonly string[];
  readonly setup: string | null;
  readonly ignoredToCopy: readonly string[];
  readonly nodeModules: 'link' | 'copy' | 'setup';
  /** The environment variables that the task names; the agent gets them. */
  readonly environment: readonly string[];
  /** The rehearsal agent's script. */
  readonly script: string | null;
  /** The team's patterns from the configuration, already checked. */
  readonly patterns?: readonly unknown[];
  /** A model for failures that the rules cannot explain. Its key or login is not stored here. */
  readonly recovery?:
    | {
        readonly provider: 'anthropic' | 'openai';
        readonly url: string;
        readonly model: string;
        readonly keyVariable: string;
      }
    | { readonly provider: 'claude'; readonly command: readonly string[]; readonly model: string | null };
  /** The agent first explores and proposes scope and checks. */
  readonly explore?: boolean;
  /** The user of this machine that agent and checks are; absent: the one that Mayday itself is. */
  readonly asUser?: string;
  /** The folder of the repository in which the agent, and the checks given with it, start; absent: the top folder. */
  readonly folder?: string;
  readonly checkFolder?: string;
  /** The run does nothing until a worker takes it. */
  readonly queued?: boolean;
  /** What happens to the agent's own commits; absent: one commit that quotes their messages. */
  readonly commits?: 'squash' | 'keep';
  /** What `mayday.yaml` says about single failure classes; absent in journals of older versions. */
  readonly classes?: ClassPolicies;
  /** What `mayday.yaml` says about the thresholds of single agents and models; absent in journals of older versions. */
  readonly agentPolicy?: AgentPolicies;
}
