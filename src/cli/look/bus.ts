/** `mayday bus`: prints the agent bus as JSON lines. With `publish`, an external agent adds messages. */
import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import { type BusMessage, busLine } from '../../core/bus/bus-message.ts';
import { usageError } from '../../platform/mayday-error.ts';
import type { RunRecord } from '../../record/contract.ts';
import type { StoredBusMessage } from '../../record/contract/bus.ts';
import { busTender, tendBus } from '../../supervise/bus/tend-bus.ts';
import { loadConfig, wholePolicy } from '../../supervise/request/config.ts';
import type { Invocation } from '../command.ts';
import { withRecord } from '../with-record.ts';
import type { StandardOut } from '../standard-out.ts';
import { writeText } from '../write-text.ts';

const PAGE = 500;
const LOOK_MS = 100;

export function run(invocation: Invocation): Promise<number> {
  const [what] = invocation.args;
  if (what !== undefined && what !== 'publish')
    throw usageError('WRONG_ARGUMENTS', `mayday bus takes nothing or publish, not ${JSON.stringify(what)}`, [
      ['do', 'mayday bus --help'],
    ]);
  return withRecord(invocation, async (caller) => {
    if (what === undefined) return await listen(invocation, caller.home, caller.record);
    const { publish } = await import('./bus-publish.ts');
    return await publish(invocation, caller);
  });
}

async function listen(invocation: Invocation, home: string, record: RunRecord): Promise<number> {
  const follow = invocation.options['follow'] === true;
  let last = await sinceId(invocation.options['since'], record);
  const policy = wholePolicy(await loadConfig(home));
  await tendBus(record, policy, Date.now());
  if (!follow) {
    if ((await printFrom(last, invocation.stdout, record)) === last)
      writeText(invocation.stderr, 'nothing new on the bus; mayday bus --follow waits for more\n');
    return 0;
  }
  const stop = new AbortController();
  for (const name of ['SIGINT', 'SIGTERM'] as const) process.once(name, () => stop.abort());
  const tend = busTender(record, policy);
  while (!stop.signal.aborted) {
    await tend();
    last = await printFrom(last, invocation.stdout, record);
    await pause(LOOK_MS, undefined, { signal: stop.signal }).catch(() => undefined);
  }
  // Before it ends, it prints every message that was published until now.
  await printFrom(last, invocation.stdout, record);
  return 0;
}

async function printFrom(after: number, stdout: StandardOut, record: RunRecord): Promise<number> {
  let last = after;
  for (;;) {
    const page = await record.messages(last, PAGE);
    for (const stored of page) if (!stdout.write(`${line(stored)}\n`)) await once(stdout.stream, 'drain');
    last = page.at(-1)?.id ?? last;
    if (page.length < PAGE) return last;
  }
}

function line({ id, at, source, body }: StoredBusMessage): string {
  return JSON.stringify(busLine({ id, at, source, message: JSON.parse(body) as BusMessage }));
}

async function sinceId(value: Invocation['options'][string], record: RunRecord): Promise<number> {
  if (value === undefined) return 0;
  if (value === 'now') return await record.lastMessage();
  if (typeof value !== 'string' || !/^\d{1,15}$/.test(value))
    throw usageError('WRONG_NUMBER', `--since ${JSON.stringify(value)} is no id of a message`, [
      ['do', 'give the last id that you have seen, or now'],
    ]);
  return Number(value);
}
