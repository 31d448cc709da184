/**
 * `SessionStore`: the contract for reading the conversations that an agent CLI leaves on disk, also those that Mayday did not supervise.
 * One `session-store.ts` per CLI folder implements it. Readers take one line at a time, so that a living session can be followed; lines
 * that cannot be read are counted and skipped, because the most interesting sessions are damaged.
 */
import type { TranscriptEntry, Usage } from '../../core/vocabulary/transcript.ts';
import { type JsonObject, objectOrNull } from '../../core/text/json.ts';
import type { Environment } from '../adapter.ts';

export type StoreName = 'claude' | 'codex' | 'gemini' | 'opencode' | 'neutral';

export interface SessionFile {
  readonly store: StoreName;
  readonly path: string;
  /** Where one file holds many sessions. */
  readonly sessionId: string | null;
  readonly writtenAt: number;
  /** What the CLI printed, kept in a file; not a file of its own. */
  readonly isCapture?: true;
}

export interface SessionFacts {
  readonly sessionId: string | null;
  readonly cwd: string | null;
  readonly model: string | null;
  readonly version: string | null;
  /** Running total; null where the CLI keeps none. */
  readonly usage: Usage | null;
  readonly damagedLines: number;
}

/** Of a session of which nothing is known yet: its reader fills them in. */
export function noFacts(): { -readonly [name in keyof SessionFacts]: SessionFacts[name] } {
  return { sessionId: null, cwd: null, model: null, version: null, usage: null, damagedLines: 0 };
}

/** The object of a line; null where it is blank, or damaged: that is counted. */
export function readRecord(line: string, facts: { damagedLines: number }): JsonObject | null {
  if (line.trim() === '') return null;
  const record = objectOrNull(line);
  if (record === null) facts.damagedLines++;
  return record;
}

/** Has state: one reader per session file. */
export interface SessionReader {
  push(line: string): readonly TranscriptEntry[];
  facts(): SessionFacts;
}

export interface SessionStore {
  readonly name: StoreName;
  /** The name for people. */
  readonly title: string;
  /** Newest first, at most `limit`. */
  list(env: Environment, limit: number): readonly SessionFile[];
  /** Whether the first records of a file are of this store, or its first lines where they are no records. */
  recognises(records: readonly JsonObject[], firstLines: readonly string[]): boolean;
  reader(): SessionReader;
  /** The command that goes on in this session, for a person. */
  resumeCommand(sessionId: string): string | null;
  /** The same without a terminal, with the first words to say. */
  headlessResume(sessionId: string, words: string): readonly string[] | null;
  /** How its process is called in the process table. */
  readonly program: RegExp | null;
}

export const NO_USAGE: Usage = { inputTokens: 0, outputTokens: 0, cacheReadTokens: 0, cacheWriteTokens: 0 };

/** Longer texts are cut: a transcript is for comparing and quoting, not for keeping. */
const TEXT_CHARS = 16_384;

export function cutText(text: string): string {
  return text.length > TEXT_CHARS
    ? `${text.slice(0, TEXT_CHARS)}\n[cut by Mayday: ${text.length} characters]`
    : text;
}

export function timeOf(value: unknown): number {
  const ms = typeof value === 'number' ? value : typeof value === 'string' ? Date.parse(value) : Number.NaN;
  return Number.isFinite(ms) ? ms : 0;
}
