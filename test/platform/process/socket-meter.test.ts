import { spawn, spawnSync } from 'node:child_process';
import { createServer, type Socket } from 'node:net';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { SocketMeter } from '../../../src/platform/process/socket-meter.ts';

/** Programs that receive and say nothing: `read` in Node is not the system call that Python uses. */
const NODE = [process.execPath, '-e', 'require("net").connect(+process.argv[1], "127.0.0.1").resume()'];
const PYTHON = [
  'python3',
  '-c',
  'import socket,sys\ns=socket.create_connection(("127.0.0.1",int(sys.argv[1])))\nwhile s.recv(100): pass',
];

async function connected(program: readonly string[]): Promise<{ pid: number; socket: Socket }> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const [command = '', ...args] = program;
  const port = String((server.address() as AddressInfo).port);
  const child = spawn(command, [...args, port], { stdio: 'ignore' });
  onTestFinished(() => void child.kill('SIGKILL'));
  const socket = await new Promise<Socket>((resolve) => server.once('connection', resolve));
  onTestFinished(() => void socket.destroy());
  server.close();
  return { pid: child.pid as number, socket };
}

/** The other side takes bytes when it gets to it. */
const send = (socket: Socket, text: string) =>
  new Promise<void>((resolve) => socket.write(text, () => resolve()));

/** Systems without it have no such sign of life, and say so. */
const hasCounts = spawnSync('ss', ['-V']).error === undefined;

test.skipIf(!hasCounts).each([
  ['Node', NODE],
  ['Python', PYTHON],
])('counts what a silent %s program receives, and nothing while nothing comes', async (_, program) => {
  const { pid, socket } = await connected(program);
  const meter = new SocketMeter();
  expect(await meter.look([pid])).toBe(0);
  await send(socket, 'x'.repeat(500));
  await expect.poll(() => meter.look([pid])).toBe(500);
  expect(await meter.look([pid])).toBe(500);
  await send(socket, 'yy');
  await expect.poll(() => meter.look([pid])).toBe(502);
});

test.skipIf(!hasCounts)('counts only the connections of the processes that it is asked about', async () => {
  const mine = await connected(NODE);
  const other = await connected(NODE);
  const meter = new SocketMeter();
  await meter.look([mine.pid]);
  await send(other.socket, 'x'.repeat(500));
  expect(await meter.look([mine.pid])).toBe(0);
});

test.skipIf(!hasCounts)(
  'never falls: a closed connection keeps what it moved, and after `forget` only what is new counts',
  async () => {
    const { pid, socket } = await connected(NODE);
    const meter = new SocketMeter();
    await meter.look([pid]);
    await send(socket, 'abc');
    await expect.poll(() => meter.look([pid])).toBe(3);
    meter.forget();
    await send(socket, 'defg');
    expect(await meter.look([pid])).toBe(3);
    expect(await meter.look([])).toBe(3);
  },
);
