/** Receivers outside of Mayday: a webhook that is down for a minute, a command, Slack; each notice arrives once, signed, and nothing is silent. */
import { createHmac } from 'node:crypto';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openQuestion, type RunState } from '../../../src/core/state/run-state.ts';
import { Notifier, notifyProblems } from '../../../src/supervise/notify/notifier.ts';
import { NoticeOutbox, outboxPath } from '../../../src/supervise/notify/notice-outbox.ts';
import { configOrNothing } from '../../../src/supervise/request/config.ts';
import { RehearsalRepository } from '../../context/rehearsal-repository.ts';

const SECRET = 'whsec_c2VjcmV0LW9mLXRoZS10ZXN0';
const ASKS = { attempts: [{ steps: [{ exit: 0 }] }] };

let place: RehearsalRepository;
let asked: RunState;
let clock = Date.now();
const got: { readonly headers: IncomingHttpHeaders; readonly text: string }[] = [];
let server: Server | null = null;
let port = 0;

async function listen(at = 0): Promise<number> {
  const opened = createServer((request, answer) => {
    let text = '';
    request.setEncoding('utf8').on('data', (piece: string) => (text += piece));
    request.once('end', () => {
      got.push({ headers: request.headers, text });
      answer.end();
    });
  });
  server = opened;
  await new Promise<void>((settle) => opened.listen(at, '127.0.0.1', settle));
  return (opened.address() as AddressInfo).port;
}

async function goDown(): Promise<void> {
  server?.closeAllConnections();
  await new Promise((settle) => server?.close(settle));
}

const open = async () => {
  const env = { ...process.env, HOOK_SECRET: SECRET };
  const config = await configOrNothing(place.home);
  const notifier = Notifier.open({ home: place.home, record: place.record, env, now: () => clock }, config);
  if (notifier === null) throw new Error('nobody is to be told');
  return notifier;
};

function configure(notify: string): void {
  writeFileSync(join(place.home, 'mayday.yaml'), `desk_url: https://desk.example\nnotify:\n${notify}`);
}

beforeAll(async () => {
  place = await RehearsalRepository.make();
  port = await listen();
  await goDown();
  asked = await place.run(ASKS, 'write <a.txt> & more', { policy: { restarts: 0 } });
});
afterAll(async () => {
  await goDown();
  await place.remove();
});

test('without a configuration nothing is written and nobody is told', () => {
  expect(Notifier.open({ home: place.home, record: place.record, env: process.env }, {})).toBeNull();
  expect(existsSync(outboxPath(place.home))).toBe(false);
});

test('a webhook that is down for a minute gets the question once afterwards, signed, with the link that answers it', async () => {
  configure(`  - {webhook: 'http://127.0.0.1:${port}/in', secret_variable: HOOK_SECRET}\n`);
  const first = await open();
  await first.collect();
  await first.deliver();
  expect(await notifyProblems(place.home, process.env)).toMatchObject([
    {
      target: `webhook 127.0.0.1:${port}`,
      count: 1,
      problem: expect.stringContaining('ECONNREFUSED') as string,
    },
  ]);
  await listen(port);
  clock += 61_000;
  // Another process of the same home looks at the same time.
  const second = await open();
  await Promise.all([first, second].map((one) => one.collect().then(() => one.deliver())));
  clock += 600_000;
  await Promise.all([first, second].map((one) => one.collect().then(() => one.deliver())));
  expect(got).toHaveLength(1);
  const question = openQuestion(asked)?.question.id ?? '';
  const { headers, text } = got[0] ?? { headers: {}, text: '' };
  expect(JSON.parse(text)).toMatchObject({
    id: question,
    type: 'question',
    run_id: asked.runId,
    question: { id: question },
    url: `https://desk.example/inbox?question=${question}`,
  });
  const signed = `${headers['webhook-id'] as string}.${headers['webhook-timestamp'] as string}.${text}`;
  const key = Buffer.from(SECRET.slice(6), 'base64');
  expect(headers['webhook-signature']).toBe(
    `v1,${createHmac('sha256', key).update(signed).digest('base64')}`,
  );
  expect(await notifyProblems(place.home, process.env)).toEqual([]);
});

test('a command gets the message and the document, Slack gets text without markup of the agent; an end is told where it is asked for', async () => {
  got.length = 0;
  // Not in the home, which is hidden from a command.
  const file = join(dirname(place.home), 'told');
  configure(
    [
      `  - {webhook: 'http://127.0.0.1:${port}/slack', form: slack, events: [abandoned]}`,
      `  - {command: [sh, -c, 'printf "%s\\n" "$1" >> ${file}; cat >> ${file}', sh], events: [abandoned, question]}`,
      `  - {command: ['false'], events: [abandoned]}\n`,
    ].join('\n'),
  );
  const notifier = await open();
  await place.answer(asked, 'abandon', 'no');
  await notifier.collect();
  await notifier.deliver();
  const slack = JSON.parse(got[0]?.text ?? '{}') as { text: string };
  expect(got).toHaveLength(1);
  expect(slack.text).toContain('*abandoned* write &lt;a.txt&gt; &amp; more');
  expect(slack.text).toContain(`<https://desk.example/runs/${asked.runId}|open>`);
  const told = readFileSync(file, 'utf8');
  expect(told).toContain('abandoned: write <a.txt> & more');
  expect(told.match(/"type":"abandoned"/g)).toHaveLength(1);
  expect(await notifyProblems(place.home, process.env)).toMatchObject([
    { target: 'command false', count: 1 },
  ]);
});

test('doctor hears of a message when a try failed or nobody tries, not while a process has it in hand', () => {
  const home = mkdtempSync(join(tmpdir(), 'mayday-test-'));
  const outbox = new NoticeOutbox(home);
  try {
    const added = 1_000_000;
    outbox.add([{ target: 'hook', id: 'q1', body: '{}' }], 1, added);
    expect(outbox.undelivered(added + 1_000)).toEqual([]);
    const inHand = outbox.claim(added) ?? expect.fail('it is due');
    expect(outbox.undelivered(added + 1_000)).toEqual([]);
    outbox.failed(inHand, 'it answered 503', added + 2_000);
    expect(outbox.undelivered(added + 2_000)).toEqual([
      { target: 'hook', count: 1, since: added, problem: 'it answered 503' },
    ]);
    outbox.delivered(inHand, added + 3_000);
    outbox.add([{ target: 'hook', id: 'q2', body: '{}' }], 2, added + 4_000);
    expect(outbox.undelivered(added + 304_000)).toEqual([
      { target: 'hook', count: 1, since: added + 4_000, problem: 'no process of Mayday sends it' },
    ]);
  } finally {
    outbox.close();
    rmSync(home, { recursive: true });
  }
});
