import { type ChildProcess, spawn } from 'node:child_process';
import { expect, it, onTestFinished } from 'vitest';
import { namespacePrefix } from '../../../src/platform/container/container-level.ts';
import { namespaceOf, numberSeenFromHere } from '../../../src/platform/process/namespace-view.ts';
import {
  descendantsOf,
  listProcesses,
  namespacePids,
  type ProcessRow,
} from '../../../src/platform/process/proc-table.ts';
import { eventually } from '../attempt-under-test.ts';

const prefix = namespacePrefix();

/** A `sleep` in a namespace of its own, as this process sees it. */
async function sleeper(words: readonly string[]): Promise<ProcessRow> {
  const [command = '', ...args] = words;
  const outer: ChildProcess = spawn(command, [...args, 'sleep', '300'], { stdio: 'ignore', detached: true });
  onTestFinished(() => void process.kill(-(outer.pid ?? 0), 'SIGKILL'));
  const [found] = await eventually(
    () => descendantsOf([outer.pid ?? 0], listProcesses()).filter((row) => row.command === 'sleep'),
    (rows) => rows.length === 1,
  );
  return found ?? expect.fail('it has ended');
}

it.skipIf(prefix === null)(
  'of two processes with the same number and start in two namespaces, each is found by its own',
  async () => {
    const sleepers: ProcessRow[] = [];
    const twins = () =>
      [...Map.groupBy(sleepers, (row) => row.startTicks).values()].find((rows) => rows.length > 1);
    for (let all = twins(); all === undefined; all = twins())
      sleepers.push(...(await Promise.all(Array.from({ length: 4 }, () => sleeper(prefix ?? [])))));
    for (const { pid, startTicks } of twins() ?? []) {
      const inner = { pid: namespacePids(pid).at(-1) ?? 0, startTicks };
      expect(numberSeenFromHere(namespaceOf(pid), inner)).toBe(pid);
    }
  },
);
