/** The views about many runs in a real Chromium: one answer for three runs, holds, causes, lessons, numbers; and nothing but text in them. */
import type { InboxDocument } from '../../src/http/inbox-document.ts';
import { execFileSync } from 'node:child_process';
import { AxeBuilder } from '@axe-core/playwright';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import type { RunState } from '../../src/core/state/run-state.ts';
import { openQuestion } from '../../src/core/state/run-state.ts';
import { addLesson } from '../../src/supervise/lessons/lesson-desk.ts';
import { MAYDAY } from '../mayday-under-test.ts';
import { enter, openBrowser } from './browser.ts';
import { DeskWorld } from './desk-world.ts';
import { INJECTIONS } from './injections.ts';

const DONE = { steps: [{ write: { 'a.txt': 'A' } }, { exit: 0 }] };
const LOGGED_OUT = { steps: [{ error: 'Invalid API key · Please run /login' }, { exit: 1 }] };
/** Runs that a hold let go start one after the other; here they need not. */
const AT_ONCE = { policy: { wake_stagger_ms: 1 } };

const opened = await openBrowser();

describe.skipIf(opened === null)('the views about many runs', () => {
  const browser = opened as Browser;
  const complaints: string[] = [];
  let world: DeskWorld;
  let asker: RunState;
  let held: readonly Promise<RunState>[];

  beforeAll(async () => {
    world = await DeskWorld.open();
    const { repository } = world;
    asker = await repository.run({ attempts: [LOGGED_OUT, DONE] }, 'first of three', AT_ONCE);
    expect(openQuestion(asker)).toBeDefined();
    held = ['second of three', 'third of three'].map((task) =>
      repository.run({ attempts: [DONE] }, task, AT_ONCE),
    );
    const waiting = async () =>
      (await repository.record.rows()).filter(({ state }) => state === 'waiting').length === 3;
    await vi.waitUntil(waiting, { timeout: 120_000, interval: 50 });
  });
  afterAll(async () => {
    await browser.close();
    await world.close();
  });

  async function open(options: BrowserContextOptions = {}): Promise<Page> {
    const page = await (await browser.newContext(options)).newPage();
    page.setDefaultTimeout(150_000);
    page.on('console', (message) => message.type() === 'error' && complaints.push(message.text()));
    page.on('pageerror', (error) => complaints.push(error.message));
    await enter(page, world.desk.link());
    await page.getByText('live', { exact: true }).waitFor();
    return page;
  }

  /** The first row of a table, by the heads of its columns. */
  async function counts(page: Page): Promise<Record<string, string>> {
    const cells = await page.locator('tbody tr').first().locator('td[data-head]').all();
    const named = cells.map(async (cell) => [await cell.getAttribute('data-head'), await cell.innerText()]);
    return Object.fromEntries(await Promise.all(named)) as Record<string, string>;
  }

  async function keys(page: Page, ...pressed: readonly string[]): Promise<void> {
    for (const key of pressed) await page.keyboard.press(key);
  }

  test('one answer lets all three runs go on, and the cause keeps what happened', async () => {
    const page = await open();
    await keys(page, 'g', 'h');
    await page.getByText('the login of this account is refused').waitFor();
    await page.getByRole('link', { name: 'third of three' }).waitFor();
    await keys(page, 'g', 'c');
    await page.getByRole('heading', { name: 'Causes' }).waitFor();
    expect(await counts(page)).toMatchObject({
      Incidents: '1',
      Runs: '1',
      'Also held': '2',
      Rescued: '–',
      Open: '1',
    });
    await keys(page, 'g', 'h');
    await page.getByRole('link', { name: 'Answer' }).click();
    await page.getByRole('heading', { name: /One answer serves \w+ and 2 held runs\./ }).waitFor();
    const shown = await page.locator('.held .first code').allInnerTexts();
    const headers = await world.login();
    const asked = (await world.send('/api/inbox', { headers })).body as unknown as InboxDocument;
    const since = ({ run_id, waits }: InboxDocument['questions'][number]['held'][number]) =>
      run_id === asker.runId ? '' : (waits.findLast(({ to }) => to === null)?.from ?? '');
    const inOrder = (asked.questions[0]?.held ?? []).toSorted((a, b) => since(a).localeCompare(since(b)));
    expect(asked.questions[0]?.serves, 'the run that asks is not held').toBe(
      `${asker.runId} and 2 held runs`,
    );
    expect(shown, 'who asks, then in the order in which they were held').toEqual(
      inOrder.map(({ run_id }) => run_id),
    );
    await page.getByText('These runs are stopped and cost nothing. No deadline.').waitFor();
    await page.getByText('Agents that already work go on, because their own calls').waitFor();
    await page.getByText('Mayday knows no command that renews the login of rehearsal').waitFor();
    const phone = await open({ viewport: { width: 390, height: 844 } });
    await phone.goto(page.url());
    const names = phone.getByRole('list', { name: 'Runs that the answer is for' });
    await names.getByText('third of three').waitFor();
    const end = (await names.boundingBox()) ?? { y: 0, height: 0 };
    expect((await phone.locator('.options').boundingBox())?.y).toBeGreaterThan(end.y + end.height);
    await phone.context().close();
    for (const option of await page.locator('.options li').allInnerTexts())
      expect(option, 'each says whether it needs a note').toMatch(/needs a note|note optional/);
    expect(await page.locator('.facts').innerText()).toMatch(/on host \S+, as the user of these runs/);
    await keys(page, '1');
    await page.getByText('the run has it').waitFor();
    for (const run of held) expect((await run).life).toMatchObject({ type: 'ended', state: 'delivered' });
    await keys(page, 'g', 'n');
    await expect
      .poll(() => page.locator('.row .state').allInnerTexts(), { timeout: 120_000 })
      .toEqual(Array(3).fill('delivered'));
    await keys(page, 'g', 'h');
    await page.getByRole('heading', { name: 'Nothing is held' }).waitFor();
    await keys(page, 'g', 'c');
    await page.getByRole('heading', { name: 'Causes' }).waitFor();
    await expect
      .poll(() => counts(page))
      .toMatchObject({ Incidents: '1', 'Also held': '–', Rescued: '1', Open: '–' });
    const causeId = await page.locator('.list code').first().innerText();
    await keys(page, 'Enter');
    await page.getByRole('heading', { name: 'Invalid API key' }).waitFor();
    // One name for one cause, in the list and on its page.
    expect(await page.locator('.cause header p code').innerText()).toBe(causeId);
    await page.getByRole('link', { name: 'first of three' }).first().waitFor();
    await page.context().close();
  });

  test('a lesson is approved and retired by keys, and the record has the word of the person', async () => {
    const { repository: folder } = world.repository;
    const empty = { fingerprints: [], paths: [], agents: [], words: [], commands: [], expires: null };
    const draft = { title: 'log in first', guidance: 'Run /login.', classes: ['auth_failure'], ...empty };
    const { id } = await addLesson(folder, draft, { by: 'ann', note: '', at: Date.now() });
    const page = await open();
    await keys(page, 'g', 'l');
    const entry = page.locator('.sheet li', { hasText: 'log in first' });
    await entry.getByText('proposed').waitFor();
    await page.goto(`${world.desk.url}lessons?lesson=${id}`);
    await entry.getByText('proposed').waitFor();
    await entry.getByRole('heading', { name: 'Agents would be told' }).waitFor();
    // A quiet count beside Lessons: what waits there keeps no run waiting.
    const toDecide = page.getByRole('link', { name: /^Lessons \d+ to decide/ });
    await toDecide.waitFor();
    const counted = Number.parseInt(await page.locator('a .quiet-count').innerText(), 10);
    await keys(page, 'y');
    await entry.getByText('approved by ann').waitFor();
    await expect
      .poll(async () =>
        Number.parseInt((await page.locator('a .quiet-count').allInnerTexts()).join('') || '0', 10),
      )
      .toBe(counted - 1);
    await entry.getByRole('heading', { name: 'Agents are told' }).waitFor();
    expect(await entry.innerText(), 'no path of this machine').not.toContain(folder);
    await keys(page, 'x');
    await page.getByLabel('Your words for').fill('it is in the README now');
    await keys(page, 'Enter');
    await entry
      .getByText(/rejected|revoked/)
      .first()
      .waitFor();
    await page.context().close();
  });

  test('the numbers are those of the command line', async () => {
    const { home } = world.repository;
    const env = { ...process.env, MAYDAY_HOME: home };
    const printed = (...words: string[]) =>
      execFileSync(process.execPath, [MAYDAY, 'report', ...words], { env, encoding: 'utf8' });
    // Each was made at a moment of its own.
    const told = (text: string) =>
      JSON.parse(text, (key, value: unknown) =>
        ['generated_at', 'period', 'from', 'to'].includes(key) ? null : value,
      ) as unknown;
    const { text } = await world.send('/api/report', { headers: await world.login() });
    expect(told(text)).toEqual(told(printed('--json')));
    const page = await open();
    await keys(page, 'g', 'u');
    await page.getByText('Total agent tasks').waitFor();
    const shown = (await page.locator('.sections').innerText()).replaceAll(/\s+/g, ' ');
    const lines = printed().split('\n');
    for (const label of ['Total agent tasks', 'Successful first try', 'Required recovery', 'Still open']) {
      const line = lines.find((one) => one.includes(label)) ?? '';
      expect.soft(shown).toContain(line.trim().replace(':', '').replaceAll(/\s+/g, ' '));
    }
    // A figure opens the runs behind it, and a run of it its page.
    await page.locator('.figures div', { hasText: 'Total agent tasks' }).getByRole('link').click();
    const { total } = (JSON.parse(text) as { tasks: { total: number } }).tasks;
    await page.getByText(`${total} runs are behind it`).waitFor();
    expect(await page.locator('tbody tr').count()).toBe(total);
    await keys(page, 'Escape');
    await page.locator('table').getByRole('link', { name: 'auth failure', exact: true }).click();
    await page.getByText('1 run is behind it').waitFor();
    await page.getByRole('link', { name: 'first of three' }).click();
    await page.getByRole('heading', { name: 'first of three' }).waitFor();
    await page.context().close();
  });

  test('Ctrl-K finds a run by its words and opens it', async () => {
    const page = await open();
    await page.keyboard.press('Control+k');
    await page.getByRole('combobox').fill('second');
    await keys(page, 'Enter');
    await page.getByRole('heading', { name: 'second of three' }).waitFor();
    await page.keyboard.press('Control+k');
    await page.getByRole('combobox').fill('numbers');
    await keys(page, 'Enter');
    await page.getByText('Total agent tasks').waitFor();
    await page.context().close();
  });

  test('the link of a message leads to its page after the login', async () => {
    const page = await (await browser.newContext()).newPage();
    await page.goto(`${world.desk.url}runs/${asker.runId}`);
    await page.getByText('open the link that mayday serve prints').waitFor();
    await enter(page, world.desk.link());
    await page.getByRole('heading', { name: 'first of three' }).waitFor();
    expect(page.url()).toContain(`/runs/${asker.runId}`);
    await page.context().close();
  });

  const VIEWS = [
    '',
    'inbox',
    'causes',
    'causes?open=',
    'lessons',
    'holds',
    'hosts',
    'numbers',
    'numbers?figure=all',
    'runs/',
  ];
  /** Names that lead to another document, times and states; every other text of every answer is replaced. */
  const KEPT =
    /^(?:id|run_id|run|runs|waiting|question|owner|word|state|status|kind|type|csrf|role|.*_at|at|from|to|until)$/;

  test('two hundred injections in every text of every answer stay text', async () => {
    const page = await open();
    const causes = (await world.send('/api/causes', { headers: await world.login() })).body['causes'];
    const [cause] = causes as { readonly id: string }[];
    let next = 0;
    const planted = (value: unknown, key: string): unknown => {
      if (typeof value === 'string') return KEPT.test(key) ? value : INJECTIONS[next++ % INJECTIONS.length];
      if (Array.isArray(value)) return value.map((one) => planted(one, key));
      if (typeof value !== 'object' || value === null) return value;
      return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, planted(one, name)]));
    };
    await page.route('**/api/**', async (route) => {
      if (route.request().url().includes('/api/changes')) return await route.continue();
      const answer = await route.fetch();
      await route.fulfill({ response: answer, json: planted(await answer.json(), '') });
    });
    for (const view of VIEWS) {
      const name = view.endsWith('=') ? (cause?.id ?? '') : view.endsWith('/') ? asker.runId : '';
      await page.goto(`${world.desk.url}${view}${name}`);
      await page.locator('main:not([aria-busy])').waitFor();
      expect.soft(await page.evaluate('window.broken'), view).toBeUndefined();
      const foreign =
        'img, iframe, object, video, form[action], script:not([src]), style, [onload], [onerror]';
      expect.soft(await page.locator(foreign).count(), view).toBe(0);
      expect.soft(await page.locator('a[href^="javascript:" i], a[href^="data:" i]').count(), view).toBe(0);
    }
    expect(next).toBeGreaterThan(INJECTIONS.length);
    // The last page may still ask for something.
    await page.unrouteAll({ behavior: 'ignoreErrors' });
    await page.context().close();
  });

  test.each([
    { colorScheme: 'light', viewport: { width: 390, height: 844 } },
    { colorScheme: 'dark', viewport: { width: 1440, height: 860 } },
  ] as const)('every view is readable for everyone: $colorScheme, $viewport.width wide', async (look) => {
    const page = await open(look);
    const { causes } = (await world.send('/api/causes', { headers: await world.login() })).body as {
      causes: { id: string }[];
    };
    expect(causes).not.toEqual([]);
    const cause = `causes?open=${causes[0]?.id}`;
    for (const view of ['causes', cause, 'lessons', 'holds', 'hosts', 'numbers', 'numbers?figure=all']) {
      await page.goto(`${world.desk.url}${view}`);
      await page.locator('main:not([aria-busy])').waitFor();
      const { violations } = await new AxeBuilder({ page }).analyze();
      const serious = violations.filter(({ impact }) => impact === 'serious' || impact === 'critical');
      const found = serious.map(({ id, nodes }) => [id, nodes[0]?.html]);
      expect.soft(found, view).toEqual([]);
      const overflows = await page.evaluate('document.documentElement.scrollWidth > innerWidth');
      expect.soft(overflows, `${view} is wider than the screen`).toBe(false);
      const cut =
        '[...document.querySelectorAll(".scroll")].filter((one) => one.scrollWidth > one.clientWidth).length';
      expect.soft(await page.evaluate(cut), `a table of ${view} is cut`).toBe(0);
    }
    await page.context().close();
  });

  test('nothing on the page complained', () => {
    expect(complaints).toEqual([]);
    expect(world.faults).toEqual([]);
  });
});
