/**
 * `benchIsolation`: what isolation costs: a whole happy run with Mayday's folder hidden, in happy runs with it in sight, as this user and,
 * where this user is root, as an ordinary one.
 */
import { spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { BIN, type BenchPlace, inBenchPlace, medianOf } from './bench-place.ts';

const ROUNDS = 5;
const NOBODY = 65_534;

export interface IsolationBench {
  readonly asSelf: number;
  readonly asOrdinaryUser: number | null;
}

export async function benchIsolation(rounds = ROUNDS): Promise<IsolationBench> {
  const isRoot = process.getuid?.() === 0;
  return {
    asSelf: await inBenchPlace(async (place) => ratio(place, rounds, [])),
    asOrdinaryUser: isRoot ? await inBenchPlace(async (place) => asNobody(place, rounds)) : null,
  };
}

function asNobody(place: BenchPlace, rounds: number): number {
  for (const name of ['user', 'in-sight']) mkdirSync(join(place.folder, name), { recursive: true });
  spawnSync('chown', ['-R', `${NOBODY}:${NOBODY}`, place.folder]);
  const env = { ...place.env, HOME: join(place.folder, 'user') };
  const words = ['setpriv', `--reuid=${NOBODY}`, `--regid=${NOBODY}`, '--clear-groups'];
  return ratio({ ...place, env }, rounds, words);
}

/** Hidden over in sight, pair by pair; which goes first alternates. The first run of each fills the caches. */
function ratio(place: BenchPlace, rounds: number, as: readonly string[]): number {
  const home = join(place.folder, 'in-sight');
  mkdirSync(home, { recursive: true });
  writeFileSync(join(home, 'mayday.yaml'), 'policy: {hide_home: 0}\n');
  const hidden = () => run(place, as);
  const shown = () => run({ ...place, env: { ...place.env, MAYDAY_HOME: home } }, as);
  const pairs = Array.from({ length: rounds + 1 }, (_, round) => {
    const [first, second] = round % 2 === 0 ? [hidden, shown] : [shown, hidden];
    const [a, b] = [first(), second()];
    return round % 2 === 0 ? a / b : b / a;
  });
  return medianOf(pairs.slice(1));
}

function run({ repository, env }: BenchPlace, as: readonly string[]): number {
  const line = [process.execPath, BIN, 'run', '--check', 'test -f done', '--', 'sh', '-c', 'touch done'];
  const [command = '', ...args] = [...as, ...line];
  const begun = performance.now();
  const { status, stderr } = spawnSync(command, args, { cwd: repository, env });
  if (status !== 0) throw new Error(`mayday run ended with ${status}: ${stderr.toString()}`);
  return performance.now() - begun;
}
