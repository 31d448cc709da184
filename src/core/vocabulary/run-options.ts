/** `RunOptions`, `AgentChoice`: how a run was started: with which agent, and what that agent may use. */
import type { AgentPolicies } from './agent-limits.ts';
import type { ClassPolicies } from './classes/class-policy.ts';
import type { OpinionChoice } from './opinion.ts';

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

export interface SetupLeft {
  /** No person allowed it on this machine. */
  readonly untrusted: string | null;
  /** One sentence for each tool that the project asks for and that is not there. */
  readonly lacks: readonly string[];
}

export interface RunOptions {
  readonly inPlace: boolean;
  readonly includeDirty: boolean;
  readonly autoResume: boolean;
  readonly fallbacks: readonly AgentChoice[];
  /** The commands and tools that the person allowed beyond the default. */
  readonly permissions: readonly string[];
  /** The command that makes a fresh workspace usable, where a person gave or allowed it. */
  readonly setup: string | null;
  /** The set-up that the files of the repository suggest and that does not run; absent: there is none, or the person chose. */
  readonly setupLeft?: SetupLeft;
  readonly ignoredToCopy: readonly string[];
  readonly nodeModules: 'link' | 'copy' | 'setup';
  /** The environment variables that the task names; the agent gets them. */
  readonly environment: readonly string[];
  /** Globs of what the person protects: a change of it is asked about. */
  readonly protects?: readonly string[];
  /** The rehearsal agent's script. */
  readonly script: string | null;
  /** The team's patterns from the configuration, already checked. */
  readonly patterns?: readonly unknown[];
  /** Who is asked for an opinion; absent: nobody. */
  readonly opinion?: OpinionChoice;
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
