/** `copyOfSources`, `play`: tests of the suite in a copy of the sources, which may be changed, and as any user. */
import { spawn } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  symlinkSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { PLAYS_ALL } from '../lane.ts';
import { ROOT } from './table.ts';

const COPIED = [
  'package.json',
  'package-lock.json',
  'tsconfig.json',
  'vitest.config.ts',
  'bin',
  'src',
  'scripts',
  'desk',
  // Made of the same sources: it is not built again.
  'dist/desk',
  'test',
  'docs',
  'drills',
  'demo',
  'README.md',
];

/** A folder with the sources, tests and installed packages; the caller removes it. */
export function copyOfSources(): string {
  const folder = mkdtempSync(join(tmpdir(), 'mayday-forged-'));
  // A PostgreSQL server in it is another user than root.
  chmodSync(folder, 0o755);
  for (const path of COPIED) cpSync(join(ROOT, path), join(folder, path), { recursive: true });
  const modules = join(folder, 'node_modules');
  for (const path of [modules, join(folder, 'home'), join(folder, 'tmp')]) mkdirSync(path);
  for (const name of readdirSync(join(ROOT, 'node_modules')))
    if (name === '.bin' || !name.startsWith('.'))
      symlinkSync(join(ROOT, 'node_modules', name), join(modules, name));
  return folder;
}

export interface Played {
  readonly passed: readonly string[];
  readonly failed: readonly string[];
  /** What the runner said, and why tests failed. */
  readonly said: string;
}

interface Playing {
  readonly file: string;
  readonly titles: readonly string[];
  /** Another user than this one. */
  readonly user?: number;
  /** The sources were changed: the command line is bundled again from them. */
  readonly isChanged?: boolean;
}

export async function play(
  folder: string,
  { file, titles, user, isChanged = false }: Playing,
): Promise<Played> {
  if (user !== undefined)
    for (const path of ['', 'node_modules', 'home', 'tmp']) chownSync(join(folder, path), user, user);
  const report = join(folder, 'tmp', `report-${Math.random()}.json`);
  const runner = [
    process.execPath,
    join(ROOT, 'node_modules/vitest/vitest.mjs'),
    'run',
    '--configLoader',
    'native',
  ];
  const which = ['--reporter', 'json', '--outputFile', report, file, '-t', titles.map(asPattern).join('|')];
  const as = user === undefined ? [] : ['setpriv', `--reuid=${user}`, `--regid=${user}`, '--clear-groups'];
  const [command = '', ...args] = [...as, ...runner, ...which];
  const bundled = isChanged ? {} : { MAYDAY_UNDER_TEST: process.env['MAYDAY_UNDER_TEST'] };
  const child = spawn(command, args, {
    cwd: folder,
    env: {
      PATH: [dirname(process.execPath), process.env['PATH']].join(delimiter),
      HOME: join(folder, 'home'),
      TMPDIR: join(folder, 'tmp'),
      ...(isChanged || PLAYS_ALL || file.includes('.long.') ? { MAYDAY_TEST_ALL: '1' } : {}),
      NODE_COMPILE_CACHE: join(folder, 'tmp/compiled'),
      ...bundled,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let said = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (bytes: Buffer) => (said += bytes.toString()));
  await new Promise((settle) => child.once('close', settle));
  const { why, ...played } = outcomes(report);
  return { ...played, said: [said, ...why].join('\n') };
}

function outcomes(report: string): Omit<Played, 'said'> & { readonly why: readonly string[] } {
  try {
    const { testResults } = JSON.parse(readFileSync(report, 'utf8')) as {
      testResults: {
        assertionResults: { status: string; fullName: string; failureMessages: string[] }[];
      }[];
    };
    const all = testResults.flatMap(({ assertionResults }) => assertionResults);
    const named = (status: string) =>
      all.filter((one) => one.status === status).map(({ fullName }) => fullName);
    const why = all.flatMap(({ failureMessages }) => failureMessages);
    return { passed: named('passed'), failed: named('failed'), why };
  } catch {
    return { passed: [], failed: [], why: [] };
  }
}

/** The longest literal part of a title: `$type` and `%s` stand for what differs. */
function asPattern(title: string): string {
  const parts = title.split(/\$\w+|%s/);
  const longest = parts.reduce((long, part) => (part.length > long.length ? part : long), '');
  return longest.trim().replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&');
}
