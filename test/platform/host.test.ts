import { once } from 'node:events';
import { createServer } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { compareClocks, diskFreeBytes, readClocks, takesConnection } from '../../src/platform/host.ts';
import { temporaryDirectory } from '../temporary-directory.ts';

describe('the clocks', () => {
  const start = { wallMs: 1_000_000, sinceBootMs: 50_000, monotonicMs: 40_000 };

  it('two readings of this machine agree', () => {
    expect(compareClocks(readClocks(), readClocks())).toEqual({ sleptMs: 0, jumpedMs: 0 });
  });

  it('a machine that slept two hours is told from a clock that was moved', () => {
    const twoHours = 7_200_000;
    const woken = { wallMs: 1_000_000 + twoHours, sinceBootMs: 50_000 + twoHours, monotonicMs: 40_250 };
    expect(compareClocks(start, woken)).toMatchObject({ sleptMs: twoHours - 250, jumpedMs: 0 });
    const moved = { wallMs: 1_000_000 - 3_600_000, sinceBootMs: 50_250, monotonicMs: 40_250 };
    expect(compareClocks(start, moved)).toEqual({ sleptMs: 0, jumpedMs: -3_600_250 });
  });
});

describe('the network', () => {
  it('is there where somebody takes a connection; a refusal and an unknown name are not', async () => {
    const server = createServer();
    onTestFinished(() => void server.close());
    await once(server.listen(0, '127.0.0.1'), 'listening');
    const { port } = server.address() as { port: number };
    const dead = { host: 'no-such-host.invalid', port: 443 };
    expect(await takesConnection({ host: '127.0.0.1', port }, 5_000)).toBe(true);
    expect(await takesConnection({ host: '127.0.0.1', port: 1 }, 5_000)).toBe(false);
    expect(await takesConnection(dead, 5_000)).toBe(false);
  });
});

it('free disk space is a number of bytes', async () => {
  expect(await diskFreeBytes(temporaryDirectory())).toBeGreaterThan(1024);
});
