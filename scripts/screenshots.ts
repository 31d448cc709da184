/**
 * `npm run screenshots [FOLDER]`: real runs of the rehearsal agent, the desk over them, and a picture of each page and state in the
 * folder; without one, the pictures that the documentation shows, in `docs/images`.
 */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { RehearsalScript } from '../src/agents/rehearsal/script.ts';
import { addLesson } from '../src/supervise/lessons/lesson-desk.ts';
import { approveNamedLesson } from '../src/use-cases/learn/decide-lesson.ts';
import { buildDesk } from './build-desk.ts';
import { openBrowser } from '../test/http/browser.ts';
import { DeskWorld } from '../test/http/desk-world.ts';

const [, , wanted] = process.argv;
const folder = wanted ?? join(import.meta.dirname, '../docs/images');
/** What README and docs/how-to/desk.md show. */
const IN_DOCS = ['now-desk-light', 'run-desk-light'];
await buildDesk();
const browser = await openBrowser();
if (browser === null) process.exit(1);

const test = (result: string, error = true) => ({
  tool: { name: 'Bash', input: { command: 'npm test' }, result, error },
});
const used = (cost_usd: number, turns: number) => ({ usage: { tokens: turns * 9_000, cost_usd, turns } });
/** Work that looks like work: the check asks for the second file. */
const BEGUN = {
  'src/upload.ts': [
    "import { request } from './request.ts';",
    '',
    'export async function upload(file: Blob, now = Date.now): Promise<Receipt> {',
    '  const started = now();',
    "  const answer = await request('/uploads', { body: file });",
    '  return { id: answer.id, tookMs: now() - started };',
    '}',
    '',
  ].join('\n'),
};
const DONE = { 'src/clock.ts': 'export const clock = { now: () => Date.now() };\n' };
const CHECKS = ['test -f src/clock.ts'];
const FAST = { stop_soft_ms: 300, stop_term_ms: 300, snapshot_every_ms: 500 };

const RUNS: readonly [
  task: string,
  script: RehearsalScript,
  policy: Record<string, number>,
  waits: boolean,
][] = [
  [
    'bump dependencies',
    {
      attempts: [
        {
          steps: [
            { say: 'I raise three versions.' },
            { sleep: 2 },
            { write: DONE },
            used(1.2, 31),
            { exit: 0 },
          ],
        },
      ],
    },
    FAST,
    true,
  ],
  [
    'make upload tests deterministic',
    {
      attempts: [
        {
          steps: [
            { write: BEGUN },
            { sleep: 2 },
            { loop: { times: 40, steps: [test('3 failed'), { sleep: 0.2 }] } },
          ],
        },
        {
          steps: [
            { say: 'The test reads the wall clock. I give the upload a clock of its own.' },
            { sleep: 2 },
            { write: DONE },
            test('14 passed', false),
            used(1.36, 44),
            { sleep: 1 },
            { exit: 0 },
          ],
        },
      ],
    },
    { ...FAST, backoff_ms: 2_000 },
    true,
  ],
  [
    'add passwordless login',
    { attempts: [{ steps: [{ write: BEGUN }, { sleep: 3 }, used(2.1, 60), { exit: 0 }] }] },
    { ...FAST, restarts: 0 },
    true,
  ],
  [
    'migrate the storefront to vite 8',
    {
      attempts: [
        {
          steps: [
            { write: BEGUN },
            { sleep: 3 },
            used(0.8, 20),
            { error: 'API Error: 529 overloaded_error' },
            { exit: 1 },
          ],
        },
      ],
    },
    { ...FAST, backoff_ms: 45_000, backoff_max_ms: 45_000 },
    false,
  ],
  [
    'rename Customer to Account everywhere',
    { attempts: [{ steps: [{ write: BEGUN }, { sleep: 4 }, used(4.91, 96), { hang: 600 }] }] },
    FAST,
    false,
  ],
  [
    'fix flaky upload test',
    {
      attempts: [
        {
          steps: [
            {
              loop: {
                times: 500,
                steps: [{ append: { 'src/upload.ts': '// one more try\n' } }, used(0.41, 12), { sleep: 1 }],
              },
            },
          ],
        },
      ],
    },
    FAST,
    false,
  ],
];

/** Met by three runs: one question for all of them. */
const LOGGED_OUT = {
  attempts: [{ steps: [{ sleep: 1 }, { error: 'Invalid API key · Please run /login' }, { exit: 1 }] }],
};
for (const task of ['retry uploads with back-off', 'stream large uploads to disk', 'resumable uploads'])
  (RUNS as [string, RehearsalScript, Record<string, number>, boolean][]).push([
    task,
    LOGGED_OUT,
    FAST,
    task.startsWith('retry'),
  ]);

const world = await DeskWorld.open({ takeBackMs: 60_000 });
for (const [task, script, policy, waits] of RUNS) {
  const run = world.repository.run(script, task, {
    policy,
    checks: CHECKS,
    sink: `branch:${task.replaceAll(' ', '-')}`,
  });
  if (waits) await run;
  else run.catch(() => undefined);
}
const { repository } = world.repository;
const word = { by: 'ann', note: '', at: Date.now() };
const nothingElse = { fingerprints: [], paths: [], agents: [], words: [], commands: [], expires: null };
await addLesson(
  repository,
  {
    title: 'upload tests need MinIO on port 9000',
    guidance: 'Before any upload test: docker compose up -d minio. The tests expect it on port 9000.',
    classes: ['looping'],
    ...nothingElse,
  },
  word,
);
const approved = await addLesson(
  repository,
  {
    title: 'do not run the whole suite',
    guidance: 'npm test -- test/upload runs the part that matters in ten seconds.',
    classes: ['timeout'],
    ...nothingElse,
  },
  word,
);
await approveNamedLesson(world.repository.caller(), { repository, lesson: approved.id, note: '' });
await pause(12_000);
const empty = await DeskWorld.open();
mkdirSync(folder, { recursive: true });
const SIZES = { desk: { width: 1440, height: 860 }, phone: { width: 390, height: 844 } };
const QUIET = 'main:not([aria-busy])';
for (const colorScheme of ['light', 'dark'] as const)
  for (const [size, viewport] of Object.entries(SIZES)) {
    if (wanted === undefined && !IN_DOCS.some((name) => name.endsWith(`${size}-${colorScheme}`))) continue;
    const context = await browser.newContext({
      viewport,
      colorScheme,
      deviceScaleFactor: size === 'phone' ? 2 : 1,
      bypassCSP: true,
    });
    const page = await context.newPage();
    page.on('console', (message) => console.error(`console: ${message.text()}`));
    page.on('pageerror', (error) => console.error(`error: ${error.message}`));
    const shot = async (name: string) => {
      const file = `${name}-${size}-${colorScheme}`;
      if (wanted === undefined && !IN_DOCS.includes(file)) return;
      // A bare machine has no font of its own for people's words.
      await page.addStyleTag({ content: ':root { --sans: Inter, "DejaVu Sans", sans-serif; }' });
      await page.screenshot({ path: join(folder, `${file}.png`) });
    };
    const see = async (address: string, name: string, sign = QUIET) => {
      await page.goto(`${world.desk.url}${address}`);
      await page.waitForSelector(sign);
      await shot(name);
    };
    await page.goto(empty.desk.link());
    await page.waitForSelector('main h1');
    await shot('empty');
    await page.goto(`${empty.desk.url}inbox`);
    await page.waitForSelector('.question.empty');
    await shot('inbox-empty');
    await page.goto(world.desk.link());
    await page.waitForSelector('.rows .row');
    await shot('now');
    const runOf = (text: string) => page.locator('.row', { hasText: text }).first().getAttribute('data-run');
    const shown = {
      run: await runOf('upload tests deterministic'),
      'run-asking': await runOf('passwordless login'),
      'run-working': await runOf('fix flaky upload test'),
      'run-waiting': await runOf('migrate the storefront'),
    };
    await see('inbox', 'inbox', '.options');
    await page.locator('.questions a', { hasText: 'runs' }).click();
    await page.waitForSelector('.held');
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
    await page.keyboard.press('?');
    await shot('keys');
    await page.keyboard.press('Escape');
    await page.keyboard.press('Control+k');
    await shot('palette');
    for (const view of ['causes', 'lessons', 'holds', 'hosts', 'numbers']) await see(view, view);
    await see('numbers?figure=required_recovery', 'figure', 'tbody tr');
    await page.goto(`${world.desk.url}causes`);
    await page.locator('.sheet a').last().click();
    await page.waitForSelector('.sums');
    await shot('cause');
    await context.close();
  }
await browser.close();
console.log(`screenshots: drawn to ${folder}`);
process.exit(0);
