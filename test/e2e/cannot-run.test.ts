/** A check that cannot run is found before an agent is paid for. */
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { inBox } from './box.ts';

it('a tool in an ignored folder: exit 3 before the agent starts, and the line that mends it does', () =>
  inBox(
    async (box) => {
      mkdirSync(join(box.repository, 'vendor/bin'), { recursive: true });
      writeFileSync(join(box.repository, 'vendor/bin/unit'), '#!/bin/sh\ntest -f a.txt\n', { mode: 0o755 });
      const ran = join(box.folder, 'ran');
      const agent = ['sh', '-c', `echo a > a.txt; echo ran > '${ran}'`];
      const args = ['run', '--check', 'vendor/bin/unit', 'write a', '--', ...agent];
      const first = await box.call(...args);
      expect(first.exitCode, first.stdout).toBe(3);
      expect(`${first.stdout}${first.stderr}`).toContain('copy: [vendor]');
      expect(existsSync(ran), 'no agent was started').toBe(false);
      expect((await box.show()).attempts).toEqual([]);
      box.policy({});
      writeFileSync(join(box.home, 'mayday.yaml'), 'copy: [vendor]\n');
      expect(await box.call(...args)).toMatchObject({ exitCode: 0 });
    },
    { '.gitignore': 'vendor\n' },
  ));

it('a script that the agent is to write is no obstacle', () =>
  inBox(async (box) => {
    const agent = ['sh', '-c', 'echo a > a.txt; echo "test -f a.txt" > run-tests.sh; chmod +x run-tests.sh'];
    const { exitCode, stdout } = await box.call(
      'run',
      '--check',
      './run-tests.sh',
      'write a',
      '--',
      ...agent,
    );
    expect(exitCode, stdout).toBe(0);
  }));
