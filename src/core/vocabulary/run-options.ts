/** How a run was asked for: which agent, and what it may use. */
import type { AgentPolicies } from './agent-limits.ts';
import type { ClassPolicies } from './class-policy.ts';

export interface AgentChoice {
  /** As the person knows it: an agent of Mayday, one of the configuration, or `command` for what stands after `--`. */
  readonly name: string;
  /** What drives it; absent: the adapter of the same name. */
  readonly adapter?: string;
  /** The command line of a program that is not a known agent. */
  readonly command: readonly string[];
  readonly model: string | null;
  /** Names of variables that this agent gets besides those of the run. */
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
  /** Commands and tools the person allowed beyond the default, recorded. */
  readonly permissions: readonly string[];
  readonly setup: string | null;
  readonly ignoredToCopy: readonly string[];
  readonly nodeModules: 'link' | 'copy' | 'setup';
  /** Environment variables the task names, passed to the agent. */
  readonly environment: readonly string[];
  /** The rehearsal agent's script. */
  readonly script: string | null;
  /** The team's patterns as configured, checked at the border. */
  readonly patterns?: readonly unknown[];
  /** A model for what the rules cannot explain; its key or login stays where it is. */
  readonly recovery?:
    | {
        readonly provider: 'anthropic' | 'openai';
        readonly url: string;
        readonly model: string;
        readonly keyVariable: string;
      }
    | { readonly provider: 'claude'; readonly command: readonly string[]; readonly model: string | null };
  /** The agent looks first and proposes scope and checks. */
  readonly explore?: boolean;
  /** Where in the repository the agent starts, and the checks that were given with it; absent: at its top. */
  readonly folder?: string;
  readonly checkFolder?: string;
  /** Nothing happens before a worker takes the run. */
  readonly queued?: boolean;
  /** What becomes of the agent's own commits; absent: one commit that quotes their messages. */
  readonly commits?: 'squash' | 'keep';
  /** What `mayday.yaml` says about single classes; absent in journals of older versions. */
  readonly classes?: ClassPolicies;
  /** What it says about the thresholds of single agents and models; absent in journals of older versions. */
  readonly agentPolicy?: AgentPolicies;
}
