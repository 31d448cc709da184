/** The bell of the terminal at which Mayday is open: for new notices that the configuration names, and for nothing else. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { expect, test, vi } from 'vitest';
import { ringWhileOpen } from '../../../src/supervise/notify/bell.ts';
import { RehearsalRepository } from '../../context/rehearsal-repository.ts';

const ASKS = { attempts: [{ steps: [{ exit: 0 }] }] };
const ASK_AT_ONCE = { policy: { restarts: 0 } };

test('it rings once for a question that is new, not for what the configuration leaves out, not for the past, and only at a terminal', async () => {
  const place = await RehearsalRepository.make();
  const configure = (text: string) => {
    mkdirSync(place.home, { recursive: true });
    writeFileSync(join(place.home, 'mayday.yaml'), text);
  };
  configure('notify:\n  - bell: true\n    events: [question]\n');
  await place.run(ASKS, 'of before', ASK_AT_ONCE);
  const heard: string[] = [];
  const unheard: string[] = [];
  const changes = vi.spyOn(place.record, 'changes');
  const ends = [
    ringWhileOpen(place.home, place.record, { isTTY: true, write: (text: string) => heard.push(text) }),
    ringWhileOpen(place.home, place.record, { write: (text: string) => unheard.push(text) }),
  ];
  await vi.waitUntil(() => changes.mock.calls.length > 1, { timeout: 60_000 });
  expect(heard).toEqual([]);
  await place.run(ASKS, 'asks', ASK_AT_ONCE);
  await vi.waitUntil(() => heard.length > 0, { timeout: 60_000 });
  const looks = changes.mock.calls.length;
  await vi.waitUntil(() => changes.mock.calls.length > looks + 1, { timeout: 60_000 });
  expect(heard).toEqual(['\u0007']);
  configure('notify:\n  - bell: true\n    events: [delivered]\n');
  await place.run(ASKS, 'asks too', ASK_AT_ONCE);
  const after = changes.mock.calls.length;
  await vi.waitUntil(() => changes.mock.calls.length > after + 1, { timeout: 60_000 });
  expect(heard).toHaveLength(1);
  for (const end of ends) await end();
  const last = changes.mock.calls.length;
  await pause(1_500);
  expect(changes.mock.calls.length).toBe(last);
  expect(unheard).toEqual([]);
  await place.remove();
});
