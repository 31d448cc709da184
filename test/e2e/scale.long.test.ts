/**
 * One machine at its size: many runs at once, many files, many changes. Small by default; MAYDAY_TEST_FULL=1 plays 16 runs, 200,000 files
 * and 60,000 changed files.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { type Box, inBox } from './box.ts';

const isFull = process.env['MAYDAY_TEST_FULL'] === '1';
const RUNS = isFull ? 16 : 4;
const FILES = isFull ? 200_000 : 2_000;
const CHANGED = isFull ? 60_000 : 600;
/** A folder with more entries is slow by itself. */
const PER_FOLDER = 1_000;
const LIMIT_MS = isFull ? 1_800_000 : 300_000;

async function whyOf(box: Box): Promise<string> {
  const { stdout } = await box.call('ps', '--all', '--json');
  const [run] = JSON.parse(stdout || '[]') as { readonly why: string }[];
  return run?.why ?? '';
}

it(
  `${RUNS} runs under one worker are all delivered, each with its own work, and nothing of them lives on`,
  () =>
    inBox(async (box) => {
      const names = Array.from({ length: RUNS }, (_, index) => `many-${index + 1}`);
      const wait = `while [ $(ls ${box.folder}/begun | wc -l) -lt ${RUNS} ]; do sleep 0.2; done`;
      mkdirSync(join(box.folder, 'begun'));
      for (const name of names) {
        // Nobody goes on before all have begun: they really run at once.
        const work = `touch ${box.folder}/begun/${name}; ${wait}; echo ${name} > ${name}.txt`;
        const check = ['--check', `test -f ${name}.txt`];
        const told = await box.call('submit', '--name', name, ...check, name, '--', 'sh', '-c', work);
        expect(told.exitCode, told.stderr).toBe(0);
      }
      const worked = await box.call('work', '--concurrency', `${RUNS}`, '--until-idle');
      expect(worked.exitCode, worked.stderr).toBe(0);
      const { stdout } = await box.call('ps', '--all', '--json');
      const runs = JSON.parse(stdout) as { readonly run_id: string; readonly state: string }[];
      expect(runs.map(({ run_id, state }) => `${run_id} ${state}`).toSorted()).toEqual(
        names.map((name) => `${name} delivered`).toSorted(),
      );
      for (const name of names) expect(box.git('show', `mayday/${name}:${name}.txt`)).toBe(`${name}\n`);
      await box.until('no keeper or agent lives', () => box.processes().length === 0);
      expect((await box.call('verify')).exitCode).toBe(0);
    }),
  LIMIT_MS,
);

it(
  `a repository of ${FILES} files is worked in, and what is delivered is the one change`,
  () =>
    inBox(async (box) => {
      for (let index = 0; index < FILES; index += 1) {
        const folder = join(box.repository, `d${Math.floor(index / PER_FOLDER)}`);
        if (index % PER_FOLDER === 0) mkdirSync(folder);
        writeFileSync(join(folder, `f${index}.txt`), `${index}\n`);
      }
      box.git('add', '--all');
      box.git('commit', '--quiet', '-m', 'many');
      const work = 'echo changed > d0/f0.txt';
      const ran = await box.call(
        'run',
        '--name',
        'r',
        '--check',
        'grep -q changed d0/f0.txt',
        'change it',
        '--',
        'sh',
        '-c',
        work,
      );
      expect(ran.exitCode, ran.stderr).toBe(0);
      expect(box.git('diff', '--name-only', 'main', 'mayday/r')).toBe('d0/f0.txt\n');
    }),
  LIMIT_MS,
);

it(
  `${CHANGED} changed files are all delivered, and a line says what is done meanwhile`,
  () =>
    inBox(async (box) => {
      const agent = join(box.folder, 'agent.mjs');
      writeFileSync(
        agent,
        `import { mkdirSync, writeFileSync } from 'node:fs';
for (let n = 0; n < ${CHANGED}; n += 1) {
  const folder = 'd' + Math.floor(n / ${PER_FOLDER});
  if (n % ${PER_FOLDER} === 0) mkdirSync(folder);
  writeFileSync(folder + '/f' + n + '.txt', n + '\\n');
}`,
      );
      const last = `d${Math.floor((CHANGED - 1) / PER_FOLDER)}/f${CHANGED - 1}.txt`;
      const said = new Set<string>();
      const run = box.start([
        'run',
        '--name',
        'r',
        '--check',
        `test -f ${last}`,
        'write',
        '--',
        process.execPath,
        agent,
      ]);
      let isOver = false;
      const over = run.done.then((called) => {
        isOver = true;
        return called;
      });
      while (!isOver) said.add(await whyOf(box));
      const { exitCode, stderr } = await over;
      expect(exitCode, stderr).toBe(0);
      const delivered = box.git('diff', '--name-only', 'main', 'mayday/r').trim().split('\n');
      expect(delivered).toHaveLength(CHANGED);
      // Few files are saved before anybody can look.
      if (isFull) expect([...said].join('\n')).toContain('Mayday looks at what it left behind');
    }),
  LIMIT_MS,
);
