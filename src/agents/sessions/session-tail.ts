/** `followSession`: what a living session has added since the last read. */
import { statSync } from 'node:fs';
import type { TranscriptEntry } from '../../core/vocabulary/transcript.ts';
import { linesFrom } from './file-lines.ts';
import { opencodeLines, opencodeSessions } from '../opencode/session-store.ts';
import type { SessionFacts, SessionFile } from './session-store.ts';
import { storeNamed } from './session-stores.ts';

/** One look reads at most this much; the next goes on. */
const LOOK_BYTES = 8 << 20;
/** A database with more sessions than this is searched no further for the one that is followed. */
const SESSIONS = 1_000;

export interface SessionTail {
  look(): { readonly entries: readonly TranscriptEntry[]; readonly writtenAt: number };
  facts(): SessionFacts;
}

export function followSession(file: SessionFile): SessionTail {
  const reader = storeNamed(file.store).reader();
  const next = file.store === 'opencode' ? databaseLines(file) : appendedLines(file);
  return {
    look: () => {
      const { lines, writtenAt } = next();
      return { entries: lines.flatMap((line) => reader.push(line)), writtenAt };
    },
    facts: () => reader.facts(),
  };
}

type NextLines = () => { readonly lines: readonly string[]; readonly writtenAt: number };

function appendedLines({ path }: SessionFile): NextLines {
  let offset = 0;
  return () => {
    const { size, mtimeMs } = statSync(path);
    // Shorter than before: the file was written anew.
    if (size < offset) offset = 0;
    const read = linesFrom(path, offset, LOOK_BYTES);
    offset = read.offset;
    return { lines: read.lines, writtenAt: mtimeMs };
  };
}

/** Rows change in place; the reader knows which of them it has told. */
function databaseLines({ path, sessionId, writtenAt: listedAt }: SessionFile): NextLines {
  let seenAt = -1;
  return () => {
    const session = opencodeSessions(path, SESSIONS).find((each) => each.sessionId === sessionId);
    const writtenAt = session?.writtenAt ?? listedAt;
    if (writtenAt === seenAt || sessionId === null) return { lines: [], writtenAt };
    seenAt = writtenAt;
    return { lines: opencodeLines(path, sessionId), writtenAt };
  };
}
