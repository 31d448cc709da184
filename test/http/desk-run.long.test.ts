/** The page of one run in a real Chromium: what a person needs in order to decide is there, in words for people. */
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { RunState } from '../../src/core/state/run-state.ts';
import { ROUTES } from '../../src/http/routes.ts';
import { openBrowser } from './browser.ts';
import { DeskWorld } from './desk-world.ts';

const HOUR = 3_600_000;
const STUCK = {
  attempts: [
    {
      steps: [
        {
          tool: {
            name: 'Bash',
            input: { command: 'npm test', timeout: 60 },
            result: '1 failed',
            error: true,
          },
        },
        { say: 'I write b.txt.' },
        { write: { 'b.txt': 'B' } },
        { exit: 0 },
      ],
    },
  ],
};

/** What an agent reads a quotation by; a person reads quotation marks. */
const MARK = /<<\w+ /;

const opened = await openBrowser();
let world: DeskWorld;
let asking: RunState;

beforeAll(async () => {
  world = await DeskWorld.open();
  asking = await world.repository.run(STUCK, 'write a.txt', { policy: { restarts: 0 } });
});
afterAll(async () => {
  await opened?.close();
  await world.close();
});

test('no answer of the API and no live change tells a person the mark of a quotation', async () => {
  expect(JSON.stringify(asking.questions)).toMatch(MARK);
  const headers = await world.login();
  const stream = world.stream(0, headers);
  for (const { path, method, isVerbatim } of ROUTES) {
    if (method !== 'GET' || isVerbatim) continue;
    const { text } = await world.send(path.replace(':run', asking.runId), { headers });
    expect.soft(text, path).not.toMatch(MARK);
  }
  await expect.poll(() => stream.events.length, { timeout: 60_000 }).toBeGreaterThan(0);
  stream.close();
  expect(JSON.stringify(stream.events)).not.toMatch(MARK);
});

test('the live stream tells what a working agent did last, and how long it may be silent', async () => {
  const silent = { attempts: [{ steps: [{ say: 'I wait for the model.' }, { hang: 3 }, { exit: 1 }] }] };
  const stream = world.stream(0, await world.login());
  const policy = { restarts: 0, silence_ms: 77_000 };
  const ended = world.repository.run(silent, 'write a.txt in silence', { policy });
  await expect
    .poll(() => stream.acts, { timeout: 60_000 })
    .toContainEqual(expect.objectContaining({ attempt: 1, did: 'I wait for the model.', limit_ms: 77_000 }));
  const { runId } = await ended;
  expect(new Set(stream.acts.map(({ run_id }) => run_id))).toEqual(new Set([runId]));
  stream.close();
});

describe.skipIf(opened === null)('the page of a run', () => {
  const browser = opened as Browser;

  /** The page as it is after this time has passed in the browser. */
  async function openLater(laterMs: number): Promise<Page> {
    const page = await (await browser.newContext()).newPage();
    page.setDefaultTimeout(150_000);
    await page.clock.install({ time: Date.now() + laterMs });
    await page.goto(world.desk.link());
    await page.getByText('live', { exact: true }).waitFor();
    await page.goto(`${world.desk.url}runs/${asking.runId}`);
    await page.locator('main:not([aria-busy])').waitFor();
    return page;
  }

  test('shows what the agent said, however long it has been quiet, and no mark of a quotation', async () => {
    const page = await openLater(HOUR);
    await page.locator('.transcript ol[aria-busy="false"]').waitFor();
    const transcript = await page.locator('.transcript').innerText();
    expect(transcript).toContain('I write b.txt.');
    expect(transcript, 'a call by the argument that tells most').toMatch(/Bash\s+npm test/);
    expect(transcript).not.toMatch(/session|"command"/);
    expect(await page.locator('main').innerText()).not.toMatch(MARK);
    await page.context().close();
  });
});
