import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { readCheckpointNotes } from '../../../src/act/checkpoint/partial-work.ts';
import { readBlockerNote, readProposal } from '../../../src/act/attempt/agent-notes.ts';
import { readLaunchFiles, launchFilesPath } from '../../../src/act/attempt/launch-files.ts';
import { Seal } from '../../../src/act/checks/tree-seal.ts';
import { workspaceRecordPath } from '../../../src/act/workspace/home-layout.ts';
import { findWorkspace } from '../../../src/act/workspace/workspace.ts';
import { fileLines } from '../../../src/agents/sessions/file-lines.ts';
import { openPlainHandle, readPlainFile, readState } from '../../../src/platform/file/plain-file.ts';
import { Tail } from '../../../src/platform/file/tail.ts';

let folder = '';
let path = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'mayday-plain-'));
  path = join(folder, 'note.json');
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const IN_ITS_PLACE: Readonly<Record<string, () => void>> = {
  'a named pipe': () => execFileSync('mkfifo', [path]),
  'a link to a device without end': () => symlinkSync('/dev/zero', path),
  'a link to a file elsewhere': () => {
    writeFileSync(join(folder, 'other'), '{"reason":"x","scope":["**"]}');
    symlinkSync(join(folder, 'other'), path);
  },
  'a folder': () => mkdirSync(path),
};

describe.each(Object.keys(IN_ITS_PLACE))('%s where an agent should write a file', (what) => {
  beforeEach(() => IN_ITS_PLACE[what]?.());

  it('is refused at once', async () => {
    expect(readPlainFile(path, 100)).toEqual({ type: 'refused', why: 'not a regular file' });
    await expect(openPlainHandle(path)).rejects.toThrow();
  });

  it('stops no reader of notes', async () => {
    expect(readBlockerNote(path)).toMatchObject({
      evidence: [expect.stringContaining('not a regular file')],
    });
    expect(readProposal(path)).toBeNull();
    expect(readCheckpointNotes(path)).toBeNull();
    expect(await new Tail(path).read()).toMatchObject({ lines: [] });
  });
});

it('a proposal with a long summary keeps its scope; the summary is cut', () => {
  writeFileSync(path, JSON.stringify({ scope: ['src/**'], summary: 'x'.repeat(5_000) }));
  expect(readProposal(path)).toMatchObject({ scope: ['src/**'], summary: 'x'.repeat(4_000) });
});

it.each(['', '{"torn', '[]', 'null'])('a workspace record that reads %j is none', async (text) => {
  mkdirSync(dirname(workspaceRecordPath(folder, 'r1')), { recursive: true });
  writeFileSync(workspaceRecordPath(folder, 'r1'), text);
  expect(await findWorkspace({ home: folder, runId: 'r1' })).toBeNull();
});

it('a state in the form of its schema is read', () => {
  writeFileSync(path, '{"a":"b"}');
  expect(readState(Seal, path)).toEqual({ a: 'b' });
  expect(readState(Seal, path, 8)).toBeNull();
});

it('a session file that is a named pipe is an error, not a wait', () => {
  execFileSync('mkfifo', [path]);
  expect(() => [...fileLines(path)]).toThrow(/not a regular file/);
});

it('what is larger than the reader wants is not read', () => {
  writeFileSync(path, 'x'.repeat(101));
  expect(readPlainFile(path, 100)).toEqual({ type: 'refused', why: 'larger than 100 bytes' });
  writeFileSync(path, 'x'.repeat(100));
  expect(readPlainFile(path, 100)).toEqual({ type: 'text', text: 'x'.repeat(100) });
});

it('launch files that do not fit are none', () => {
  writeFileSync(launchFilesPath(folder), '{"agentSession": 5, "hookFiles": "/etc/passwd"}');
  expect(readLaunchFiles(folder)).toBeNull();
});

describe('a blocker note', () => {
  const evidence = () => readBlockerNote(path)?.evidence;

  it('that is absent raises nothing', () => expect(readBlockerNote(path)).toBeNull());

  it('that is no JSON raises the flag all the same and shows what could be read', () => {
    writeFileSync(path, 'the store must be Postgres {');
    expect(readBlockerNote(path)).toMatchObject({ code: null, question: null, options: [] });
    expect(evidence()).toEqual([expect.stringContaining('JSON'), 'the store must be Postgres {']);
  });

  it('with one key of the wrong type keeps the others', () => {
    writeFileSync(path, '{"reason": "two stores fit", "code": 7, "options": ["a", "b"]}');
    expect(readBlockerNote(path)).toMatchObject({
      reason: 'two stores fit',
      code: null,
      options: ['a', 'b'],
    });
    expect(evidence()?.[0]).toContain('code');
  });

  it('without a reason is raised without one', () => {
    writeFileSync(path, '{"code": "judgment_missing"}');
    expect(readBlockerNote(path)).toMatchObject({ code: 'judgment_missing' });
    expect(evidence()?.[0]).toContain('reason');
  });
});
