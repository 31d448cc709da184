/** An agent that writes the code and its first tests, in an empty repository: delivered at the first attempt. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { FIRST_SHAPES } from '../act/checks/new-test-shapes.ts';
import { runnerTools, titled } from '../act/checks/runner-tools.ts';
import { sampled } from '../lane.ts';
import { writeFiles } from '../act/temporary-repository.ts';
import { inBox } from './box.ts';

interface Run {
  readonly state: string;
  readonly attempts: unknown[];
  readonly delivered: { readonly files: string[] } | null;
  readonly blockers: unknown[];
}

const place = mkdtempSync(join(tmpdir(), 'mayday-tools-'));
afterAll(() => rmSync(place, { recursive: true, force: true }));
const tools = runnerTools(place);

describe('new tests are delivered at the first attempt', () => {
  const [first, ...others] = titled(FIRST_SHAPES, tools);
  it.each([...(first === undefined ? [] : [first]), ...sampled(others, 2)])('$title', ({ work, check }) =>
    inBox(async (box) => {
      box.policy({ restarts: 0 });
      box.git('commit', '--quiet', '--allow-empty', '-m', 'empty');
      const files = join(box.folder, 'work');
      writeFiles(files, work);
      const agent = ['sh', '-c', `cp -R '${files}/.' .`];
      const args = ['run', '--json', '--check', check, 'implement add', '--', ...agent];
      const env = { PATH: `${tools.folder}:${process.env['PATH'] ?? ''}` };
      const { exitCode, stdout, stderr } = await box.start(args, { env }).done;
      expect(stdout, `exit ${exitCode}: ${stderr}`).not.toBe('');
      const run = JSON.parse(stdout) as Run;
      const said = { state: run.state, attempts: run.attempts.length, blockers: run.blockers };
      expect(said, stderr).toEqual({ state: 'delivered', attempts: 1, blockers: [] });
      expect(run.delivered?.files).toEqual(expect.arrayContaining(Object.keys(work)));
    }, {}),
  );
});
