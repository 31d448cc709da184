import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { launchFilesPath } from '../../../src/act/attempt/launch-files.ts';
import { attemptDir, transcriptPath } from '../../../src/act/run-files.ts';
import { attemptSessionFiles, UNKNOWN_SESSION } from '../../../src/act/attempt/session-files.ts';
import type { TranscriptEntry } from '../../../src/core/vocabulary/transcript.ts';

const root = mkdtempSync(join(tmpdir(), 'mayday-session-files-'));
afterEach(() => rmSync(root, { recursive: true, force: true }));

function put(path: string, text: string): string {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
  return path;
}

function launched(sessionFiles: readonly string[]): void {
  const launch = { agentSession: null, agentVersion: null, hookFiles: [], sessionFiles };
  put(launchFilesPath(attemptDir(root, 'r1', 1)), JSON.stringify(launch));
}

function said(...entries: TranscriptEntry[]): void {
  put(transcriptPath(root, 'r1', 1), entries.map((entry) => `${JSON.stringify(entry)}\n`).join(''));
}

const pattern = join(root, 'store/*/*', `rollout-*-${UNKNOWN_SESSION}.jsonl`);

test('the file of a session is found once the agent has told the id, and not before', async () => {
  const mine = put(join(root, 'store/2026/11/rollout-10-abc-1.jsonl'), 'mine');
  put(join(root, 'store/2026/11/rollout-10-other.jsonl'), 'another run');
  launched([pattern]);
  said({ at: 1, type: 'output', stream: 'stderr', text: 'a warning' });
  expect(await attemptSessionFiles(root, 'r1', 1)).toEqual([]);
  said(
    { at: 1, type: 'output', stream: 'stderr', text: 'a warning' },
    { at: 2, type: 'session', sessionId: 'abc-1' },
  );
  expect(await attemptSessionFiles(root, 'r1', 1)).toEqual([mine]);
});

test('a session id that could leave the store is not believed', async () => {
  put(join(root, 'secret.jsonl'), 'secret');
  launched([join(root, 'store', `${UNKNOWN_SESSION}.jsonl`)]);
  said({ at: 1, type: 'session', sessionId: '../secret' });
  expect(await attemptSessionFiles(root, 'r1', 1)).toEqual([]);
});

test('a file that is known by name is named, whether it exists yet or not', async () => {
  launched([join(root, 'store/known.jsonl')]);
  expect(await attemptSessionFiles(root, 'r1', 1)).toEqual([join(root, 'store/known.jsonl')]);
});
