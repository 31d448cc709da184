/**
 * `npm run screenshots [FOLDER]`: real runs of the rehearsal agent, the desk over them, and a picture of each page and state in the
 * folder; without one, the pictures that the documentation shows, in `docs/images`.
 */
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { addLesson } from '../src/supervise/lessons/lesson-desk.ts';
import { approveNamedLesson } from '../src/use-cases/learn/decide-lesson.ts';
import type { InboxDocument, InboxQuestion } from '../src/http/inbox-document.ts';
import { buildDesk } from './build-desk.ts';
import { DESK_FILES, DESK_RUNS, policyOf, scriptOf } from './demo/desk-runs.ts';
import { RehearsalRepository } from '../test/context/rehearsal-repository.ts';
import { enter, openBrowser } from '../test/http/browser.ts';
import { DeskWorld } from '../test/http/desk-world.ts';

const [, , wanted] = process.argv;
const folder = wanted ?? join(import.meta.dirname, '../docs/images');
const LOOK_MS = 500;
const PATIENCE_MS = 180_000;
/** What README and docs/how-to/desk.md show, and how high: no picture ends with an empty half. */
const IN_DOCS: Readonly<Record<string, number>> = { 'now-desk-light': 620, 'run-desk-light': 860 };
await buildDesk();
// The Chromium of npm knows only the one face that it brings: the words of machines need one of this machine.
const fonts = join(mkdtempSync(join(tmpdir(), 'mayday-fonts-')), 'fonts.conf');
const folders = [join(tmpdir(), 'fonts'), '/usr/share/fonts', '/usr/local/share/fonts'];
writeFileSync(fonts, `<fontconfig>${folders.map((one) => `<dir>${one}</dir>`).join('')}</fontconfig>`);
process.env['FONTCONFIG_FILE'] ??= fonts;
const browser = await openBrowser();
if (browser === null) process.exit(1);

const place = await RehearsalRepository.make();
// The runs go on until the last picture is drawn.
place.patienceMs = 1_200_000;
for (const [path, text] of Object.entries(DESK_FILES)) {
  mkdirSync(dirname(join(place.repository, path)), { recursive: true });
  writeFileSync(join(place.repository, path), text);
}
const git = ['-c', 'user.name=ann', '-c', 'user.email=ann@localhost'];
execFileSync('git', ['add', '--all'], { cwd: place.repository });
execFileSync('git', [...git, 'commit', '--quiet', '--no-gpg-sign', '--message', 'the shop'], {
  cwd: place.repository,
});
const world = await DeskWorld.open({ takeBackMs: 60_000, in: place });
for (const one of DESK_RUNS) {
  const run = world.repository.run(scriptOf(one), one.task, {
    policy: policyOf(one),
    checks: [one.check],
    sink: `branch:${one.task.replaceAll(' ', '-')}`,
  });
  if (one.waits === true) await run;
  else run.catch((error: unknown) => console.error(`${one.task}: ${String(error)}`));
}
const { repository } = world.repository;
const word = { by: 'ann', note: '', at: Date.now() };
const nothingElse = { fingerprints: [], paths: [], agents: [], words: [], commands: [], expires: null };
await addLesson(
  repository,
  {
    title: 'upload tests need MinIO on port 9000',
    guidance: 'Before any upload test: `docker compose up -d minio`. The tests expect it on port 9000.',
    classes: ['looping'],
    ...nothingElse,
  },
  word,
);
const approved = await addLesson(
  repository,
  {
    title: 'do not run the whole suite',
    guidance: '`npm test -- test/upload` runs the part that matters in ten seconds.',
    classes: ['timeout'],
    ...nothingElse,
  },
  word,
);
await approveNamedLesson(world.repository.caller(), { repository, lesson: approved.id, note: '' });
await pause(12_000);
// A slow machine needs longer until the refused login holds another run.
const headers = await world.login();
const isShared = ({ runs }: InboxQuestion) => runs.length > 1;
for (let waited = 0; waited < PATIENCE_MS; waited += LOOK_MS) {
  const { questions } = (await world.send('/api/inbox', { headers })).body as unknown as InboxDocument;
  if (questions.length > 1 && questions.some(isShared)) break;
  await pause(LOOK_MS);
}
const empty = await DeskWorld.open();
mkdirSync(folder, { recursive: true });
const SIZES = { desk: { width: 1440, height: 860 }, phone: { width: 390, height: 844 } };
const QUIET = 'main:not([aria-busy])';
for (const colorScheme of ['light', 'dark'] as const)
  for (const [size, viewport] of Object.entries(SIZES)) {
    if (wanted === undefined && !Object.keys(IN_DOCS).some((name) => name.endsWith(`${size}-${colorScheme}`)))
      continue;
    const context = await browser.newContext({
      viewport,
      colorScheme,
      deviceScaleFactor: size === 'phone' || wanted === undefined ? 2 : 1,
      bypassCSP: true,
    });
    const page = await context.newPage();
    page.on('console', (message) => console.error(`console: ${message.text()}`));
    page.on('pageerror', (error) => console.error(`error: ${error.message}`));
    const shot = async (name: string) => {
      const file = `${name}-${size}-${colorScheme}`;
      const height = IN_DOCS[file];
      if (wanted === undefined && height === undefined) return;
      if (wanted === undefined)
        await page.setViewportSize({ ...viewport, height: height ?? viewport.height });
      // What lies under the pointer is drawn as touched.
      await page.mouse.move(0, 0);
      // A bare machine has no font of its own for people's words.
      await page.addStyleTag({ content: ':root { --sans: Inter, "Open Sans", "DejaVu Sans", sans-serif; }' });
      await page.screenshot({ path: join(folder, `${file}.png`) });
    };
    const see = async (address: string, name: string, sign = QUIET) => {
      await page.goto(`${world.desk.url}${address}`);
      await page.waitForSelector(sign);
      await shot(name);
    };
    await enter(page, empty.desk.link());
    await page.waitForSelector('main h1');
    await shot('empty');
    await page.goto(`${empty.desk.url}inbox`);
    await page.waitForSelector('.question.empty');
    await shot('inbox-empty');
    await enter(page, world.desk.link());
    // What working agents did last comes by the live stream.
    await page
      .locator('.row .why', { hasText: / ago|silent for / })
      .first()
      .waitFor();
    await shot('now');
    const runOf = (text: string) => page.locator('.row', { hasText: text }).first().getAttribute('data-run');
    const shown = {
      run: await runOf('upload tests deterministic'),
      'run-asking': await runOf('passwordless login'),
      'run-working': await runOf('cover uploads in parts'),
      'run-rescuing': await runOf('cache product pages'),
      'run-waiting': await runOf('migrate the storefront'),
    };
    await see('inbox', 'inbox', '.options');
    await page.locator('.questions a', { hasText: 'held run' }).click();
    // On a phone the runs are folded.
    await page.waitForSelector('.held', { state: 'attached' });
    await shot('inbox-shared');
    await page.goto(`${world.desk.url}inbox`);
    await page.waitForSelector('.options');
    await page.keyboard.press('1');
    await page.waitForSelector('.question.answered');
    await shot('inbox-answered');
    await page.keyboard.press('z');
    await page.waitForSelector('.question:not(.answered)');
    for (const [name, run] of Object.entries(shown))
      await see(`runs/${run}`, name, '.transcript ol[aria-busy="false"]');
    // On a phone the timeline is folded.
    if (size === 'phone') {
      await page.locator('.chart > summary').click();
      await shot('run-timeline');
    }
    // A phone has no keys, and the page offers none there.
    if (size === 'desk') {
      await page.keyboard.press('?');
      await shot('keys');
      await page.keyboard.press('Escape');
    }
    await page.keyboard.press('Control+k');
    await shot('palette');
    for (const view of ['causes', 'lessons', 'holds', 'hosts', 'numbers']) await see(view, view);
    await see('numbers?figure=required_recovery', 'figure', 'tbody tr');
    await page.goto(`${world.desk.url}causes`);
    await page.locator('.list a').last().click();
    await page.waitForSelector('.sums');
    await shot('cause');
    await context.close();
  }
await browser.close();
console.log(`screenshots: drawn to ${folder}`);
process.exit(0);
