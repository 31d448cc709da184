/** `npm run screenshots`: real runs of the rehearsal agent, the desk over them, and the pictures of it that the documentation shows. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { InboxDocument, InboxQuestion } from '../src/http/inbox-document.ts';
import { buildDesk } from './build-desk.ts';
import { DESK_FILES, DESK_RUNS, policyOf, scriptOf } from './demo/desk-runs.ts';
import { RehearsalRepository } from '../test/context/rehearsal-repository.ts';
import { enter, openBrowser } from '../test/http/browser.ts';
import { DeskWorld } from '../test/http/desk-world.ts';

const folder = join(import.meta.dirname, '../docs/images');
const LOOK_MS = 500;
const PATIENCE_MS = 180_000;
/** How high each picture is: none ends with an empty half. */
const [NOW_HEIGHT, RUN_HEIGHT, WIDTH] = [620, 860, 1440];
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
await pause(12_000);
// A slow machine needs longer until the refused login holds another run.
const headers = await world.login();
const isShared = ({ runs }: InboxQuestion) => runs.length > 1;
for (let waited = 0; waited < PATIENCE_MS; waited += LOOK_MS) {
  const { questions } = (await world.send('/api/inbox', { headers })).body as unknown as InboxDocument;
  if (questions.length > 1 && questions.some(isShared)) break;
  await pause(LOOK_MS);
}
const context = await browser.newContext({
  viewport: { width: WIDTH, height: RUN_HEIGHT },
  colorScheme: 'light',
  deviceScaleFactor: 2,
  bypassCSP: true,
});
const page = await context.newPage();
page.on('console', (message) => console.error(`console: ${message.text()}`));
page.on('pageerror', (error) => console.error(`error: ${error.message}`));
async function shot(name: string, height: number): Promise<void> {
  await page.setViewportSize({ width: WIDTH, height });
  // What lies under the pointer is drawn as touched.
  await page.mouse.move(0, 0);
  // A bare machine has no font of its own for people's words.
  await page.addStyleTag({ content: ':root { --sans: Inter, "Open Sans", "DejaVu Sans", sans-serif; }' });
  await page.screenshot({ path: join(folder, `${name}-desk-light.png`) });
}
await enter(page, world.desk.link());
// What working agents did last comes by the live stream.
await page
  .locator('.row .why', { hasText: / ago|silent for / })
  .first()
  .waitFor();
await shot('now', NOW_HEIGHT);
const run = await page
  .locator('.row', { hasText: 'upload tests deterministic' })
  .first()
  .getAttribute('data-run');
await page.goto(`${world.desk.url}runs/${run}`);
await page.waitForSelector('.transcript ol[aria-busy="false"]');
await shot('run', RUN_HEIGHT);
await browser.close();
console.log(`screenshots: drawn to ${folder}`);
process.exit(0);
