/**
 * `AgentAdapter`: the contract of an agent CLI. It covers reading (bytes to transcript) and steering (what to start, how to stop it, what
 * its end means). Adapters only compute data; the platform touches the machine. One folder per CLI implements it, listed in `registry.ts`;
 * each passes `test/agents/contract.ts`. `nudgeFiles`: where a message for a working agent lies.
 */
import { join } from 'node:path';
import type { FailureClass } from '../core/vocabulary/classes/failure-class.ts';
import type { OpenText } from '../core/detect/tick.ts';
import type { TranscriptEntry, Usage } from '../core/vocabulary/transcript.ts';
import type { OpinionCall } from './opinion/opinion-call.ts';
import type { SessionShape } from './sessions/repair-session.ts';

/** Environment variables; absent names are undefined. */
export type Environment = Readonly<Record<string, string | undefined>>;

export type MeasuredBudget = 'tokens' | 'usd' | 'turns';

export interface Capabilities {
  /** Can go on in the same agent session. */
  readonly resume: boolean;
  /** Takes the session id from us, so it is known before the first byte. */
  readonly sessionIdUpFront: boolean;
  /** Takes a message while it works, from the `nudgeFiles` of the attempt. */
  readonly nudges: boolean;
  /** Which budgets its output lets us keep; working time can be kept for every agent. */
  readonly measures: readonly MeasuredBudget[];
}

/** What the agent may do. The person's word decides; Mayday never widens it. */
export interface Permissions {
  /** The task's checks: may be run as commands, literally. */
  readonly checks: readonly string[];
  /** More tools that the person allowed, in the CLI's own notation. */
  readonly allowedTools: readonly string[];
  /** The person asked for no permission questions at all. */
  readonly skipAll: boolean;
}

/** A message for the working agent as a JSON text: where it is left, and its name once it is taken. Renaming gives it exactly once. */
export interface NudgeFiles {
  readonly left: string;
  readonly taken: string;
}

export function nudgeFiles(attemptDir: string): NudgeFiles {
  return { left: join(attemptDir, 'nudge.json'), taken: join(attemptDir, 'nudge-taken.json') };
}

export interface LaunchContext {
  readonly mode: 'fresh' | 'resume';
  /** The session to go on with; for a fresh one a UUID that we chose where `sessionIdUpFront`, else null: the CLI tells it later. */
  readonly agentSession: string | null;
  readonly brief: { readonly path: string; readonly text: string };
  readonly workspace: string;
  /** The agent's own folder of this attempt, outside the workspace: for settings and hook files. */
  readonly attemptDir: string;
  readonly permissions: Permissions;
  /** The files by which it saves progress and asks: it may write exactly these outside the workspace. */
  readonly noteFiles: readonly string[];
  readonly model: string | null;
  readonly maxTurns: number | null;
  /** The program and leading arguments; empty takes the adapter's own. */
  readonly command: readonly string[];
  /** As the preflight read it; null without a preflight. */
  readonly version: string | null;
  readonly env: Environment;
  /** The program of `mayday mcp` for this attempt. The adapter attaches it for the run only, without touching a user's files. */
  readonly mcpServer?: McpServerCommand;
}

export interface McpServerCommand {
  readonly command: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
}

export interface LaunchPlan {
  readonly argv: readonly string[];
  /** Set for the agent, over what passes from the person's environment. */
  readonly env: Readonly<Record<string, string>>;
  /** Names that pass from the person's environment besides the common ones; a trailing `*` is a prefix. */
  readonly passEnv: readonly string[];
  /** `brief`: stdin is the brief file. Either way it ends; an open stdin hangs agents for ever. */
  readonly stdin: 'brief' | 'closed';
  /** Written (0600) before the start. */
  readonly files: readonly { readonly path: string; readonly content: string }[];
  /** Files of lines that grow beside stdout; tail them into `push(line, 'hook', at)`. They may never appear. */
  readonly hookFiles: readonly string[];
}

export type LineStream = 'stdout' | 'stderr' | 'hook';

/** Has state: one reader per attempt. Lines come without their newline, cut to a limit by the caller. */
export interface TranscriptReader {
  push(line: string, stream: LineStream, at: number): readonly TranscriptEntry[];
  /** The output is complete; what was held back comes out. */
  end(at: number): readonly TranscriptEntry[];
  /** When the last piece of an unfinished message was read: a sign of life, never an entry of the transcript. */
  readonly partialAt?: number | null;
  /** The words or thoughts of that message so far; null between two messages. */
  readonly openText?: OpenText | null;
}

/** A command that tells whether the agent can work here, and files whose presence says so. */
export interface PreflightProbe {
  readonly argv: readonly string[];
  /** The program that the command asks about, if that is not its own: where it is missing, nothing is started. */
  readonly program?: string;
  readonly timeoutMs: number;
  readonly lookFor: readonly string[];
}

export interface PreflightResult {
  /** The system's error code when the program could not be started (ENOENT, EACCES), else null. */
  readonly spawnError: string | null;
  readonly exitCode: number | null;
  readonly stdout: string;
  readonly stderr: string;
  /** The subset of `lookFor` that exists. */
  readonly present: readonly string[];
  readonly env: Environment;
  readonly platform: string;
}

export interface PreflightProblem {
  /** An error stops the run before it starts; a warning is shown. */
  readonly severity: 'error' | 'warning';
  readonly code: 'agent_missing' | 'agent_unusable' | 'login_missing' | 'version_unknown' | 'version_too_old';
  readonly message: string;
  readonly advice: string;
  /** The program and its version, where the warning is about that. */
  readonly version?: string;
}

export interface PreflightJudgement {
  readonly version: string | null;
  readonly problems: readonly PreflightProblem[];
}

export interface AttemptFacts {
  readonly exitCode: number | null;
  readonly signal: string | null;
  /** The attempt's transcript, in order; its tail suffices where it is long. */
  readonly entries: Iterable<TranscriptEntry>;
  /** Last lines of stderr, as they were. */
  readonly stderrTail: string;
  readonly nowMs: number;
  readonly timeZone: string;
}

export interface AgentFailure {
  readonly class: FailureClass;
  /** One plain sentence. */
  readonly reason: string;
  /** Verbatim lines. */
  readonly evidence: readonly string[];
  /** Milliseconds since the epoch, where the agent told when to try again. */
  readonly retryAt: number | null;
  readonly retryExactToMs?: number;
  /** HTTP status, where one is known. */
  readonly status: number | null;
}

/** What the end of an attempt means by the agent's own output alone. Checks and diff have the last word elsewhere. */
export interface Verdict {
  readonly claimsDone: boolean;
  readonly failure: AgentFailure | null;
  readonly deniedTools: readonly string[];
  readonly usage: Usage | null;
}

export interface AgentAdapter {
  readonly name: string;
  readonly capabilities: Capabilities;
  /** The polite stop: this signal to the agent process alone. */
  readonly stopSignal: 'SIGINT' | 'SIGTERM';
  preflight(context: Pick<LaunchContext, 'command' | 'env'>): PreflightProbe | null;
  judgePreflight(result: PreflightResult): PreflightJudgement;
  launch(context: LaunchContext): LaunchPlan;
  /** The agent session's own files, to be copied at every checkpoint; they may not exist yet. A `*` stands for any part of one name. */
  sessionFiles(
    context: Pick<LaunchContext, 'workspace' | 'env'> & { readonly agentSession: string },
  ): readonly string[];
  /** How a broken session file is mended; absent where the CLI keeps its sessions in another way. */
  readonly sessionShape?: SessionShape;
  /** How it is asked for an opinion; absent where it cannot be asked without tools. */
  readonly opinionCall?: OpinionCall;
  /**
   * `earlier` is what another reader made of this attempt before we took it over: totals go on from there. `before` is what earlier
   * attempts used in the same agent session: some CLIs count on from there, and it is taken off.
   */
  reader(earlier?: Iterable<TranscriptEntry>, before?: Usage): TranscriptReader;
  verdict(facts: AttemptFacts): Verdict;
}
