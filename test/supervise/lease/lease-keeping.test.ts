import { once } from 'node:events';
import { expect, it } from 'vitest';
import { LeaseKeeping } from '../../../src/supervise/lease/lease-keeping.ts';

const FAST = { lease_renew_ms: 0, lease_stop_ms: 30 };

it('work is stopped when the lease is not renewed in time, and may begin again after the next renewal', async () => {
  const lease = new LeaseKeeping(FAST, async () => true);
  const { work } = lease;
  await once(work, 'abort');
  expect(await lease.keep()).toBe(true);
  expect(lease.work.aborted).toBe(false);
  lease.end();
});

it('a renewal that hangs does not keep work alive', async () => {
  const lease = new LeaseKeeping(FAST, () => new Promise<boolean>(() => {}));
  const { work } = lease;
  void lease.keep();
  await once(work, 'abort');
  lease.end();
});

it('a lease that is somebody else’s is told, and renewed only when it is time', async () => {
  let asked = 0;
  const renew = async (): Promise<boolean> => {
    asked += 1;
    return false;
  };
  const early = new LeaseKeeping({ lease_renew_ms: 60_000, lease_stop_ms: 60_000 }, renew);
  expect([await early.keep(), asked]).toEqual([true, 0]);
  early.end();
  const lost = new LeaseKeeping(FAST, renew);
  expect([await lost.keep(), asked]).toEqual([false, 1]);
  lost.end();
});
