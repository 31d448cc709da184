/** `newestSessions`, `sessionFileAt`, `readSession`: find and read sessions over all session stores. */
import { statSync } from 'node:fs';
import type { TranscriptEntry } from '../../core/vocabulary/transcript.ts';
import { namedFileTime } from '../../platform/file/named-file.ts';
import { preferSmallHeap } from '../../platform/process/prefer-small-heap.ts';
import type { Environment, TranscriptReader } from '../adapter.ts';
import { claudeStore } from '../claude/session-store.ts';
import { codexStore } from '../codex/session-store.ts';
import { fileLines } from './file-lines.ts';
import { KeptEntries } from './kept-entries.ts';
import { objectOrNull } from '../../core/text/json.ts';
import { geminiStore } from '../gemini/session-store.ts';
import { neutralStore } from '../neutral/session-store.ts';
import { opencodeLines, opencodeSessions, opencodeStore } from '../opencode/session-store.ts';
import {
  noFacts,
  type SessionFacts,
  type SessionFile,
  type SessionStore,
  type StoreName,
  timeOf,
} from './session-store.ts';
import { isPrompt, ShellLog } from '../shell-log.ts';
import { type StreamShape, streamShapeOf } from '../stream-shape.ts';

/** Asked in this order which of them a file is: the most telling signs first. */
const STORES: readonly SessionStore[] = [opencodeStore, codexStore, geminiStore, neutralStore, claudeStore];

/** The first lines of a file tell its store; a damaged beginning may need more than one. */
const TELLING_LINES = 40;
const TELLING_BYTES = 64 << 20;
/** The longest conversations have some hundred megabytes, the database of all sessions some more. */
const MAX_SESSION_BYTES = 4 * 1024 ** 3;
/** As many commands among them make a log of a shell; one may stand in any text. */
const LOGGED_COMMANDS = 2;

export interface AgentSession {
  readonly file: SessionFile;
  readonly title: string;
  readonly facts: SessionFacts;
  readonly entries: readonly TranscriptEntry[];
  readonly resumeCommand: string | null;
}

export function storeNamed(name: StoreName): SessionStore {
  return STORES.find((store) => store.name === name) ?? neutralStore;
}

/** The newest sessions on this machine over all stores. */
export function newestSessions(env: Environment, limit: number): readonly SessionFile[] {
  return STORES.flatMap((store) => store.list(env, limit))
    .sort((a, b) => b.writtenAt - a.writtenAt)
    .slice(0, limit);
}

/** Null when the file is of no store Mayday knows. One that cannot be read, or has no end, is refused. */
export function sessionFileAt(path: string): SessionFile | null {
  const codes = { wrong: 'SESSION_NOT_FOUND', large: 'SESSION_TOO_LARGE' };
  const mtimeMs = namedFileTime(path, { maxBytes: MAX_SESSION_BYTES, ...codes });
  const first: string[] = [];
  for (const line of fileLines(path, TELLING_BYTES)) {
    first.push(line);
    if (first.length >= TELLING_LINES) break;
  }
  const shape = first.map(streamShapeOf).find((each) => each !== null);
  if (shape !== undefined)
    return { store: shape.name, path, sessionId: null, writtenAt: mtimeMs, isCapture: true };
  const records = first.map(objectOrNull).filter((record) => record !== null);
  const store = STORES.find((each) => each.recognises(records, first));
  if (store === undefined)
    return first.filter(isPrompt).length < LOGGED_COMMANDS
      ? null
      : { store: 'neutral', path, sessionId: null, writtenAt: mtimeMs, isCapture: true };
  if (store === opencodeStore) return opencodeSessions(path, 1)[0] ?? null;
  return { store: store.name, path, sessionId: null, writtenAt: mtimeMs };
}

/** From this size on, memory is worth more than a few seconds. */
const LARGE_BYTES = 32 << 20;

export function readSession(file: SessionFile): AgentSession {
  if (statSync(file.path).size > LARGE_BYTES) preferSmallHeap();
  if (file.isCapture === true) return file.store === 'neutral' ? readShellLog(file) : readCapture(file);
  const store = storeNamed(file.store);
  const reader = store.reader();
  const kept = new KeptEntries();
  for (const line of linesOf(file)) for (const entry of reader.push(line)) kept.push(entry);
  const facts = reader.facts();
  const sessionId = facts.sessionId ?? file.sessionId;
  return {
    file,
    title: store.title,
    facts: { ...facts, sessionId },
    entries: kept.entries,
    resumeCommand: sessionId === null ? null : store.resumeCommand(sessionId),
  };
}

/** Captured output carries few times or none; a line without one is as old as the line before. */
function readCapture(file: SessionFile): AgentSession {
  const store = storeNamed(file.store);
  const kept = new KeptEntries();
  const { entries } = kept;
  let shape: StreamShape | null = null;
  let reader: TranscriptReader | null = null;
  let at = 0;
  let damagedLines = 0;
  for (const line of fileLines(file.path)) {
    shape ??= streamShapeOf(line);
    reader ??= shape?.reader([]) ?? null;
    if (reader === null || !line.startsWith('{')) continue;
    const record = objectOrNull(line);
    if (record === null) damagedLines++;
    at = timeOf(record?.['timestamp']) || at;
    for (const entry of reader.push(line, 'stdout', at)) kept.push(entry);
  }
  const session = entries.find((entry) => entry.type === 'session');
  const usage = entries.findLast((entry) => entry.type === 'usage')?.usage ?? null;
  const { sessionId = null, model = null, version = null } = session ?? {};
  return {
    file,
    title: shape?.title ?? store.title,
    facts: { sessionId, cwd: null, model, version, usage, damagedLines },
    entries,
    resumeCommand: sessionId === null ? null : store.resumeCommand(sessionId),
  };
}

function readShellLog(file: SessionFile): AgentSession {
  const kept = new KeptEntries();
  const log = new ShellLog();
  for (const line of fileLines(file.path)) for (const entry of log.push(line, 0)) kept.push(entry);
  for (const entry of log.end(0)) kept.push(entry);
  return { file, title: 'log of a shell', facts: noFacts(), entries: kept.entries, resumeCommand: null };
}

function linesOf(file: SessionFile): Iterable<string> {
  if (file.store === 'opencode' && file.sessionId !== null) return opencodeLines(file.path, file.sessionId);
  return fileLines(file.path);
}
