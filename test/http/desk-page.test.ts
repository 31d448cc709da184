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
