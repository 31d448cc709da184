import { writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { expect, it } from 'vitest';
import type { CallerSigns } from '../../src/platform/process/callers.ts';
import { cgroupPathFor } from '../../src/platform/container/cgroup.ts';
import { assertPerson } from '../../src/supervise/mail/assert-person.ts';
import { openRecord } from '../../src/supervise/open-record.ts';
import { loadState } from '../../src/supervise/load-state.ts';
import { inBox } from './box.ts';

const TASK = `---
scope: [src/**]
checks: test -f src/a.txt
decisions:
  - question: Which colour?
    answer: blue
budget: { time: 10m }
size: simple
sink: patch:out/work.patch
---
Write src/a.txt.
`;

interface Run {
  readonly run_id: string;
  readonly task: string;
  readonly scope: { readonly allowed: string[] };
  readonly delivered: { readonly sink: string; readonly ref: string } | null;
  readonly questions: { readonly id: string }[];
}

it('a task kept as a file brings its scope, checks, decisions, budget and sink along', () =>
  inBox(async (box) => {
    const file = join(box.folder, 'task.md');
    writeFileSync(file, TASK);
    const agent = 'mkdir src; echo a > src/a.txt';
    const { exitCode, stdout } = await box.call(
      'run',
      '--json',
      '--task-file',
      file,
      '--',
      'sh',
      '-c',
      agent,
    );
    expect(exitCode, stdout).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({
      task: 'Write src/a.txt.',
      scope: { allowed: ['src/**'] },
      checks: expect.arrayContaining([
        expect.objectContaining({ command: 'test -f src/a.txt', passed: true }),
      ]),
      delivered: { sink: `patch:${join(box.repository, 'out/work.patch')}`, files: ['src/a.txt'] },
    } satisfies Partial<Record<keyof Run | 'checks', unknown>>);
    box.git('apply', join(box.repository, 'out/work.patch'));
  }));

it('a person’s word is refused by any one sign that the caller belongs to a supervised run', () =>
  inBox(async (box) => {
    const { stdout, exitCode } = await box.call(
      'run',
      '--json',
      '--scope',
      'src/**',
      'x',
      '--',
      'sh',
      '-c',
      'echo b > b',
    );
    expect(exitCode).toBe(3);
    const { run_id } = JSON.parse(stdout) as Run;
    const record = await openRecord(box.home, {});
    try {
      const { handle } = (await loadState(record, run_id)).attempts[0] ?? {};
      const { marker, attemptDir } = handle as { marker: string; attemptDir: string };
      const nothing: CallerSigns = { markers: [], attendants: [], groups: [] };
      const say = (signs: Partial<CallerSigns>) =>
        assertPerson({ home: box.home, record, signs: { ...nothing, ...signs } }, '`mayday answer`');
      const refused = { code: 'NOT_A_PERSON' };
      await expect(say({ markers: [marker] })).rejects.toMatchObject(refused);
      await expect(say({ attendants: [attemptDir] })).rejects.toMatchObject(refused);
      const group = basename(cgroupPathFor(marker) ?? '');
      if (group !== '') await expect(say({ groups: [group] })).rejects.toMatchObject(refused);
      await say({});
      await say({ markers: ['zzzz.1.00'], attendants: ['/elsewhere/runs/zzzz/attempts/1'] });
    } finally {
      await record.close();
    }
  }));
