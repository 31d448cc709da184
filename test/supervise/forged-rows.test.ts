/** Rows that an agent plants in the outbox and among the timers; what the core decided is done, and nothing else. */
import { DatabaseSync } from 'node:sqlite';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, test } from 'vitest';
import { step } from '../../src/core/step.ts';
import { decidedEffects } from '../../src/core/replay/decided-effects.ts';
import { EVENT_VERSION } from '../../src/core/vocabulary/events/event.ts';
import { eventSum } from '../../src/record/sqlite/parts/journal.ts';
import { readEvent } from '../../src/supervise/load-state.ts';
import { RehearsalRepository } from '../context/rehearsal-repository.ts';

let world: RehearsalRepository;
beforeEach(async () => {
  world = await RehearsalRepository.make();
});
afterEach(() => world.remove());

const FAILS = { attempts: [{ steps: [{ write: { 'b.txt': 'B' } }, { exit: 0 }] }] };
/** Where the machine cannot hide Mayday's folder, the guards behind it must hold alone. */
const IN_SIGHT = { hide_home: 0 };
const ASK_AT_ONCE = { policy: { restarts: 0, ...IN_SIGHT } };

/** A line for the agent that runs SQL against the record and gives the keeper time to look at it. */
function sql(statement: string): string {
  const path = join(world.folder, 'plant.mjs');
  const record = JSON.stringify(join(world.home, 'record.db'));
  writeFileSync(
    path,
    `import { DatabaseSync } from 'node:sqlite';
     import { setTimeout as pause } from 'node:timers/promises';
     const db = new DatabaseSync(${record}, { timeout: 5000 });
     db.exec(${JSON.stringify(statement)});
     await pause(1500);`,
  );
  return `${process.execPath} --no-warnings ${path}`;
}

const deliverTo = (path: string) =>
  `INSERT INTO commands (run, key, seq, type, created_at, sum, body) SELECT run, 'forged', 1, 'deliver', 1, 0,
   json_object('type', 'deliver', 'salvage', json('false'), 'sink', json_object('type', 'directory', 'path', '${path}'),
     'tree', (SELECT json_extract(body, '$.baseTree') FROM events WHERE type = 'workspace_prepared')) FROM runs`;

test('a command that an agent plants is not performed', async () => {
  const out = join(world.folder, 'out');
  const steps = [{ write: { 'a.txt': 'A' } }, { run: sql(deliverTo(out)) }, { exit: 0 }];
  const state = await world.run({ attempts: [{ steps }] }, 'write a.txt', { policy: IN_SIGHT });
  expect(state.life).toMatchObject({ type: 'ended', state: 'delivered' });
  expect(existsSync(out)).toBe(false);
  expect(state.forgeries).toMatchObject([{ what: 'command', named: 'deliver', why: 'never_decided' }]);
});

test('a command that is planted while nobody keeps the run is not performed by the next keeper', async () => {
  const asked = await world.run(FAILS, 'write a.txt', ASK_AT_ONCE);
  const database = new DatabaseSync(join(world.home, 'record.db'), { timeout: 5000 });
  database.exec(deliverTo(join(world.folder, 'out')));
  database.close();
  const state = await world.keep(asked.runId);
  expect(state.forgeries).toMatchObject([{ what: 'command', named: 'deliver', why: 'never_decided' }]);
  expect(state.life).toEqual(asked.life);
});

test('a timer that an agent plants or moves does not ring', async () => {
  const planted = sql(
    `UPDATE timers SET due_at = 1; INSERT OR IGNORE INTO timers (run, name, due_at, sum) SELECT run, 'question', 1, 0 FROM runs`,
  );
  const state = await world.run(
    {
      attempts: [{ steps: [{ run: planted }, { write: { 'a.txt': 'A' } }, { exit: 0 }] }],
    },
    'write a.txt',
    { policy: IN_SIGHT },
  );
  expect(state.life).toMatchObject({ type: 'ended', state: 'delivered' });
  expect(state.attempts).toHaveLength(1);
  expect(state.forgeries.map(({ what, named, why }) => [what, named, why])).toEqual(
    expect.arrayContaining([
      ['timer', 'question', 'never_decided'],
      ['timer', 'timeout', 'differs_from_decision'],
    ]),
  );
});

test('a hold that an agent plants keeps no run waiting, and verify names it', async () => {
  const { runId } = await world.run(FAILS, 'write a.txt', ASK_AT_ONCE);
  const hour = Date.now() + 3_600_000;
  const hold = { key: 'fleet', kind: 'fleet', until: hour, reason: 'forged', since: 1, holder: runId };
  const body = { ...hold, probe: null, probeUntil: null, liftedAt: null, mac: '0'.repeat(64) };
  const database = new DatabaseSync(join(world.home, 'record.db'), { timeout: 5000 });
  database.prepare('INSERT INTO holds (key, body) VALUES (?, ?)').run('fleet', JSON.stringify(body));
  database.close();
  expect(await world.record.holds()).toEqual([]);
  const honest = await world.run({ attempts: [{ steps: [{ write: { 'a.txt': 'A' } }, { exit: 0 }] }] });
  expect(honest).toMatchObject({ life: { type: 'ended', state: 'delivered' }, holds: [] });
  expect((await world.record.verify()).map(({ problem }) => problem)).toEqual([
    'hold fleet was not written by Mayday: it holds nothing',
  ]);
  // One that Mayday places takes its row, and counts.
  const { key, kind, until, reason } = { ...hold, kind: 'fleet' as const };
  await world.record.changeHold({ type: 'place', hold: { key, kind, until, reason, holder: runId, at: 1 } });
  expect(await world.record.holds()).toMatchObject([{ key: 'fleet', holder: runId }]);
  expect(await world.record.verify()).toEqual([]);
});

test('the journal of an honest run stands for exactly the commands in its outbox', async () => {
  const asked = await world.run(FAILS, 'write a.txt', ASK_AT_ONCE);
  const { runId, forgeries } = await world.say(asked, { type: 'accept_requested', by: 'ann', note: '' });
  expect(forgeries).toEqual([]);
  const events = (await world.record.events(runId)).map(readEvent);
  const { commands, unknownTurns } = decidedEffects(runId, events);
  const database = new DatabaseSync(join(world.home, 'record.db'), { readOnly: true });
  const rows = database.prepare('SELECT key, body FROM commands ORDER BY command').all();
  database.close();
  expect(rows).toEqual(commands.map(({ key, command }) => ({ key, body: JSON.stringify(command) })));
  expect(unknownTurns).toEqual([]);
});

/** Writes rows of the journal itself, with every checksum and number as it must be; `undo` takes them away again. */
function append(events: readonly { readonly type: string }[]): { readonly undo: () => void } {
  const database = new DatabaseSync(join(world.home, 'record.db'), { timeout: 5000 });
  const head = database
    .prepare(`SELECT run, run_id, head_seq, fence FROM runs WHERE run_id NOT LIKE '@%'`)
    .get();
  const [run, seq, fence] = [head?.['run'], head?.['head_seq'], head?.['fence']] as [number, number, number];
  const end = database.prepare('UPDATE runs SET head_seq = ? WHERE run = ?');
  for (const [index, event] of events.entries()) {
    const body = JSON.stringify({ at: Date.now(), ...event });
    const place = {
      runId: String(head?.['run_id']),
      seq: seq + index + 1,
      at: 1,
      version: EVENT_VERSION,
      fence,
    };
    database
      .prepare(
        'INSERT INTO events (run, seq, at, version, type, fence, sum, body) VALUES (?, ?, ?, ?, ?, ?, ?, ?)',
      )
      .run(
        run,
        place.seq,
        1,
        EVENT_VERSION,
        event.type,
        fence,
        eventSum({ ...place, type: event.type, body }),
        body,
      );
  }
  end.run(seq + events.length, run);
  const undo = () => {
    database.prepare('DELETE FROM events WHERE run = ? AND seq > ?').run(run, seq);
    end.run(seq, run);
    database.close();
  };
  return { undo };
}

describe('a journal that is written on while no keeper has the run', () => {
  it('is taken by no keeper, and again once the foreign lines are gone', async () => {
    const asked = await world.run(FAILS, 'write a.txt', ASK_AT_ONCE);
    const tree = asked.checkpoints.at(-1)?.tree ?? '';
    const accepts = { type: 'accept_requested', by: 'ann', note: 'fine' } as const;
    const { decisions: decided = [] } = step(asked, { ...accepts, at: Date.now() }) ?? {};
    const late = { type: 'word_came_late', word: 'stop_requested', by: 'ann', nonce: '1' };
    const sink = { type: 'none' };
    const delivery = { type: 'delivery_decided', sink, tree, unverified: false, salvage: null };
    const forgeries = {
      'the acceptance of a person, with what the core would decide on it': [accepts, ...decided],
      'one with an invented signature': [{ ...accepts, nonce: '0', seal: { at: 1, mac: '0' } }, ...decided],
      'a passing check': [
        { type: 'checks_finished', purpose: 'gate', tree, results: [], changed: ['b.txt'] },
      ],
      'a delivery that was decided': [delivery],
      'a delivery that was decided on a harmless fact': [late, delivery],
    };
    for (const [what, events] of Object.entries(forgeries)) {
      const { undo } = append(events);
      await expect(world.keep(asked.runId), what).rejects.toMatchObject({ code: 'JOURNAL_FORGED' });
      undo();
    }
    expect((await world.keep(asked.runId)).life).toEqual(asked.life);
  });

  it('is taken by no keeper where an earlier line was changed', async () => {
    const asked = await world.run(FAILS, 'write a.txt', ASK_AT_ONCE);
    const database = new DatabaseSync(join(world.home, 'record.db'), { timeout: 5000 });
    database.exec(`UPDATE events SET body = replace(body, '"passed":false', '"passed":true')`);
    database.close();
    await expect(world.keep(asked.runId)).rejects.toMatchObject({ code: 'JOURNAL_FORGED' });
  });

  it('by a keeper that died before it could anchor its last commits is taken by the next', async () => {
    const asked = await world.run(FAILS, 'write a.txt', ASK_AT_ONCE);
    const anchor = join(world.home, 'ledger.anchor');
    const before = readFileSync(anchor);
    const again = await world.say(asked, { type: 'resume_requested', by: 'ann', note: '' });
    writeFileSync(anchor, before);
    const ended = await world.say(again, { type: 'accept_requested', by: 'ann', note: 'as it is' });
    expect(ended.life).toMatchObject({ type: 'ended', state: 'delivered' });
  });
});
