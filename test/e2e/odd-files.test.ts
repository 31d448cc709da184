import { execFileSync } from 'node:child_process';
import { mkdirSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { describe, expect, it } from 'vitest';
import { sampled } from '../lane.ts';
import { type Box, inBox } from './box.ts';

/** A command that never ends is ended by the test; what is refused needs a second. */
const LIMIT_S = 60;

const ODD: Readonly<Record<string, (path: string) => string>> = {
  'a pipe that nothing writes to': (path) => {
    execFileSync('mkfifo', [path]);
    return path;
  },
  'an endless device': () => '/dev/zero',
  'a sparse file of two terabytes': (path) => {
    writeFileSync(path, '');
    truncateSync(path, 2 * 1024 ** 4);
    return path;
  },
  'a session with a hole of two terabytes': (path) => {
    writeFileSync(path, '{"type":"action","tool":"x","input":"y"}\n');
    truncateSync(path, 2 * 1024 ** 4);
    return path;
  },
  'a directory': (path) => {
    mkdirSync(path);
    return path;
  },
};

const COMMANDS: readonly string[] = [
  'diagnose FILE',
  'diagnose --jsonl FILE',
  'autopsy FILE',
  'autopsy --jsonl FILE',
  'autopsy --import FILE',
  'attach FILE',
  'replay --policy FILE',
  'run --task-file FILE -- true',
  'run --script FILE x',
  'drill FILE',
];

async function typed(box: Box, command: string, file: string): Promise<string> {
  const words = command.replace('FILE', file);
  const { exitCode, stderr, stdout } = await box.shell(
    `cd repository && timeout -s KILL ${LIMIT_S} sh -c 'ulimit -v 12000000; exec "$0" "$@"' ${process.execPath} ${box.bin} ${words}`,
  );
  const isTyped = /\([A-Z_]+\)/.test(stderr) && stderr.includes('  do ');
  return (exitCode === 1 || exitCode === 2) && isTyped ? 'a typed error' : `${exitCode} ${stdout} ${stderr}`;
}

const CASES = COMMANDS.flatMap((command) => Object.keys(ODD).map((kind) => [command, kind] as const));

it.each(sampled(CASES, 12))('`mayday %s` ends with a typed error on %s', (command, kind) =>
  inBox(async (box) => {
    const file = ODD[kind]?.(join(box.folder, 'odd.yaml')) ?? '';
    expect(await typed(box, command, file)).toBe('a typed error');
  }),
);

describe('`mayday diagnose`', () => {
  it.each(['diagnose', 'diagnose --jsonl', 'autopsy --jsonl'])('ends on endless input: %s', (command) =>
    inBox(async (box) => {
      const began = performance.now();
      const { exitCode, stderr } = await box.shell(
        `timeout -s KILL ${LIMIT_S} ${process.execPath} ${box.bin} ${command} < /dev/zero`,
      );
      expect({ exitCode, stderr }).toEqual({
        exitCode: 2,
        stderr: expect.stringContaining('INPUT_TOO_LARGE') as unknown,
      });
      expect(performance.now() - began).toBeLessThan(LIMIT_S * 1000);
    }),
  );

  it('reads a pipe that something writes to, also slowly, and says that it waits', () =>
    inBox(async (box) => {
      const read = await box.shell(
        `bash -c '${process.execPath} ${box.bin} diagnose --json <(sleep 3; echo "Error: Cannot find module left-pad")'`,
      );
      expect(read.exitCode, read.stderr).toBe(0);
      expect(JSON.parse(read.stdout)).toMatchObject({ failure_type: 'missing_dependency' });
      expect(read.stderr).toContain('waiting for what writes to');
      const task = await box.shell(
        `cd repository && bash -c '${process.execPath} ${box.bin} run --json --sink=none --task-file <(echo make it so) -- touch a.txt'`,
      );
      expect(JSON.parse(task.stdout)).toMatchObject({ task: 'make it so' });
    }));
});
