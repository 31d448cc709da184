/** The page in a real Chromium while its server goes away and comes back: the login, the session, and what a person answers meanwhile. */
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openQuestion, type RunState } from '../../src/core/state/run-state.ts';
import { loadState } from '../../src/supervise/load-state.ts';
import { RehearsalRepository } from '../context/rehearsal-repository.ts';
import { enter, openBrowser } from './browser.ts';
import { DeskWorld } from './desk-world.ts';

/** The first attempt leaves the wrong file; the one after the answer does the work. */
const STUCK = {
  attempts: [
    { steps: [{ write: { 'b.txt': 'B' } }, { exit: 0 }] },
    { steps: [{ write: { 'a.txt': 'A' } }, { exit: 0 }] },
  ],
};

const opened = await openBrowser();

describe.skipIf(opened === null)('a page that lost its server', () => {
  const browser = opened as Browser;
  let repository: RehearsalRepository;
  let world: DeskWorld;
  let port: number;

  beforeAll(async () => {
    repository = await RehearsalRepository.make();
    const first = await DeskWorld.open({ in: repository });
    port = Number(new URL(first.desk.url).port);
    await first.desk.close();
    await serve();
  });
  afterAll(async () => {
    await browser.close();
    await world.close();
  });

  const serve = async () => (world = await DeskWorld.open({ in: repository, port, takeBackMs: 300 }));
  const asking = () => repository.run(STUCK, 'write a.txt', { policy: { restarts: 0 } });

  async function open(link = world.desk.link(), options: BrowserContextOptions = {}): Promise<Page> {
    const page = await (await browser.newContext(options)).newPage();
    // A busy machine is slow; what never happens is found by the limit of the test.
    page.setDefaultTimeout(150_000);
    await enter(page, link);
    return page;
  }

  async function openInbox(state: RunState): Promise<Page> {
    const page = await open();
    await page.getByText('live', { exact: true }).waitFor();
    await page.goto(`${world.desk.url}inbox?question=${openQuestion(state)?.question.id}`);
    await page.getByRole('region', { name: 'Question' }).waitFor();
    await page.getByText('live', { exact: true }).waitFor();
    return page;
  }

  async function answersIn({ runId }: RunState): Promise<readonly unknown[]> {
    const events = await repository.record.events(runId);
    return events.filter(({ type }) => type === 'question_answered');
  }

  test('a link logs in by its button, without scripts too, and says whom it lets in', async () => {
    const page = await open(world.desk.link(), { javaScriptEnabled: false });
    await page.waitForURL(world.desk.url);
    expect((await page.context().cookies())[0]).toMatchObject({ httpOnly: true, sameSite: 'Strict' });
    await page.goto(world.desk.link());
    await page.getByRole('heading', { name: 'You are ann' }).waitFor();
    const used = world.desk.link();
    await world.login(used);
    await page.goto(used);
    await page.getByText('this link was used before').waitFor();
    expect(await page.getByRole('button').count()).toBe(0);
    await page.goto(`${world.desk.url}nowhere`);
    await page.getByText('there is no page').waitFor();
    await page.context().close();
  });

  test('says so, comes back by itself with the same session, and sends once what was answered meanwhile', async () => {
    const state = await asking();
    const page = await openInbox(state);
    await world.desk.close();
    await page.getByText('The desk does not answer.').waitFor();
    await page.getByText('reconnecting', { exact: true }).waitFor();
    await page.keyboard.press('1');
    await page.getByText('not sent yet').first().waitFor();
    // Only the one thing is said: it is kept, and will be sent.
    expect(await page.getByText('may not have been done').count()).toBe(0);
    expect(await answersIn(state)).toEqual([]);
    await serve();
    await page.getByText('live', { exact: true }).waitFor();
    await page.getByText('The desk does not answer.').waitFor({ state: 'detached' });
    await page.getByText('the run has it').waitFor();
    expect(await answersIn(state)).toHaveLength(1);
    expect((await loadState(repository.record, state.runId)).questions[0]?.answer).toMatchObject({
      by: 'ann',
    });
    await page.context().close();
  });

  test('takes an answer back that is not sent yet, and the run never hears it', async () => {
    const state = await asking();
    const page = await openInbox(state);
    await world.desk.close();
    await page.getByText('The desk does not answer.').waitFor();
    await page.keyboard.press('1');
    await page.getByText('not sent yet').first().waitFor();
    await page.keyboard.press('z');
    await page.getByText('not sent yet').first().waitFor({ state: 'detached' });
    await serve();
    await page.getByText('live', { exact: true }).waitFor();
    const headers = await world.login();
    expect((await world.send('/api/inbox', { headers })).body['answers']).toEqual([]);
    expect((await loadState(repository.record, state.runId)).seq).toBe(state.seq);
    await page.context().close();
  });

  test('an answer whose receipt got lost is sent again and counts once', async () => {
    const state = await asking();
    const page = await openInbox(state);
    const ids: unknown[] = [];
    await page.route('**/answer', async (route) => {
      ids.push((route.request().postDataJSON() as { id: string }).id);
      if (ids.length > 1) return await route.continue();
      await route.fetch();
      await route.abort();
    });
    await page.keyboard.press('1');
    await page.getByText('the run has it').waitFor();
    await expect.poll(() => ids).toHaveLength(2);
    expect(ids[0]).toBe(ids[1]);
    expect(await answersIn(state)).toHaveLength(1);
    await page.context().close();
  });

  test('an answer that another person forestalled is refused in sight, with its words', async () => {
    const state = await asking();
    const page = await openInbox(state);
    await world.desk.close();
    await page.getByText('The desk does not answer.').waitFor();
    await page.keyboard.press('1');
    await page.getByText('not sent yet').first().waitFor();
    await repository.answer(state, 'abandon', 'by hand');
    await serve();
    await page.getByText(/refused: .*is not open/).waitFor();
    expect(await answersIn(state)).toHaveLength(1);
    await page.context().close();
  });

  test('anything else that was asked for is not done later by itself, and the page says that', async () => {
    const state = await asking();
    const page = await openInbox(state);
    await page.keyboard.press('o');
    await page.getByRole('button', { name: 'Stop' }).waitFor();
    await world.desk.close();
    await page.getByText('The desk does not answer.').waitFor();
    await page.keyboard.press('s');
    await page.keyboard.press('s');
    await page.getByText('may not have been done').waitFor();
    await serve();
    await page.getByText('live', { exact: true }).waitFor();
    expect(await page.getByText('may not have been done').count()).toBe(1);
    expect((await loadState(repository.record, state.runId)).seq).toBe(state.seq);
    await page.getByRole('button', { name: 'Close' }).click();
    await page.context().close();
  });

  test('a session that was ended elsewhere is said to be, and a new login in another tab brings the page back', async () => {
    const owner = await world.login();
    const body = { role: 'viewer', by: 'vic' };
    const made = (await world.send('/api/links', { method: 'POST', headers: owner, body })).body;
    const page = await open(made['url'] as string);
    await page.getByText('live', { exact: true }).waitFor();
    await page.getByText('vic, invited by ann, looking only').waitFor();
    await world.send(`/api/links/${String(made['id'])}`, { method: 'DELETE', headers: owner });
    await page.getByText('logged out', { exact: true }).waitFor();
    await page.getByText('this browser has no session at the desk').waitFor();
    const other = await page.context().newPage();
    await enter(other, world.desk.link());
    await page.bringToFront();
    await page.getByText('live', { exact: true }).waitFor();
    await page.context().close();
  });

  test('nothing of all this broke a promise of our own', () => {
    expect(world.faults).toEqual([]);
  });
});
