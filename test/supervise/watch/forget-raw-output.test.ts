import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { attemptDir, transcriptPath } from '../../../src/act/run-files.ts';
import { spoolPaths } from '../../../src/platform/container/attempt-files.ts';
import { createRedactor } from '../../../src/record/redaction/redact.ts';
import { forgetRawOutput } from '../../../src/supervise/watch/forget-raw-output.ts';
import { temporaryDirectory } from '../../temporary-directory.ts';

it('what an agent printed is forgotten, also where its other file became a link to itself', async () => {
  const home = temporaryDirectory();
  const { stdout, stderr } = spoolPaths(attemptDir(home, 'r1', 1));
  for (const path of [stdout, transcriptPath(home, 'r1', 1)]) {
    mkdirSync(join(path, '..'), { recursive: true });
    writeFileSync(path, 'printed');
  }
  symlinkSync(stderr, stderr);
  const attempts = [{ number: 1, examination: {} }] as unknown as Parameters<
    typeof forgetRawOutput
  >[1]['attempts'];
  await forgetRawOutput(home, { runId: 'r1', attempts }, createRedactor({ environment: {} }));
  expect(readFileSync(stdout, 'utf8')).toBe('');
});
