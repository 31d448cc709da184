/** The page of one run in a real Chromium: what a person needs in order to decide is there, in words for people. */
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { RunState } from '../../src/core/state/run-state.ts';
import { ROUTES } from '../../src/http/routes.ts';
import { enter, openBrowser } from './browser.ts';
import { DeskWorld } from './desk-world.ts';

const HOUR = 3_600_000;
const FAILED_TEST = {
  tool: { name: 'Bash', input: { command: 'npm test', timeout: 60 }, result: '1 failed', error: true },
};
const LONG_LINE = `b = ${'x'.repeat(400)}`;
const STUCK = {
  attempts: [
    {
      steps: [
        FAILED_TEST,
        FAILED_TEST,
        FAILED_TEST,
        FAILED_TEST,
        { say: 'I write b.txt.' },
        { write: { 'b.txt': `B\n${LONG_LINE}\n` } },
        { exit: 0 },
      ],
    },
  ],
};
const DONE = { attempts: [{ steps: [{ write: { 'a.txt': 'A' } }, { exit: 0 }] }] };

/** What an agent reads a quotation by; a person reads quotation marks. */
const MARK = /<<\w+ /;

const opened = await openBrowser();
let world: DeskWorld;
let asking: RunState;

beforeAll(async () => {
  world = await DeskWorld.open();
  // A check that says something: the question quotes it.
  const checks = ['test -f a.txt || { echo "a.txt is missing"; exit 1; }'];
  asking = await world.repository.run(STUCK, 'write a.txt', { policy: { restarts: 0 }, checks });
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
  async function openLater(laterMs: number, runId = asking.runId): Promise<Page> {
    const page = await (await browser.newContext()).newPage();
    page.setDefaultTimeout(150_000);
    if (laterMs > 0) await page.clock.install({ time: Date.now() + laterMs });
    await enter(page, world.desk.link());
    await page.getByText('live', { exact: true }).waitFor();
    await page.goto(`${world.desk.url}runs/${runId}`);
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

  test('folds equal calls, tells what Mayday did, numbers the lines of the diff and cuts none', async () => {
    const page = await openLater(0);
    await page.locator('.transcript ol[aria-busy="false"]').waitFor();
    const folded = page.locator('.transcript .folded');
    expect(await folded.innerText()).toContain('the same call, 2 more times, with the same result');
    expect(await page.locator('.transcript').innerText()).toMatch(/Mayday saved checkpoint \d/);
    await page
      .locator('.lane-life .own title', { hasText: 'Mayday prepares' })
      .waitFor({ state: 'attached' });
    expect(await page.locator('.story').innerText()).toContain('on the work of attempt 1');
    expect(await page.locator('.transcript .failed').count()).toBe(2);
    await folded.getByRole('button', { name: 'all' }).click();
    await expect.poll(() => page.locator('.transcript .failed').count()).toBe(4);
    const numbers = await page.locator('.transcript li:not(.own) .place span').allInnerTexts();
    expect(numbers, 'no number is left out').toEqual(numbers.map((_, at) => String(at + 1)));
    const lines = page.locator('.work pre .add');
    await lines.nth(1).waitFor();
    const shown = await page.evaluate(`[...document.querySelectorAll('.work pre .add')].map((line) => [
      getComputedStyle(line, '::before').content,
      line.firstElementChild.scrollWidth <= line.firstElementChild.clientWidth,
    ])`);
    expect(shown).toEqual([
      ['"1"', true],
      ['"2"', true],
    ]);
    await page.context().close();
  });

  test('e goes from error to error of the transcript, which tells where in it the cursor is', async () => {
    const path = `/api/runs/${asking.runId}/transcript?only=failed`;
    const { entries } = (await world.send(path, { headers: await world.login() })).body as {
      entries: readonly { readonly at: string }[];
    };
    expect(entries).toHaveLength(4);
    const page = await openLater(0);
    await page.goto(`${world.desk.url}runs/${asking.runId}?at=${asking.createdAt}`);
    await page.locator('.transcript ol[aria-busy="false"]').waitFor();
    await page.keyboard.press('e');
    await expect.poll(() => page.url()).toContain(`at=${Date.parse(entries[0]?.at ?? '')}`);
    await page.locator('.transcript header', { hasText: /attempt 1, \d+ of \d+/ }).waitFor();
    await page.context().close();
  });

  test('why tells the ways that were not chosen', async () => {
    const page = await openLater(0);
    await page.keyboard.press('[');
    await page.locator('.story [aria-current="true"]').getByText('why').click();
    const why = page.locator('.story [aria-current="true"] details');
    await why.getByText('Not chosen').waitFor();
    expect(await why.innerText()).toMatch(/another agent\s+no other agent is named/);
    await page.context().close();
  });

  test('a person saves, stops after a second word, and flags only an agent that works', async () => {
    const page = await openLater(0);
    const acts = page.getByRole('group', { name: 'What you can do' });
    const named = await acts.getByRole('button').allInnerTexts();
    expect(named.map((text) => text.replaceAll(/\s+/g, ' '))).toEqual(['Diff f', 'Stop s']);
    // No agent works: there is nothing to pause or to save, by a key as little as by a click, and the work is where it was saved last.
    const sentWhileNoneWorks: string[] = [];
    page.on('request', (request) => request.method() === 'POST' && sentWhileNoneWorks.push(request.url()));
    await page.keyboard.press('!');
    await page.keyboard.press('c');
    expect(await page.getByLabel('Your words for').count()).toBe(0);
    expect(await page.getByRole('button', { name: /back to checkpoint/ }).count()).toBe(0);
    await page.keyboard.press('s');
    await page.getByText('Stop it?').waitFor();
    await page.keyboard.press('Escape');
    await page.getByText('Stop it?').waitFor({ state: 'detached' });
    expect(page.url()).toContain(`/runs/${asking.runId}`);
    expect(sentWhileNoneWorks).toEqual([]);
    // An agent that works: what is said to it is what the person wrote.
    await page.route(`**/api/runs/${asking.runId}`, async (route) => {
      const answer = await route.fetch();
      await route.fulfill({ response: answer, json: { ...(await answer.json()), word: 'working' } });
    });
    await page.route('**/flag', (route) => route.fulfill({ json: { result: 'flagged' } }));
    await page.reload();
    await page.getByRole('button', { name: 'Save a checkpoint' }).waitFor();
    await page.keyboard.press('c');
    await acts.getByText(/The work is saved as checkpoint \d+/).waitFor();
    await page.getByRole('button', { name: 'Raise a flag' }).click();
    await page.getByLabel('Your words for').fill('wrong file');
    const [sent] = await Promise.all([page.waitForRequest('**/flag'), page.keyboard.press('Enter')]);
    expect(sent.postDataJSON()).toEqual({ reason: 'wrong file' });
    await acts.getByText('The flag is raised').waitFor();
    await page.context().close();
  });

  test('a delivered run says how to take its work, and leads to its diff', async () => {
    const { runId } = await world.repository.run(DONE, 'write a.txt at once', { sink: 'branch:ready' });
    const page = await openLater(0, runId);
    const head = page.locator('.run-head');
    expect(await head.locator('code').allInnerTexts()).toEqual([
      runId,
      `mayday diff ${runId}`,
      'git merge ready',
    ]);
    expect(await head.innerText()).not.toContain('stage');
    expect(await head.getByRole('button').first().innerText()).toMatch(/^See the diff/);
    expect(await page.getByRole('button', { name: 'Stop' }).count()).toBe(0);
    await page.locator('.work pre .add').first().waitFor();
    await page.keyboard.press('f');
    expect(await page.evaluate("document.activeElement?.classList.contains('files')")).toBe(true);
    await page.context().close();
  });

  test('on a phone the story is in sight, the timeline one touch away, and everything large enough for a thumb', async () => {
    const page = await openLater(0);
    await page.setViewportSize({ width: 390, height: 844 });
    const chart = page.locator('details.chart');
    await chart.waitFor();
    expect(await page.locator('.timeline').isVisible()).toBe(false);
    expect((await page.locator('.story li').first().boundingBox())?.y).toBeLessThan(844 - 56);
    await chart.getByText('Timeline').click();
    await page.locator('.timeline .lane-life .attempt').first().waitFor();
    const touched = page.locator(
      '.run-head .button:visible, .find:visible, .jumps button:visible, .chart summary',
    );
    for (const one of await touched.all())
      expect((await one.boundingBox())?.height, await one.innerText()).toBeGreaterThanOrEqual(44);
    await page.context().close();
  });

  test('the timeline tells when it begins and when it ends, and a fold tells inside itself how long it is', async () => {
    const page = await openLater(HOUR);
    await page.locator('.timeline .fold').first().waitFor();
    const outside = await page.evaluate(`[...document.querySelectorAll('.timeline .fold')].filter((fold) => {
      const box = fold.querySelector('rect').getBoundingClientRect();
      return [...fold.querySelectorAll('text')].some((words) => {
        const { left, right, top, bottom } = words.getBoundingClientRect();
        return left < box.left || right > box.right || top < box.top || bottom > box.bottom;
      });
    }).length`);
    expect(outside).toBe(0);
    const begin = await page.locator('.timeline .hour').first().textContent();
    expect(begin).toMatch(/\d\d:\d\d/);
    await page.locator('.timeline .cursor text', { hasText: /now \d\d:\d\d/ }).waitFor();
    await page.context().close();
  });

  test('a line of life that is cut at the left says so', async () => {
    const page = await openLater(HOUR);
    await page.goto(world.desk.url);
    const row = page.locator(`[data-run="${asking.runId}"]`);
    await row.waitFor();
    expect(await row.locator('.earlier').count(), 'all of it is shown').toBe(0);
    await page.keyboard.press('+');
    await page.keyboard.press('+');
    await row.locator('.earlier text', { hasText: 'earlier' }).waitFor();
    await page.context().close();
  });

  test('all keys begin with those of this page, and every list fits on a small screen', async () => {
    const page = await openLater(0);
    await page.setViewportSize({ width: 1000, height: 500 });
    for (const [open, dialog] of [
      ['?', '#all-keys'],
      ['Control+k', '.palette'],
    ] as const) {
      await page.keyboard.press(open);
      const box = await page.locator(dialog).boundingBox();
      expect((box?.y ?? 0) + (box?.height ?? 0), open).toBeLessThanOrEqual(500);
      await page.keyboard.press('Escape');
    }
    expect(await page.locator('#all-keys h3').first().textContent()).toBe('A run (this page)');
    await page.context().close();
  });
});
