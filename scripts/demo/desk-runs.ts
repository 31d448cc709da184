/**
 * `DESK_RUNS`, `DESK_FILES`: the runs that the pictures of the desk show, each with work, calls and a check of its own, and their
 * repository. `scriptOf`, `policyOf`: how the rehearsal agent plays one.
 */
import type { RehearsalScript, RehearsalStep } from '../../src/agents/rehearsal/script.ts';

interface DeskRun {
  readonly task: string;
  readonly check: string;
  readonly attempts: readonly (readonly RehearsalStep[])[];
  readonly policy?: Readonly<Record<string, number>>;
  /** The next run begins only when this one has ended or asks. */
  readonly waits?: true;
}

const lines = (...all: readonly string[]) => `${all.join('\n')}\n`;
const call = (name: string, input: object, result: string, error = false): RehearsalStep => ({
  tool: { name, input, result, error },
});
const read = (path: string) => call('Read', { file_path: path }, DESK_FILES[path] ?? '');
const bash = (command: string, result: string, error = false) => call('Bash', { command }, result, error);
const COST_OF_TURN = 0.03;
/** Each call is a turn of its model. */
const used = (turns: number): RehearsalStep => ({
  usage: { tokens: turns * 9_000, cost_usd: turns * COST_OF_TURN, turns },
});
const write = (path: string, ...text: readonly string[]): readonly RehearsalStep[] => [
  { write: { [path]: lines(...text) } },
  call('Write', { file_path: path }, 'written'),
];
const FAST = { stop_soft_ms: 300, stop_term_ms: 300, snapshot_every_ms: 500 };

/** What is committed before the runs begin. Each check says what it found. */
export const DESK_FILES: Readonly<Record<string, string>> = {
  'package.json': lines('{', '  "name": "shop",', '  "devDependencies": { "vite": "7.1.0" }', '}'),
  'src/upload.ts': lines(
    "import { request } from './request.ts';",
    '',
    'export async function upload(file: Blob): Promise<Receipt> {',
    '  const started = Date.now();',
    "  const answer = await request('/uploads', { body: file });",
    '  return { id: answer.id, tookMs: Date.now() - started };',
    '}',
  ),
  'test/upload.sh': lines(
    'test -f src/clock.ts && echo "14 passed" && exit 0',
    'echo "11 passed, 3 failed: an upload ends before it begins" && exit 1',
  ),
  'test/login.sh': lines(
    'test -f src/login.ts || { echo "4 passed"; exit 0; }',
    'grep -q usedAt src/login.ts && echo "9 passed" && exit 0',
    'echo "8 passed, 1 failed: one link opens two sessions" && exit 1',
  ),
  'test/pages.sh': lines('test -f src/pages/stale.ts && echo "1 failed" && exit 1', 'echo "21 passed"'),
  'test/build.sh': lines('echo "built in 2 s"'),
};

const WORK = 'sh test/upload.sh';

export const DESK_RUNS: readonly DeskRun[] = [
  {
    task: 'bump dependencies',
    check: 'sh test/build.sh',
    attempts: [
      [
        { say: 'I raise one version and build.' },
        read('package.json'),
        { sleep: 1 },
        ...write('package.json', '{', '  "name": "shop",', '  "devDependencies": { "vite": "8.3.8" }', '}'),
        { sleep: 1 },
        bash('sh test/build.sh', 'built in 2 s'),
        used(3),
        { exit: 0 },
      ],
    ],
    waits: true,
  },
  {
    task: 'make upload tests deterministic',
    check: WORK,
    attempts: [
      [
        { say: 'I look at the upload and run its tests.' },
        read('src/upload.ts'),
        ...write('src/retry.ts', 'export const RETRIES = 3;'),
        used(2),
        { sleep: 2 },
        {
          loop: {
            times: 40,
            steps: [
              bash(WORK, '11 passed, 3 failed: an upload ends before it begins', true),
              used(1),
              { sleep: 0.3 },
            ],
          },
        },
      ],
      [
        { say: 'The tests read the wall clock. I give the upload a clock of its own.' },
        { sleep: 2 },
        ...write('src/clock.ts', 'export interface Clock {', '  now(): number;', '}'),
        used(2),
        ...write(
          'src/upload.ts',
          "import type { Clock } from './clock.ts';",
          "import { request } from './request.ts';",
          '',
          'export async function upload(file: Blob, clock: Clock): Promise<Receipt> {',
          '  const started = clock.now();',
          "  const answer = await request('/uploads', { body: file });",
          '  return { id: answer.id, tookMs: clock.now() - started };',
          '}',
        ),
        { sleep: 1 },
        bash(WORK, '14 passed'),
        used(3),
        { sleep: 1 },
        { exit: 0 },
      ],
    ],
    policy: { backoff_ms: 2_000 },
    waits: true,
  },
  {
    task: 'cache product pages',
    check: 'sh test/pages.sh',
    attempts: [
      [
        { say: 'I look for where pages are made.' },
        ...write('src/pages/cache.ts', 'export const cache = new Map<string, Page>();'),
        { sleep: 1 },
        {
          loop: {
            times: 40,
            steps: [bash('sh test/pages.sh', '20 passed, 1 failed: /sale is stale', true), { sleep: 0.3 }],
          },
        },
      ],
      [
        { say: 'The sale changes prices without a new page. I look for what else reads them.' },
        ...Array.from({ length: 60 }, (_, at) => [
          bash(`git log -3 --format=%s -- src/pages/part-${at + 1}.ts`, `part ${at + 1}: prices of the day`),
          used(1),
          { sleep: 3 },
        ]).flat(),
      ],
    ],
  },
  {
    task: 'add passwordless login',
    check: 'sh test/login.sh',
    attempts: [
      [
        { say: 'A link by mail opens a session. I write the link first.' },
        read('package.json'),
        ...write(
          'src/login.ts',
          "import { mail } from './mail.ts';",
          '',
          'export async function sendLink(to: string): Promise<void> {',
          '  const code = crypto.randomUUID();',
          '  await links.save({ code, to, until: Date.now() + 600_000 });',
          '  await mail(to, `https://shop.example/in/${code}`);',
          '}',
        ),
        { sleep: 2 },
        bash('sh test/login.sh', '8 passed, 1 failed: one link opens two sessions', true),
        { say: 'The login works. Done.' },
        used(4),
        { exit: 0 },
      ],
    ],
    policy: { restarts: 0 },
    waits: true,
  },
  {
    task: 'migrate the storefront to vite 8',
    check: 'sh test/build.sh',
    attempts: [
      [
        { say: 'I move the configuration first.' },
        ...write(
          'vite.config.ts',
          "import { defineConfig } from 'vite';",
          '',
          "export default defineConfig({ build: { target: 'es2023' } });",
        ),
        { sleep: 2 },
        bash('sh test/build.sh', 'built in 2 s'),
        used(3),
        { error: 'API Error: 529 overloaded_error' },
        { exit: 1 },
      ],
    ],
    // Longer than the pictures take.
    policy: { backoff_ms: 240_000, backoff_max_ms: 240_000 },
  },
  {
    task: 'rename Customer to Account everywhere',
    check: 'sh test/build.sh',
    attempts: [
      [
        { say: 'I rename the type, then its users.' },
        ...write('src/account.ts', 'export interface Account {', '  readonly id: string;', '}'),
        { sleep: 1 },
        bash('grep -rl Customer src | wc -l', '41'),
        used(3),
        { hang: 600 },
      ],
    ],
  },
  {
    task: 'cover uploads in parts',
    check: 'sh test/build.sh',
    attempts: [
      [
        { say: 'One test for each part of an upload.' },
        ...Array.from({ length: 2_000 }, (_, at): readonly RehearsalStep[] => [
          { append: { 'test/parts.ts': `test('part ${at + 1} arrives', () => sent(${at + 1}));\n` } },
          bash(`npm test -- parts --grep 'part ${at + 1}'`, ` Tests  ${at + 1} passed (${at + 1})`),
          { usage: { tokens: 1_200, cost_usd: 0.004, turns: 1 } },
          { sleep: 0.4 },
        ]).flat(),
      ],
    ],
  },
  ...['retry uploads with back-off', 'stream large uploads to disk', 'resumable uploads'].map(
    (task): DeskRun => ({
      task,
      check: 'sh test/build.sh',
      attempts: [[{ sleep: 1 }, { error: 'Invalid API key · Please run /login' }, { exit: 1 }]],
      // The first one meets the refused login; the others are held.
      ...(task.startsWith('retry') && { waits: true }),
    }),
  ),
];

export function scriptOf({ attempts }: DeskRun): RehearsalScript {
  return { attempts: attempts.map((steps) => ({ steps: [...steps] })) };
}

export function policyOf({ policy }: DeskRun): Readonly<Record<string, number>> {
  return { ...FAST, ...policy };
}
