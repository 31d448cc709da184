/** The keeper's log: a person reads what it took in, decided, did and waits for; bounded, redacted, and erased like raw output. */
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, test, vi } from 'vitest';
import { eraseRawOutput } from '../../src/act/erase-raw-output.ts';
import { keeperLogPaths } from '../../src/act/run-files.ts';
import { createRedactor } from '../../src/record/redaction/redact.ts';
import { KeeperLog, readKeeperLog } from '../../src/supervise/keeper-log.ts';
import { RehearsalRepository } from '../context/rehearsal-repository.ts';

const home = mkdtempSync(join(tmpdir(), 'mayday-keeper-log-'));
afterEach(() => rmSync(home, { recursive: true, force: true }));

function openLog(env: NodeJS.ProcessEnv = {}, maxBytes?: number): KeeperLog {
  const redactor = createRedactor({ values: ['hush-hush-9'] });
  return new KeeperLog({
    home,
    runId: 'k7f2',
    env,
    redactor,
    ...(maxBytes === undefined ? {} : { maxBytes }),
  });
}

test('a run leaves a line for every turn, every command with its time, and every wait with its end', async () => {
  const world = await RehearsalRepository.make();
  try {
    const script = { attempts: [{ steps: [{ write: { 'b.txt': 'B' } }, { exit: 0 }] }] };
    const { runId } = await world.run(script, 'write a.txt', { policy: { restarts: 0 } });
    const lines = readKeeperLog(world.home, runId);
    expect(lines[0]).toMatchObject({ type: 'keeper_began', pid: process.pid });
    expect(lines.at(-1)).toMatchObject({ type: 'keeper_ended', end: 'waits_for_person' });
    const journal = await world.record.events(runId);
    const taken = lines.flatMap((line) => (line.type === 'turn' && line.decided !== null ? [line] : []));
    // The first turn, `run_created`, is not the keeper's.
    expect(['run_created', ...taken.map(({ fact }) => fact)]).toEqual(
      journal
        .map(({ type }) => type)
        .filter((type) => type === 'run_created' || taken.some(({ fact }) => fact === type)),
    );
    expect(taken.find(({ fact }) => fact === 'attempt_ended')?.commands).toContain('examine_attempt');
    const begun = lines.filter(({ type }) => type === 'command_began');
    const ended = lines.flatMap((line) => (line.type === 'command_ended' ? [line] : []));
    expect(ended.length).toBe(begun.length);
    expect(ended.find(({ command }) => command === 'start_attempt')?.tookMs).toBeGreaterThan(0);
    const waits = lines.flatMap((line) => (line.type === 'waits' ? [line] : []));
    expect(waits.map((one) => one.for)).toEqual(expect.arrayContaining(['command', 'agent']));
    expect(waits.find((one) => one.for === 'agent')?.what).toBe('attempt 1');
    expect(statSync(keeperLogPaths(world.home, runId).current).mode & 0o777).toBe(0o600);
  } finally {
    await world.remove();
  }
});

test('what is waited for is noted once, however often the keeper looks', () => {
  const log = openLog();
  const waiting = { for: 'host', what: 'the network is gone', until: 5 } as const;
  for (let look = 0; look < 100; look += 1) log.waits(waiting);
  log.waits({ ...waiting, until: 6 });
  expect(readKeeperLog(home, 'k7f2').filter(({ type }) => type === 'waits')).toHaveLength(2);
});

test('it stays within its bound: one full log and one before it', () => {
  const log = openLog({}, 2_000);
  for (let turn = 0; turn < 500; turn += 1) log.turn(`fact_${turn}`, null);
  const { previous, current } = keeperLogPaths(home, 'k7f2');
  expect(statSync(previous).size).toBeLessThanOrEqual(2_000);
  expect(statSync(current).size).toBeLessThanOrEqual(2_000);
  expect(readKeeperLog(home, 'k7f2').at(-1)).toMatchObject({ fact: 'fact_499' });
});

test('secrets are not in it, also where a reason quotes one', () => {
  openLog().waits({ for: 'host', what: 'login with hush-hush-9 failed', until: null });
  expect(readFileSync(keeperLogPaths(home, 'k7f2').current, 'utf8')).not.toContain('hush-hush-9');
});

test('it is erased with the raw output, and a log that is gone reads as empty', async () => {
  openLog({}, 100).turn('stop_requested', null);
  expect(await eraseRawOutput(home, 'k7f2')).toBe(2);
  expect(Object.values(keeperLogPaths(home, 'k7f2')).some((path) => existsSync(path))).toBe(false);
  expect(readKeeperLog(home, 'k7f2')).toEqual([]);
});

test('a log that cannot be written leaves the work alone', async () => {
  const log = openLog();
  rmSync(home, { recursive: true });
  const command = { key: 'k', type: 'deliver' };
  expect(await log.command(command, Promise.resolve('done'))).toBe('done');
  await expect(log.command(command, Promise.reject(new Error('no')))).rejects.toThrow('no');
  expect(existsSync(home)).toBe(false);
  writeFileSync(home, 'a file where the folder should be');
  expect(await openLog().command(command, Promise.resolve('done'))).toBe('done');
});

test('MAYDAY_DEBUG=keeper shows the lines on stderr, and only then', () => {
  const said = vi.spyOn(process.stderr, 'write').mockReturnValue(true);
  try {
    openLog().turn('stop_requested', null);
    expect(said).not.toHaveBeenCalled();
    openLog({ MAYDAY_DEBUG: 'other,keeper' }).turn('stop_requested', null);
    expect(said.mock.calls.join('\n')).toContain('mayday keeper k7f2: {');
  } finally {
    said.mockRestore();
  }
});
