/** `AgentCli`: what the table must know of an agent CLI beside its adapter: how it is installed, pointed at our model server, and hurt. */
import type { AgentAdapter } from '../src/agents/adapter.ts';
import type { ModelScriptInput, ScriptFault, ScriptReply } from '../tools/model-server/script.ts';
import type { BoxProcess } from './box-processes.ts';
import type { Story } from './story.ts';

export type Tool = { readonly name: string; readonly input: Record<string, unknown> };

export interface AgentCli {
  readonly adapter: AgentAdapter;
  readonly title: string;
  readonly package: string;
  /** Its program; absent: named like the adapter. */
  readonly program?: string;
  /** Pinned, so that a red table is our change and not theirs. */
  readonly version: string;
  /** The person's environment: a login, and the way to our model server. */
  environment(root: string, serverUrl: string): Readonly<Record<string, string>>;
  /** Writes what a person's own configuration would say. */
  prepare?(root: string, serverUrl: string): void;
  /** Files under the root, each with what is added to it: the person has an MCP server that makes the named file when it starts. */
  withServer?(made: string): Readonly<Record<string, string>>;
  /** Of a call of a tool that there is not, it tells the model alone. */
  readonly hidesUnknownCalls?: true;
  /** The silence limit of the stories about silence: several times what its start takes on two busy cores. */
  readonly silenceMs: number;
  /** The most that it can be on a slow machine: an honest tool outlasts it. */
  readonly mostSilenceMs?: number;
  /** What the person allows in all stories but that of a denial, in the notation of the CLI. */
  readonly permissions?: readonly string[];
  /** The process of the box that a person or the kernel would end. */
  isAgent(process: BoxProcess): boolean;
  /** Where the sessions lie, under the root of the box. */
  readonly sessions: string;
  /** Words that are in the session before the tool of a story ends; absent: its command. */
  readonly toldBeforeTool?: string;
  /** What it tells of a command that shows a file; absent: the command. */
  readonly tells?: (command: string) => string;
  /** Words of what it asks the model beside the work: a title for the session. */
  readonly asksForTitle?: string;
  shell(command: string): Tool;
  /** A file in the working directory. */
  write(name: string, content: string): Tool;
  /** The API sends a call in one piece: what streams before a large one is text. */
  readonly callsInOnePiece?: true;
  /** A part of what the model is told when `write` worked. */
  readonly wrote: string;
  /** How its provider tells a limit that ends so many seconds from now. */
  limit(seconds: number): {
    readonly fault: ScriptFault;
    readonly env?: Readonly<Record<string, string>>;
    /** How exactly it tells the reset. */
    readonly skewMs?: number;
    /** It waits for the reset by itself. */
    readonly isWaitedFor?: boolean;
  };
  /** A call that is refused without a wider permission, and words of the refusal. */
  readonly denied?: {
    readonly tool: Tool;
    readonly says: string;
    readonly env?: Readonly<Record<string, string>>;
  };
  /** Stories that only this CLI can tell. */
  stories?(parts: { readonly work: ScriptReply; readonly done: Rules[number] }): readonly Story[];
  /** Stories that cannot be told with this CLI, by name, with the reason. */
  readonly cannot?: Readonly<Record<string, string>>;
}

export type Rules = ModelScriptInput['rules'];
