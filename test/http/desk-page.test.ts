/** The page of the desk in a real Chromium, over real runs: live, one key, only text, readable for everyone. */
import { readFileSync } from 'node:fs';
import { AxeBuilder } from '@axe-core/playwright';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { agentFiles, attemptDir } from '../../src/act/run-files.ts';
import { openQuestion, type RunState } from '../../src/core/state/run-state.ts';
import { loadState } from '../../src/supervise/load-state.ts';
import { enter, openBrowser } from './browser.ts';
import { DeskWorld } from './desk-world.ts';

const MARKUP = `<img src=x onerror="window.broken=1"><script>window.broken=1</script>"'\`{{7*7}}\u202Ejavascript:`;
/** The first attempt leaves the wrong file; the one after the answer does the work. */
const STUCK = {
  attempts: [
    { steps: [{ write: { 'b.txt': 'B' } }, { claim: MARKUP }, { exit: 0 }] },
    { steps: [{ write: { 'a.txt': 'A' } }, { exit: 0 }] },
  ],
};
const ASK_AT_ONCE = { policy: { restarts: 0 } };

const opened = await openBrowser();

describe.skipIf(opened === null)('the page', () => {
  const browser = opened as Browser;
  let world: DeskWorld;
  const complaints: string[] = [];
  let asks: Promise<RunState> | undefined;
  const askingRun = () => (asks ??= world.repository.run(STUCK, 'write a.txt', ASK_AT_ONCE));

  beforeAll(async () => {
    world = await DeskWorld.open({ takeBackMs: 300 });
  });
  afterAll(async () => {
    await browser.close();
    await world.close();
  });

  async function open(options: BrowserContextOptions = {}, link = world.desk.link()): Promise<Page> {
    const page = await (await browser.newContext(options)).newPage();
    // A busy machine is slow; what never happens is found by the limit of the test.
    page.setDefaultTimeout(150_000);
    page.on('console', (message) => message.type() === 'error' && complaints.push(message.text()));
    page.on('pageerror', (error) => complaints.push(error.message));
    await enter(page, link);
    await page.getByText('live', { exact: true }).waitFor();
    return page;
  }

  test('a stuck run appears without a reload, one key answers it, it goes on and is delivered', async () => {
    const page = await open();
    await page.getByRole('heading', { name: 'No runs yet' }).waitFor();
    // An empty page says what to do.
    await page.getByText('mayday run --check').waitFor();
    // The sign to look for is shown as it will stand there, in words that can be read.
    const sign = "getComputedStyle(document.querySelector('.life-legend .state')).backgroundColor";
    expect(await page.evaluate(sign)).toBe('rgba(0, 0, 0, 0)');
    const asked = await world.repository.run(STUCK, `write a.txt ${MARKUP}`, ASK_AT_ONCE);
    expect(openQuestion(asked)).toBeDefined();
    const row = page.locator(`[data-run="${asked.runId}"]`);
    await row.getByText('needs you').waitFor();
    // A comment in the diff goes with the answer.
    await row.getByRole('link').first().click();
    // By keys as well as by a click: the heading of the hunk, then its first line.
    await page.locator('.work pre .add').first().waitFor();
    for (const key of ['j', 'j', 'm']) await page.keyboard.press(key);
    await page.getByLabel('Your words for').fill('the name is a.txt');
    await page.keyboard.press('Enter');
    await page.getByText('b.txt:1: the name is a.txt').waitFor();
    await page.keyboard.press('a');
    await page.getByRole('region', { name: 'Question' }).waitFor();
    await page.keyboard.press('1');
    await page.getByText('the run has it').waitFor();
    await page.keyboard.press('g');
    await page.keyboard.press('n');
    await row.getByText('delivered').waitFor();
    const state = await loadState(world.repository.record, asked.runId);
    expect(state.questions[0]?.answer).toMatchObject({ by: 'ann' });
    expect(state.life).toMatchObject({ type: 'ended', state: 'delivered' });
    const brief = readFileSync(agentFiles(attemptDir(world.repository.home, asked.runId, 2)).brief, 'utf8');
    expect(brief).toContain('b.txt:1: the name is a.txt');
    // The page of the run shows all of it: both attempts, the answer, the work, at one moment.
    await row.getByRole('link').first().click();
    await page.getByText('ann answered').waitFor();
    expect(await page.locator('.timeline .attempt').count()).toBe(2);
    await page.locator('.work').getByText('a.txt').waitFor();
    await page.keyboard.press('[');
    await page.locator('.story [aria-current="true"]').getByText('why').click();
    await page.locator('.story [aria-current="true"]').getByText('Decided').waitFor();
    expect(page.url()).toContain('?at=');
    await page.keyboard.press('g');
    await page.keyboard.press('n');
    // What the agent and the task said stays text.
    expect(await page.evaluate('window.broken')).toBeUndefined();
    await row.getByText('<img src=x').waitFor();
    expect(await page.locator('img, script:not([src])').count()).toBe(0);
    await page.context().close();
  });

  test.each([
    { colorScheme: 'light', viewport: { width: 1440, height: 860 } },
    { colorScheme: 'dark', viewport: { width: 390, height: 844 } },
  ] as const)('is readable for everyone: $colorScheme, $viewport.width wide', async (look) => {
    const asking = await askingRun();
    const page = await open(look);
    await page.locator(`[data-run="${asking.runId}"]`).waitFor();
    for (const address of [
      '',
      `inbox?question=${openQuestion(asking)?.question.id}`,
      `runs/${asking.runId}`,
    ]) {
      await page.goto(`${world.desk.url}${address}`);
      await page.locator('main:not([aria-busy])').waitFor();
      const { violations } = await new AxeBuilder({ page }).analyze();
      const serious = violations.filter(({ impact }) => impact === 'serious' || impact === 'critical');
      expect
        .soft(
          serious.map(({ id, nodes }) => [id, nodes[0]?.html]),
          address,
        )
        .toEqual([]);
      const overflows = await page.evaluate('document.documentElement.scrollWidth > innerWidth');
      expect.soft(overflows, `${address} is wider than the screen`).toBe(false);
      // All views are in sight, whatever the width.
      for (const link of await page.locator('.top nav a').all()) {
        const box = await link.boundingBox();
        expect
          .soft(Math.round((box?.x ?? -1) + (box?.width ?? 0)), address)
          .toBeLessThanOrEqual(look.viewport.width);
      }
    }
    await page.context().close();
  });

  test('on a phone the times of Now are few, each with its line, and stay in sight', async () => {
    const asking = await askingRun();
    const page = await open({ viewport: { width: 390, height: 500 } });
    await page.locator(`[data-run="${asking.runId}"]`).waitFor();
    const times = page.locator('.heads .axis .tick');
    expect(await times.count()).toBeLessThanOrEqual(3);
    await page.locator('.heads .axis b', { hasText: 'now' }).waitFor();
    const boxes = await Promise.all(
      (await page.locator('.heads .axis > *').all()).map((one) => one.boundingBox()),
    );
    const ordered = boxes.map((box) => box ?? { x: 0, width: 0 }).toSorted((a, b) => a.x - b.x);
    for (const [index, box] of ordered.entries())
      expect(box.x, 'no time touches the next').toBeGreaterThan(
        index === 0 ? -1 : (ordered[index - 1]?.x ?? 0) + (ordered[index - 1]?.width ?? 0),
      );
    await page.evaluate('scrollTo(0, document.documentElement.scrollHeight)');
    expect((await page.locator('.heads').boundingBox())?.y).toBeGreaterThanOrEqual(0);
    await page.context().close();
  });

  test('every page says that scripts play the agents, on a phone too', async () => {
    await askingRun();
    for (const viewport of [
      { width: 1440, height: 860 },
      { width: 390, height: 844 },
    ]) {
      const page = await open({ viewport });
      for (const address of ['', 'inbox', 'numbers']) {
        await page.goto(`${world.desk.url}${address}`);
        await page.getByText('rehearsal: scripts play these agents, no model is asked').waitFor();
      }
      await page.context().close();
    }
  });

  test('on a phone the question comes first, the list of all below it', async () => {
    const asking = await askingRun();
    const page = await open({ viewport: { width: 390, height: 844 } });
    await page.goto(`${world.desk.url}inbox?question=${openQuestion(asking)?.question.id}`);
    const question = await page.getByRole('region', { name: 'Question' }).boundingBox();
    const list = await page.getByRole('navigation', { name: 'Open questions' }).boundingBox();
    expect(list?.y).toBeGreaterThanOrEqual((question?.y ?? 0) + (question?.height ?? 0));
    await page.context().close();
  });

  test('every key cap has its letter or its drawing, and a recommended answer looks like the others', async () => {
    const asking = await askingRun();
    const page = await open({ viewport: { width: 1440, height: 860 } });
    await page.goto(`${world.desk.url}runs/${asking.runId}`);
    await page.locator('.hints kbd').first().waitFor();
    const written = await page.evaluate(
      "[...document.querySelectorAll('kbd')].map((cap) => cap.textContent).join('')",
    );
    expect(written, 'no letter that fonts lack').toMatch(/^[\u0020-\u00ff]+$/);
    expect(await page.locator('.hints kbd svg[aria-label^="Arrow"]').count()).toBe(2);
    await page.goto(`${world.desk.url}inbox?question=${openQuestion(asking)?.question.id}`);
    await page.locator('.options .tag', { hasText: 'recommended' }).waitFor();
    const grounds = await page.evaluate(
      "[...new Set([...document.querySelectorAll('.options button')].map((one) => getComputedStyle(one).backgroundColor))].length",
    );
    expect(grounds).toBe(1);
    await page.context().close();
  });

  test('an accepted run is called delivered, not proven, in the list and on its page', async () => {
    const steps = [{ write: { 'b.txt': 'B' } }, { exit: 0 }];
    const half = await world.repository.run({ attempts: [{ steps }] }, 'write a.txt', ASK_AT_ONCE);
    await world.repository.say(half, { type: 'accept_requested', by: 'ann', note: 'b is enough' });
    const page = await open({ viewport: { width: 1440, height: 860 } });
    const row = page.locator(`[data-run="${half.runId}"]`);
    await row.getByText('delivered, not proven').waitFor();
    await row.getByText('accepted by ann: b is enough').first().waitFor();
    await page.goto(`${world.desk.url}runs/${half.runId}`);
    await page.locator('h1', { hasText: 'delivered, not proven' }).waitFor();
    await page.context().close();
  });

  test('where an agent offers choices none is recommended, and words alone answer nothing', async () => {
    const blocker = { reason: 'unclear', question: 'Which?', options: ['drop the table', 'keep it'] };
    const script = { attempts: [{ steps: [{ blocker }, { exit: 0 }] }] };
    const asked = await world.repository.run(script, 'choose', ASK_AT_ONCE);
    const id = openQuestion(asked)?.question.id ?? '';
    const page = await open({ viewport: { width: 1440, height: 860 } });
    await page.goto(`${world.desk.url}inbox?question=${id}`);
    await page.locator('.options', { hasText: 'drop the table' }).waitFor();
    expect(await page.locator('.options .tag', { hasText: 'recommended' }).count()).toBe(0);
    await page.keyboard.press('n');
    await page.locator('#note').fill('please look again');
    await page.locator('#note').press('Enter');
    await page.locator('#note').waitFor({ state: 'detached' });
    expect(await page.locator('.options .tag', { hasText: 'your answer' }).count()).toBe(0);
    await page.context().close();
  });

  test('on a phone the views are at the bottom, large enough for a thumb, and the rare ones one touch away', async () => {
    const page = await open({ viewport: { width: 390, height: 844 } });
    const seen = page.locator('.top nav > *:visible');
    expect(await seen.count()).toBe(4);
    for (const tab of await seen.all()) {
      const box = await tab.boundingBox();
      expect(box?.y).toBeGreaterThan(780);
      expect(box?.height).toBeGreaterThanOrEqual(48);
    }
    const letters = "getComputedStyle(document.querySelector('.top nav a')).fontSize";
    expect(await page.evaluate(letters)).toBe('16px');
    await page.getByRole('button', { name: 'More' }).click();
    expect(await seen.count()).toBe(8);
    await page.getByRole('link', { name: 'Causes' }).click();
    await page.locator('main:not([aria-busy]) h1').waitFor();
    expect(page.url()).toContain('/causes');
    expect(await seen.count()).toBe(4);
    await page.context().close();
  });

  test('a run takes two lines of Now, so that twenty fit on a screen, and v shows whole sentences', async () => {
    const asking = await askingRun();
    // A screen that is full of runs has no room for more lines of a sentence.
    const page = await open({ viewport: { width: 1440, height: 260 } });
    const row = page.locator('.row:not(.needs):not(.heads)').first();
    await page.locator(`[data-run="${asking.runId}"]`).waitFor();
    expect((await row.boundingBox())?.height).toBeLessThanOrEqual((860 - 140) / 20);
    await page.keyboard.press('v');
    await page.locator('.rows.whole').waitFor();
    await page.context().close();
  });

  test('no sentence of Now is cut while there is room for it', async () => {
    const asking = await askingRun();
    const page = await open({ viewport: { width: 1000, height: 860 } });
    await page.locator(`[data-run="${asking.runId}"]`).waitFor();
    const cut =
      "[...document.querySelectorAll('.row .why')].filter((why) => why.scrollWidth > why.clientWidth).length";
    expect(await page.evaluate(cut)).toBe(0);
    await page.context().close();
  });

  test('a bracket of Now names its incident, and a filter that finds nothing leads back to all', async () => {
    const asking = await askingRun();
    const page = await open();
    const row = page.locator(`[data-run="${asking.runId}"]`);
    await row.locator('.life .incident text').waitFor();
    expect(await row.locator('.life .incident text').textContent()).toBe('false success');
    expect(await row.locator('.life .own').count(), 'Mayday prepared and checked').toBeGreaterThan(0);
    expect(await row.locator('.why code').first().innerText(), 'words of machines').toBe('test -f a.txt');
    expect(await row.locator('.why').innerText()).toContain('test -f a.txt fails (exit 1)');
    expect(await page.locator('.axis .tick').count()).toBeGreaterThan(2);
    await page.goto(`${world.desk.url}?show=stopped`);
    await page.getByText('No run is “stopped” now.').waitFor();
    await page.getByRole('button', { name: /^Show all/ }).click();
    await row.waitFor();
    await page.context().close();
  });

  async function countOf(page: Page): Promise<number> {
    return Number.parseInt((await page.locator('.count').allInnerTexts()).join('') || '0', 10);
  }

  test('an answer that was the wrong key is taken back with z, and the run never hears it', async () => {
    const asking = await askingRun();
    const patient = await DeskWorld.open({ in: world.repository, takeBackMs: 600_000 });
    const page = await open({}, patient.desk.link());
    await page.goto(`${patient.desk.url}inbox?question=${openQuestion(asking)?.question.id}`);
    await page.getByRole('region', { name: 'Question' }).waitFor();
    const label = await page.locator('.options b').first().innerText();
    const counted = await countOf(page);
    await page.keyboard.press('1');
    await page.getByText('Take back').waitFor();
    // The bar names the option as the person saw it; the row is no longer counted.
    expect(await page.locator('.answer-bar b').innerText()).toBe(label);
    await page.locator('.questions a.answered').waitFor();
    expect(await countOf(page)).toBe(counted - 1);
    // What was taken has a tick; what it needed is past; the time to take it back is the only deadline.
    expect(await page.locator('.options .taken kbd svg').count()).toBe(1);
    expect(await page.locator('.evidence .life rect.asked').count(), 'it needed a person until then').toBe(1);
    expect(await page.locator('.evidence .life rect.needs').count(), 'and needs none now').toBe(0);
    const safety = await page.locator('.safety').innerText();
    expect(safety).toMatch(/take your answer back until \d\d:\d\d:\d\d/);
    expect(safety).not.toContain('deadline');
    expect(await page.locator('.questions .answered').innerText()).toMatch(/answered after \d+ (s|min)/);
    // Orange is a promise: no other page keeps it either.
    await page.keyboard.press('g');
    await page.keyboard.press('n');
    const row = page.locator(`[data-run="${asking.runId}"]`);
    await row.getByText('answered', { exact: true }).waitFor();
    expect(await row.getAttribute('class')).not.toContain('needs');
    expect(await row.locator('.life rect.needs').count()).toBe(0);
    await row.getByRole('link', { name: 'write a.txt' }).click();
    await page.locator('.run-head .state', { hasText: 'answered' }).waitFor();
    expect(await page.locator('.run-head.needs, .lane-life .needs, .run-head .must').count()).toBe(0);
    await page.getByRole('link', { name: 'See your answer' }).click();
    await page.keyboard.press('z');
    await page.getByText('Take back').waitFor({ state: 'detached' });
    await expect.poll(() => countOf(page)).toBe(counted);
    await page.context().close();
    await patient.desk.close();
    expect((await loadState(world.repository.record, asking.runId)).seq).toBe(asking.seq);
  });

  test('a viewer sees the question and cannot answer it', async () => {
    const asking = await askingRun();
    const headers = await world.login();
    const invited = { method: 'POST', headers, body: { role: 'viewer', by: 'vic' } };
    const page = await open({}, (await world.send('/api/links', invited)).body['url'] as string);
    await page.goto(`${world.desk.url}inbox?question=${openQuestion(asking)?.question.id}`);
    await page.getByRole('region', { name: 'Question' }).waitFor();
    expect(await page.locator('.options button:enabled').count()).toBe(0);
    await page.keyboard.press('1');
    await page.keyboard.press('g');
    await page.keyboard.press('n');
    await page.getByText('vic, invited by ann, looking only').waitFor();
    expect((await world.send('/api/inbox', { headers })).body['answers']).not.toContainEqual(
      expect.objectContaining({ by: 'vic, invited by ann' }),
    );
    await page.context().close();
  });

  test('nothing on the page complained: no broken policy, no missing file, no error', () => {
    expect(complaints).toEqual([]);
    expect(world.faults).toEqual([]);
  });
});
