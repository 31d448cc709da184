/**
 * `npm run mutation [-- [--share 0.2] [--seed N] FOLDER-OR-FILE...]`: Stryker changes `decide`, `gates` and `fleet` of the core in one place
 * at a time; the tests of the core must notice. Prints the share for each folder and the changes that no test noticed; fails below the
 * goal. All of it takes hours on two cores; `--share` draws that part of the changes by the seed, which is printed.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { isDrawn } from '../tools/mutation/draw.ts';

const GOAL = 0.85;
const ROOT = resolve(import.meta.dirname, '..');
const TOOLS = join(ROOT, 'tools/mutation');
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { share: { type: 'string', default: '1' }, seed: { type: 'string', default: '1' } },
});
process.env['MAYDAY_MUTATION_SHARE'] = values.share;
process.env['MAYDAY_MUTATION_SEED'] = values.seed;
const PARTS = positionals.length > 0 ? positionals : ['decide', 'gates', 'fleet'];

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
    plugins: [
      join(TOOLS, 'node_modules/@stryker-mutator/vitest-runner/dist/src/index.js'),
      join(TOOLS, 'draw.ts'),
    ],
    checkers: ['draw'],
    vitest: { configFile: 'tools/mutation/vitest.config.ts', related: false },
    mutate: PARTS.map((part) => (part.endsWith('.ts') ? `src/core/${part}` : `src/core/${part}/**/*.ts`)),
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
if (values.share !== '1') console.log(`mutation: a share of ${values.share} is drawn by seed ${values.seed}`);
for (const part of PARTS) {
  const inside = Object.entries(files).filter(([file]) => `${file}/`.startsWith(`src/core/${part}/`));
  const counted = inside.flatMap(([file, { mutants }]) =>
    mutants
      .filter(({ status }) => !['Ignored', 'CompileError', 'RuntimeError'].includes(status))
      // Stryker asks no checker about a change that no test reaches.
      .filter(
        (mutant) =>
          mutant.status !== 'NoCoverage' || isDrawn({ replacement: '', ...mutant, fileName: `/${file}` }),
      )
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
    `${part}: ${counted.length - survived.length} of ${counted.length} changes noticed, ${(score * 100).toFixed(1)} % (goal ${GOAL * 100} %)`,
  );
}
process.exit(isBelow ? 1 : 0);
