import { once } from 'node:events';
import { createServer } from 'node:net';
import { hostname } from 'node:os';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { observedDiagnosis } from '../../src/core/decide/recovery/incident-diagnosis.ts';
import type { Fact } from '../../src/core/vocabulary/events/event.ts';
import { diskKey } from '../../src/core/fleet/concerns.ts';
import type { Policy } from '../../src/core/vocabulary/policy.ts';
import type { ClockReading } from '../../src/platform/host.ts';
import { HostGate } from '../../src/supervise/host-gate.ts';
import { RunJournal } from '../../src/supervise/run-journal.ts';
import { takeRun } from '../../src/supervise/lease/adopt-run.ts';
import { EXAMINATION } from '../core/story.ts';
import { type Fleet, openFleet } from '../drills/fleet.ts';

const PLACE = { host: hostname(), account: '' };
const HOUR = 3_600_000;
let fleet: Fleet;

beforeEach(async () => {
  fleet = await openFleet();
});
afterEach(() => fleet.remove());

async function ownRun(policy: Partial<Policy> = {}): Promise<RunJournal> {
  const runId = await fleet.submit(['true'], policy);
  const taken = await takeRun(fleet.record, runId, 60_000);
  return await RunJournal.open(fleet.record, runId, taken?.fence ?? 0, (value) => value);
}

/** Looks as often as somebody who waits for a change would, without waiting. */
async function look(journal: RunJournal, clocks?: () => ClockReading): Promise<readonly Fact[]> {
  const told: Fact[] = [];
  const gate = new HostGate({
    home: fleet.home,
    record: fleet.record,
    journal,
    ...(clocks === undefined ? {} : { clocks }),
  });
  await gate.look(async (fact) => told.push(fact));
  return told;
}

const holdOf = async (key: string) => (await fleet.record.holds()).find((hold) => hold.key === key);

describe('the clocks', () => {
  const start = { wallMs: 1_000_000, sinceBootMs: 50_000, monotonicMs: 40_000 };
  const readings = (...later: ClockReading[]) => {
    const all = [start, ...later];
    return () => all.shift() ?? (later.at(-1) as ClockReading);
  };

  it.each([
    [
      'a machine that slept',
      { wallMs: HOUR, sinceBootMs: HOUR, monotonicMs: 0 },
      { sleptMs: HOUR, jumpedMs: 0 },
    ],
    ['a clock set forward', { wallMs: HOUR, sinceBootMs: 0, monotonicMs: 0 }, { sleptMs: 0, jumpedMs: HOUR }],
    ['a clock set back', { wallMs: -HOUR, sinceBootMs: 0, monotonicMs: 0 }, { sleptMs: 0, jumpedMs: -HOUR }],
  ])('%s is told as a fact', async (_, moved, expected) => {
    const woken = {
      wallMs: start.wallMs + moved.wallMs,
      sinceBootMs: start.sinceBootMs + moved.sinceBootMs,
      monotonicMs: start.monotonicMs + moved.monotonicMs,
    };
    expect(await look(await ownRun(), readings(woken))).toMatchObject([
      { type: 'clock_jumped', ...expected },
    ]);
  });

  it('a busy machine that stood still for a moment is told nothing of', async () => {
    const busy = { wallMs: 1_004_000, sinceBootMs: 54_000, monotonicMs: 40_100 };
    expect(await look(await ownRun(), readings(busy))).toEqual([]);
  });
});

describe('the disk', () => {
  it('nearly full it holds this host; the hold goes when there is room again', async () => {
    await look(await ownRun({ disk_free_bytes: Number.MAX_SAFE_INTEGER }));
    expect(await holdOf(diskKey(PLACE))).toMatchObject({ kind: 'disk', until: null, liftedAt: null });
    await look(await ownRun({ disk_free_bytes: 1 }));
    expect((await holdOf(diskKey(PLACE)))?.liftedAt).not.toBeNull();
  });
});

describe('the network', () => {
  /** The run meets the outage that many times, and holds the host for it. */
  const NETWORK = 'network:here:of-this-run';

  async function outage(journal: RunJournal, port: number, times: number): Promise<void> {
    const line = `Error: connect ECONNREFUSED 127.0.0.1:${port}`;
    const diagnosis = observedDiagnosis('network_failure', line, [line]);
    const tell = (fact: unknown) => journal.submit({ at: Date.now(), ...(fact as object) } as Fact);
    await tell({
      type: 'workspace_prepared',
      kind: 'worktree',
      path: '/w',
      baseCommit: 'c',
      baseTree: 't',
      setup: null,
    });
    await tell({ type: 'checks_finished', purpose: 'baseline', tree: 't', results: [], changed: [] });
    const exit = { exitCode: 1, signal: null, outOfMemory: false, endedBy: 'itself', exitedAt: 1 };
    for (let attempt = 1; attempt <= times; attempt += 1) {
      if (attempt > 1) await tell({ type: 'timer_fired', name: 'retry' });
      await tell({ type: 'attempt_started', attempt, agent: 'command', level: 'x', handle: {} });
      await tell({ type: 'attempt_ended', attempt, exit });
      await tell({ type: 'attempt_examined', attempt, examination: { ...EXAMINATION, diagnosis } });
    }
    expect(journal.state.incidents[0]?.recoveries).toHaveLength(times);
    const { runId } = journal.state;
    const hold = {
      key: NETWORK,
      kind: 'network',
      until: Date.now() + HOUR,
      reason: line,
      holder: runId,
    } as const;
    await fleet.record.changeHold({
      type: 'place',
      hold: { ...hold, at: Date.now(), endpoint: { host: '127.0.0.1', port } },
    });
  }

  async function closedPort(): Promise<{ readonly port: number; readonly open: () => Promise<() => void> }> {
    const listen = async (port: number) => {
      const server = createServer((socket) => socket.destroy());
      await once(server.listen(port, '127.0.0.1'), 'listening');
      return server;
    };
    const server = await listen(0);
    const { port } = server.address() as { port: number };
    await new Promise((done) => server.close(done));
    return {
      port,
      open: async () => {
        const back = await listen(port);
        return () => back.close();
      },
    };
  }

  it('is held while nobody answers, and free as soon as a connection was seen to work', async () => {
    const journal = await ownRun();
    const { port, open } = await closedPort();
    await outage(journal, port, 1);
    await look(journal);
    expect((await holdOf(NETWORK))?.liftedAt).toBeNull();
    const close = await open();
    await look(journal);
    close();
    expect((await holdOf(NETWORK))?.liftedAt).not.toBeNull();
  });

  it('a door that was open all the time is believed once: the second outage behind it waits its pause', async () => {
    const journal = await ownRun();
    const { port, open } = await closedPort();
    await outage(journal, port, 2);
    const close = await open();
    await look(journal);
    close();
    expect((await holdOf(NETWORK))?.liftedAt).toBeNull();
  });

  it('only the run that met it looks: a host does not knock once for every run it keeps', async () => {
    const { port, open } = await closedPort();
    await outage(await ownRun(), port, 1);
    const close = await open();
    await look(await ownRun());
    close();
    expect((await holdOf(NETWORK))?.liftedAt).toBeNull();
  });
});
