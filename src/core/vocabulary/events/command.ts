/** `Command`, `commandDeed`: an effect that the core asks for, as data; each outcome comes back as a fact. */
import type { StoredKey } from '../questions/approval.ts';
import type { AgentChoice } from './event.ts';
import type { SinkSpec } from '../task.ts';

export type Command =
  | { readonly type: 'prepare_workspace' }
  | { readonly type: 'run_checks'; readonly purpose: 'baseline' | 'gate'; readonly tree: string }
  | {
      readonly type: 'start_attempt';
      readonly attempt: number;
      readonly agent: AgentChoice;
      /** The agent session to resume; null starts a new one. */
      readonly resume: string | null;
      /** A session that the model API refused: continued only if it can be mended on a copy. */
      readonly mend?: string;
      readonly brief: string;
    }
  | {
      readonly type: 'stop_attempt';
      readonly attempt: number;
      readonly why: string;
      readonly by: 'mayday' | 'person';
      /** Until it is killed. Absent: as the policy says. */
      readonly withinMs?: number;
    }
  | { readonly type: 'nudge_attempt'; readonly attempt: number; readonly text: string }
  | { readonly type: 'examine_attempt'; readonly attempt: number; readonly cause: string | null }
  | {
      readonly type: 'deliver';
      readonly sink: SinkSpec;
      readonly tree: string;
      readonly salvage: boolean;
      /** The keys of the blockers that a person lifted for this tree. */
      readonly approved?: readonly StoredKey[];
      /** The time of the commit. It stays the same if the command is carried out again. Absent in commands of older versions. */
      readonly decidedAt?: number;
      /** The commit of the target branch that the gate saw; absent if no gate ran. */
      readonly target?: string;
    }
  | { readonly type: 'split_work'; readonly tree: string; readonly allowed: readonly string[] }
  | { readonly type: 'rebase_work'; readonly tree: string }
  | { readonly type: 'release' };

export type CommandType = Command['type'];

const DEEDS: Readonly<Record<CommandType, string>> = {
  prepare_workspace: 'prepare the workspace',
  run_checks: 'run the checks',
  start_attempt: 'start the agent',
  stop_attempt: 'stop the agent',
  nudge_attempt: 'send the agent a message',
  examine_attempt: 'look at what the agent left',
  deliver: 'deliver the work',
  split_work: 'split the work',
  rebase_work: 'move the work onto the target',
  release: 'take the workspace away',
};

/** In words that follow "Mayday could not"; a journal may name a command of an older version. */
export function commandDeed(command: string): string {
  return (DEEDS as Readonly<Record<string, string>>)[command] ?? command.replaceAll('_', ' ');
}

/** The key is made of the run, the place in its journal and the type, so the same command always has the same key. */
export interface KeyedCommand {
  readonly key: string;
  readonly command: Command;
}

export interface TimerChange {
  readonly set: readonly { readonly name: string; readonly dueAt: number }[];
  readonly cancel: readonly string[];
}
