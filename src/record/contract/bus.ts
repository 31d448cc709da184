/** `BusRecord`: the messages between agents, and what they say about tasks and agents. */
import type { BusAgent } from '../../core/bus/bus-agent.ts';
import type { BusSource } from '../../core/bus/bus-message.ts';
import type { BusTask } from '../../core/bus/bus-task.ts';

export interface NewBusMessage {
  readonly at: number;
  readonly source: BusSource;
  /** The message as JSON, kept byte for byte. */
  readonly body: string;
}

export interface StoredBusMessage extends NewBusMessage {
  /** Grows in the order in which readers see messages; a reader that asks after the last id it was given misses none. */
  readonly id: number;
}

export interface BusRecord {
  /**
   * Appends to the bus, all or nothing; returns the ids. With `unlessNews`, only if the latest message about that task is
   * still the one with this id (0: there is none), otherwise null: of several processes that judge a task, one publishes.
   */
  publish(
    messages: readonly NewBusMessage[],
    unlessNews?: { readonly agentId: string; readonly taskId: string; readonly latestId: number },
  ): Promise<readonly number[] | null>;
  /** Oldest first. */
  messages(afterId: number, limit: number): Promise<readonly StoredBusMessage[]>;
  /** The id of the latest message; 0 without one. */
  lastMessage(): Promise<number>;
  busTask(agentId: string, taskId: string): Promise<BusTask | null>;
  /** Tasks of external agents that are said to be RUNNING, longest first. */
  runningTasks(limit: number): Promise<readonly BusTask[]>;
  busAgents(): Promise<readonly BusAgent[]>;
}
