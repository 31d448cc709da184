/**
 * `npm run test:agents`: the pinned agent CLIs, installed once in a folder of their own, against the scripted model
 * server: first each adapter with the bare CLI, then every kind of trouble, bare beside supervised.
 * `--only TEXT` keeps the rows whose name has the text; `--table` leaves out the adapters.
 */
import { spawnSync } from 'node:child_process';
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { KNOWN_VERSIONS } from '../src/agents/claude/quirks.ts';
import { installClaude } from '../test-agents/install-claude.ts';
import { type TroubleRow, troubleRow } from '../test-agents/trouble-row.ts';
import { troubleTable } from '../test-agents/trouble-table.ts';
import { type Trouble, TROUBLES } from '../test-agents/trouble.ts';

/** Rows wait far more than they work; more would make the two cores late to notice. */
const ROWS_AT_ONCE = 3;

const { values } = parseArgs({
  options: { only: { type: 'string', default: '' }, table: { type: 'boolean', default: false } },
});
const programs = KNOWN_VERSIONS.map((version) => ({ version, program: installClaude(version) }));
const newest = KNOWN_VERSIONS.at(-1);
const adaptersPass = values.table || adapters();
let count = 0;
let wrong = 0;
for (const { version, program } of programs.toReversed()) {
  const chosen = TROUBLES.filter(
    ({ name, everyVersion }) => name.includes(values.only) && (version === newest || everyVersion === true),
  );
  const rows = await table(chosen, program);
  count += rows.length;
  wrong += rows.filter((row) => row.wrong.length > 0).length;
  console.log(`\nClaude Code ${version}, bare and under Mayday, the same script:\n${troubleTable(rows)}\n`);
}
console.log(
  `test:agents: adapters ${values.table ? 'not run' : adaptersPass ? 'pass' : 'FAIL'} with Claude Code ${KNOWN_VERSIONS.join(' and ')}; ${count - wrong} of ${count} troubles end as they must`,
);
process.exit(adaptersPass && wrong === 0 ? 0 : 1);

function adapters(): boolean {
  const args = ['run', '--config', 'test-agents/vitest.config.ts'];
  const cwd = resolve(import.meta.dirname, '..');
  return spawnSync('vitest', args, { cwd, stdio: ['ignore', 'inherit', 'inherit'] }).status === 0;
}

async function table(troubles: readonly Trouble[], program: string): Promise<readonly TroubleRow[]> {
  const rows: TroubleRow[] = [];
  const left = [...troubles.entries()];
  const worker = async (): Promise<void> => {
    for (let next = left.shift(); next !== undefined; next = left.shift()) {
      const row = await troubleRow(next[1], program);
      console.log(`${row.wrong.length === 0 ? 'ok   ' : 'WRONG'} ${row.name} ${row.wrong.join('; ')}`);
      rows[next[0]] = row.wrong.length === 0 ? row : await lookAgain(next[1], program);
    }
  };
  await Promise.all(Array.from({ length: ROWS_AT_ONCE }, worker));
  return rows;
}

/** A CLI of 300 MB on a busy machine can be late; a row that is wrong twice is wrong. Both results are printed. */
async function lookAgain(trouble: Trouble, program: string): Promise<TroubleRow> {
  const row = await troubleRow(trouble, program);
  console.log(
    `${row.wrong.length === 0 ? 'ok   ' : 'WRONG'} ${row.name} (second look) ${row.wrong.join('; ')}`,
  );
  return row;
}
