import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setInterval as every } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Box, inBox } from './box.ts';

const SILENCE_MS = 1_500;
/** Longer than the limit and the second look at a silent agent take. */
const WORK_MS = 4_500;
const DONE = 'require("fs").writeFileSync("a.txt", "A"); process.exit(0)';
const STREAMS = `setInterval(() => process.stdout.write("{"), 100); setTimeout(() => { ${DONE} }, ${WORK_MS})`;
const RECEIVES = `require("net").connect(PORT, "127.0.0.1").resume(); setTimeout(() => { ${DONE} }, ${WORK_MS})`;
/** Connected, idle, and without end. */
const HANGS = 'require("net").connect(PORT, "127.0.0.1").resume()';

let server: Server;
let still: Server;
const sockets = new Set<Socket>();

const listening = async (greets: boolean): Promise<Server> => {
  const made = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => sockets.delete(socket));
    if (greets) void trickle(socket);
  });
  await new Promise<void>((resolve) => made.listen(0, '127.0.0.1', resolve));
  return made;
};

/** As a model streams: a few bytes, several times a second. */
async function trickle(socket: Socket): Promise<void> {
  for await (const _ of every(150)) {
    if (socket.destroyed) return;
    socket.write('data: x\n\n');
  }
}

beforeAll(async () => {
  server = await listening(true);
  still = await listening(false);
});
afterAll(() => {
  for (const socket of sockets) socket.destroy();
  server.close();
  still.close();
});

async function play(box: Box, script: string, from: Server): Promise<Box> {
  const program = script.replaceAll('PORT', String((from.address() as AddressInfo).port));
  await box
    .policy({ silence_ms: SILENCE_MS, stop_soft_ms: 500, stop_term_ms: 500, restarts: 0 })
    .call('run', '--check', 'test -f a.txt', '--', process.execPath, '-e', program);
  return box;
}

describe.concurrent('an agent that prints no line for longer than the silence limit', () => {
  it('is left alone while it streams pieces of one', () =>
    inBox(async (box) => {
      const { state, attempts, incidents } = await (await play(box, STREAMS, server)).show();
      expect({ state, incidents }).toEqual({ state: 'delivered', incidents: [] });
      expect(attempts).toMatchObject([{ signals: [] }]);
    }));

  it('is left alone while bytes come over its socket', () =>
    inBox(async (box) => {
      const { state, attempts, incidents } = await (await play(box, RECEIVES, server)).show();
      expect({ state, incidents }).toEqual({ state: 'delivered', incidents: [] });
      expect(attempts).toMatchObject([{ signals: [] }]);
    }));

  it('is stopped when its connection only stands, and the record says which signs were missing since when', () =>
    inBox(async (box) => {
      const { attempts, incidents } = await (await play(box, HANGS, still)).show();
      expect(attempts).toHaveLength(1);
      const signals = attempts[0]?.['signals'] as object[];
      // On a busy machine its own start still shows in the processor time, and a warning comes first.
      expect(signals.at(-1)).toMatchObject({ type: 'stalled', severity: 'critical' });
      const evidence = incidents[0]?.['evidence'] as string[];
      for (const sign of ['output', 'new files', 'bytes on sockets', 'children', 'CPU time'])
        expect(evidence).toContainEqual(expect.stringMatching(new RegExp(`^${sign}.*: .*none for \\d+ s$`)));
    }));

  it('is stopped at its limit, though what it wrote before is found only then', () =>
    inBox(async (box) => {
      const wrote = `require("fs").writeFileSync("b.txt", "b"); console.log("wrote"); ${HANGS}`;
      const { attempts } = await (await play(box, wrote, still)).show();
      const [{ progress_at: found, signals } = {}] = attempts;
      const last = (signals as { type: string; severity: string; at: string }[]).at(-1);
      expect(last).toMatchObject({ type: 'stalled', severity: 'critical' });
      expect(Date.parse(String(last?.at)) - Date.parse(String(found))).toBeLessThan(SILENCE_MS);
    }));

  it('is left alone while it writes files, though nobody looks at them before it is suspected', () =>
    inBox(async (box) => {
      const writes = `let n = 0; setInterval(() => require("fs").writeFileSync("b.txt", String(n++)), 200); setTimeout(() => { ${DONE} }, ${WORK_MS})`;
      const { state, attempts } = await (await play(box, writes, still)).show();
      expect({ state, attempts }).toMatchObject({ state: 'delivered', attempts: [{ signals: [] }] });
    }));
});

describe.concurrent('what is seen of an agent while it lives', () => {
  /** Works on until the person's folder has the file. */
  const untilTold = (box: Box, work: string) =>
    `const fs = require('fs'); ${work}; setInterval(() => { if (fs.existsSync('${box.folder}/told')) { ${DONE} } }, 50)`;
  const signalOf = async (box: Box, type: string) => {
    const run: Awaited<ReturnType<Box['show']>> | undefined = await box.show();
    const signals = run?.attempts[0]?.['signals'] as { type: string }[] | undefined;
    return signals?.some((signal) => signal.type === type);
  };

  it('a file outside the scope is told by the tree, and the agent is left alone', () =>
    inBox(async (box) => {
      const program = untilTold(box, 'fs.writeFileSync("outside.txt", "x")');
      const { done } = box
        .policy({ snapshot_every_ms: 100 })
        .start(['run', '--scope', 'a.txt', '--check', 'true', '--', process.execPath, '-e', program]);
      await box.until('the signal', () => signalOf(box, 'scope_drift'));
      writeFileSync(join(box.folder, 'told'), '');
      await done;
      expect((await box.show()).attempts).toMatchObject([{ ended_by: 'itself', exit_code: 0 }]);
    }));
});
