/** `temporaryDirectory`: a folder for one test, which goes with it. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';

export function temporaryDirectory(): string {
  const path = mkdtempSync(join(tmpdir(), 'mayday-test-'));
  onTestFinished(() => rmSync(path, { recursive: true, force: true }));
  return path;
}
