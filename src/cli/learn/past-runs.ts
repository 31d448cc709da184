/** `pastRuns`: ended runs, from the record or from files, with what is known about how they went. */
import { existsSync, readdirSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { transcriptPath } from '../../act/run-files.ts';
import { fileLines } from '../../agents/sessions/file-lines.ts';
import { jsonList, jsonText, objectOrNull } from '../../core/text/json.ts';
import { entriesOfSteps } from '../../agents/neutral/steps.ts';
import { readSession, sessionFileAt } from '../../agents/sessions/session-stores.ts';
import type { PastRun } from '../../core/detect/autopsy/what-if.ts';
import type { RunState } from '../../core/state/run-state.ts';
import { stateWord } from '../../core/view/state-word.ts';
import { readTranscript } from '../../record/transcript/read-transcript.ts';
import type { PastJournal } from '../../report/replay/replay-history.ts';
import { loadState, readEvent } from '../../supervise/load-state.ts';
import { findRun, type Opened } from '../with-record.ts';

const SESSION_FILE = /\.(jsonl?|db)$/;
/** Deep enough for every store's own folders. */
const FOLDER_DEPTH = 6;

export interface PastRuns {
  /** One per attempt or session, for the detectors. */
  readonly runs: readonly PastRun[];
  /** Of runs in the record, for the decisions. */
  readonly journals: readonly PastJournal[];
}

/** Without a name: every ended run. */
export async function pastRuns(opened: Opened, names: readonly string[], cwd: string): Promise<PastRuns> {
  const wanted =
    names.length > 0
      ? names
      : (await opened.record.rows({ ended: true, withoutView: true })).map(({ runId }) => runId);
  const runs: PastRun[] = [];
  const journals: PastJournal[] = [];
  for (const name of wanted) {
    const path = resolve(cwd, name);
    if (names.length > 0 && existsSync(path)) runs.push(...inFiles(path, FOLDER_DEPTH));
    else {
      const journal = await inRecord(opened, name);
      journals.push(journal);
      runs.push(...attemptsOf(journal));
    }
  }
  return { runs, journals };
}

async function inRecord({ home, record }: Opened, name: string): Promise<PastJournal> {
  const runId = await findRun(record, name);
  const state = await loadState(record, runId);
  const events = (await record.events(runId)).map(readEvent);
  const transcripts = new Map<number, PastRun['entries']>();
  for (const { number } of state.attempts) {
    const path = transcriptPath(home, runId, number);
    if (!existsSync(path)) continue;
    const entries: PastRun['entries'][number][] = [];
    for await (const { entry } of readTranscript(path)) entries.push(entry);
    transcripts.set(number, entries);
  }
  return { events, state, transcripts };
}

function attemptsOf({ state, transcripts }: PastJournal): readonly PastRun[] {
  return [...transcripts].map(([number, entries]) => ({
    id: `${state.runId}/${number}`,
    entries,
    truth: truthOf(state, number),
  }));
}

/** Whether the run was really stuck: a recorded incident of that kind proves it, otherwise the end of the run decides. */
function truthOf(state: RunState, number: number): PastRun['truth'] {
  const incident = state.incidents.find(({ attempt }) => attempt === number);
  if (incident?.class === 'looping' || incident?.class === 'stalled') return 'stuck';
  const ended = state.attempts.find((attempt) => attempt.number === number);
  const well = incident === undefined && ended?.exitCode === 0;
  return well && stateWord(state) === 'delivered' ? 'healthy' : 'unknown';
}

function inFiles(path: string, depth: number): readonly PastRun[] {
  if (statSync(path).isDirectory()) {
    if (depth === 0) return [];
    return readdirSync(path, { withFileTypes: true })
      .filter((entry) => entry.isDirectory() || SESSION_FILE.test(entry.name))
      .flatMap((entry) => inFiles(join(path, entry.name), depth - 1));
  }
  const file = sessionFileAt(path);
  if (file === null) return runLines(path);
  const session = readSession(file);
  return [{ id: session.facts.sessionId ?? path, entries: session.entries, truth: 'unknown' }];
}

function runLines(path: string): readonly PastRun[] {
  return [...fileLines(path)].flatMap((line) => {
    const record = objectOrNull(line);
    if (record === null || !Array.isArray(record['steps'])) return [];
    const truth = typeof record['stuck'] === 'boolean' ? (record['stuck'] ? 'stuck' : 'healthy') : 'unknown';
    return [
      {
        id: jsonText(record['id']) || path,
        entries: entriesOfSteps(jsonList(record['steps'])).entries,
        truth,
      },
    ];
  });
}
