/** Whatever is typed, and whatever stands in the rows of the record: a command answers, or refuses in words with a code. It never breaks. */
import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, test } from 'vitest';
import { COMMANDS } from '../../src/cli/commands.ts';
import { SEED } from '../lane.ts';
import { mutant, torn } from '../mutant.ts';
import { Random } from '../simulation/random.ts';
import { type Box, inBox } from './box.ts';

const LINES = Number(process.env['MAYDAY_FUZZ_LINES'] ?? 40);
const DAMAGES = Number(process.env['MAYDAY_FUZZ_ROWS'] ?? 6);
const AT_ONCE = 3;
/** They stay until they are ended, or start work. */
const STAYS = ['serve', 'mcp', 'bench', 'drill', 'work', 'attach', 'watch', 'run', 'submit'];
/** Waiting for a change is what these were asked for. */
const WAITS = ['follow', 'watch', 'wait'];
const ODD = [
  '',
  ' ',
  '-',
  '--',
  '-1',
  'NaN',
  '1e999',
  '../..',
  '$(x)',
  '\u202e',
  'x'.repeat(5000),
  '[]',
  '{}',
  '@',
  '0',
];
/** docs/reference/exit-codes.md. */
const EXIT_CODES = [0, 1, 2, 3, 4, 5];
const BROKEN = /^\s+at .*:\d+:\d+\)?$|\b(?:Type|Syntax|Range|Reference)Error\b|INTERNAL/m;

/** What is wrong with the answer of a command; null: nothing. */
async function wrongAnswer(
  box: Pick<Box, 'start'>,
  args: readonly string[],
  env = {},
): Promise<string | null> {
  const { exitCode, stdout, stderr } = await box.start(args, { env }).done;
  const said = `${stdout}${stderr}`;
  const isBroken = BROKEN.test(said) || !EXIT_CODES.includes(exitCode ?? -1);
  const isMute = exitCode !== 0 && stdout === '' && !/^mayday: /m.test(stderr);
  return isBroken || isMute
    ? `${JSON.stringify(args).slice(0, 300)} ended with ${exitCode}: ${said.slice(-1500)}`
    : null;
}

async function wrongOf(asks: readonly (() => Promise<string | null>)[]): Promise<string[]> {
  const wrong: string[] = [];
  const left = [...asks];
  const next = async () => {
    for (let ask = left.shift(); ask !== undefined; ask = left.shift()) {
      const told = await ask();
      if (told !== null) wrong.push(told);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, next));
  return wrong;
}

function typed(random: Random): string[] {
  const command = random.pick(COMMANDS.filter(({ name }) => !STAYS.includes(name)));
  const words = Array.from({ length: random.between(0, 4) }, () => {
    if (random.chance(0.4)) return random.pick(ODD);
    const options = command.options.filter(({ name }) => !WAITS.includes(name));
    if (options.length === 0 || random.chance(0.3))
      return random.pick(['--json', '--jsno', 'nobody', 'nobody-q1']);
    const { name, type } = random.pick(options);
    if (random.chance(0.1)) return torn(random, `--${name}`).replaceAll('\u0000', '');
    return type === 'string' && random.chance(0.7) ? `--${name}=${random.pick(ODD)}` : `--${name}`;
  });
  return [command.name, ...words];
}

test(`no command line breaks a command (MAYDAY_TEST_SEED=${SEED})`, () =>
  inBox(async (box) => {
    const random = new Random(SEED);
    const lines = Array.from({ length: LINES }, () => typed(random));
    expect(await wrongOf(lines.map((line) => () => wrongAnswer(box, line)))).toEqual([]);
  }));

/** What a person does with a run that looks strange. */
const LOOKS = [['show', 'r'], ['verify'], ['replay', 'r'], ['resume', 'r'], ['ledger', 'r']];

interface Row {
  readonly run: number;
  readonly seq: number;
  readonly body: string;
}

test(`no damaged row of the journal breaks a command (MAYDAY_TEST_SEED=${SEED})`, () =>
  inBox(async (box) => {
    const random = new Random(SEED);
    const made = await box.call(
      'run',
      '--name',
      'r',
      '--check',
      'test -f a',
      'write',
      '--',
      'sh',
      '-c',
      'echo x > a',
    );
    expect(made.exitCode).toBe(0);
    const wrong: string[] = [];
    for (let round = 0; round < DAMAGES; round += 1) {
      const folder = join(box.folder, `home-${round}`);
      cpSync(box.home, folder, { recursive: true });
      const database = new DatabaseSync(join(folder, 'record.db'));
      const rows = database.prepare('SELECT run, seq, body FROM events').all() as unknown as Row[];
      const { run, seq, body } = random.pick(rows);
      const damaged = random.chance(0.3)
        ? torn(random, body)
        : (JSON.stringify(mutant(random, JSON.parse(body))) ?? '');
      database.prepare('UPDATE events SET body = ? WHERE run = ? AND seq = ?').run(damaged, run, seq);
      database.close();
      const told = await wrongOf(LOOKS.map((look) => () => wrongAnswer(box, look, { MAYDAY_HOME: folder })));
      wrong.push(...told.map((each) => `event ${seq} became ${damaged.slice(0, 300)}: ${each}`));
    }
    expect(wrong).toEqual([]);
  }));
