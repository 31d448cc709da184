/**
 * `npm run mutation [-- FOLDER...]`: Stryker changes `decide`, `gates` and `fleet` of the core in one place at a time; the tests of the core
 * must notice. Prints the share for each folder and the changes that nobody noticed; fails below the goal. Takes about an hour on two cores.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

const GOAL = 0.85;
const ROOT = resolve(import.meta.dirname, '..');
const TOOLS = join(ROOT, 'tools/mutation');
const FOLDERS = process.argv.length > 2 ? process.argv.slice(2) : ['decide', 'gates', 'fleet'];

interface Mutant {
  readonly mutatorName: string;
  readonly status: string;
  readonly replacement?: string;
  readonly location: { readonly start: { readonly line: number } };
}

interface Report {
  readonly files: Readonly<Record<string, { readonly mutants: readonly Mutant[] }>>;
}

function play(command: string, args: readonly string[]): void {
  const { status } = spawnSync(command, args, { cwd: ROOT, stdio: 'inherit' });
  if (status !== 0) process.exit(status ?? 1);
}

function measured(): Report {
  const folder = mkdtempSync(join(tmpdir(), 'mayday-mutation-'));
  try {
    const [config, report] = [join(folder, 'stryker.json'), join(folder, 'report.json')];
    writeFileSync(config, JSON.stringify(settings(report)));
    play(process.execPath, [join(TOOLS, 'node_modules/@stryker-mutator/core/bin/stryker.js'), 'run', config]);
    return JSON.parse(readFileSync(report, 'utf8')) as Report;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function settings(report: string): object {
  return {
    testRunner: 'vitest',
    plugins: [join(TOOLS, 'node_modules/@stryker-mutator/vitest-runner/dist/src/index.js')],
    vitest: { configFile: 'tools/mutation/vitest.config.ts', related: false },
    mutate: FOLDERS.map((folder) => `src/core/${folder}/**/*.ts`),
    coverageAnalysis: 'perTest',
    // Tables of the vocabulary are read when a module is loaded: every test would be played again for each of them.
    ignoreStatic: true,
    // Words for people are judged by readers and by goldens of whole answers, not letter by letter.
    mutator: { excludedMutations: ['StringLiteral'] },
    concurrency: 1,
    reporters: ['json', 'progress-append-only'],
    jsonReporter: { fileName: report },
    tempDirName: '.stryker',
    ignorePatterns: ['dist', 'docs', 'drills', 'test/fixtures', 'test/journals', 'test/recordings'],
    // TypeScript 7 has no programming interface that Stryker knows; there is nothing in the settings that it would have to change.
    tsconfigFile: 'none',
    disableTypeChecks: false,
    timeoutMS: 10_000,
  };
}

if (!existsSync(join(TOOLS, 'node_modules'))) play('npm', ['ci', '--prefix', TOOLS, '--legacy-peer-deps']);
const { files } = measured();
let isBelow = false;
for (const folder of FOLDERS) {
  const inside = Object.entries(files).filter(([file]) => file.startsWith(`src/core/${folder}/`));
  const counted = inside.flatMap(([file, { mutants }]) =>
    mutants
      .filter(({ status }) => !['Ignored', 'CompileError', 'RuntimeError'].includes(status))
      .map((mutant) => ({ file, mutant })),
  );
  const survived = counted.filter(({ mutant }) => ['Survived', 'NoCoverage'].includes(mutant.status));
  for (const { file, mutant } of survived)
    console.log(
      `${file}:${mutant.location.start.line} ${mutant.mutatorName}: ${(mutant.replacement ?? '').slice(0, 100).replaceAll('\n', ' ')}`,
    );
  const score = 1 - survived.length / Math.max(counted.length, 1);
  isBelow ||= score < GOAL;
  console.log(
    `${folder}: ${counted.length - survived.length} of ${counted.length} changes noticed, ${(score * 100).toFixed(1)} % (goal ${GOAL * 100} %)`,
  );
}
process.exit(isBelow ? 1 : 0);
