/** `notMigrated`, `otherColumn`: why a table or a column is missing: its migration was never run, or the table has other columns. */
import { groupIn } from '../../text/group-in.ts';
import { oneOf } from '../../text/one-of.ts';
import { commandOf } from '../call-kind.ts';
import { quote } from '../detector.ts';
import { changes } from '../detectors/staleness.ts';
import type { FindReason } from './find-reason.ts';

const NO_TABLE = oneOf(
  /\brelation "([\w.]+)" does not exist|\bno such (?:table|column): ([\w.]+)/i,
  /\btable '?([\w.]+)'? (?:doesn't|does not) exist|\bunknown column '([\w.]+)'|\bcolumn "?([\w.]+)"? does not exist/,
);
const MIGRATES =
  /\bmigrat|\bdb:(?:\w+:)?(?:prepare|setup|push|reset|load)|\bdb push\b|\balembic upgrade|\bflyway\b/i;
const MIGRATION_FILE = /migrat/i;

/** What the check misses in the database is made by a migration of this run that was never run. */
export const notMigrated: FindReason = ({ turns, failure }) => {
  const table = groupIn(NO_TABLE, failure.turn.output)?.split('.').at(-1);
  if (table === undefined) return null;
  const written = turns.findLast(
    (turn) => changes(turn) && turn.edit !== null && MIGRATION_FILE.test(turn.edit.path),
  );
  const isRun = turns.some(
    (turn) =>
      !turn.failed &&
      turn.step > (written?.step ?? 0) &&
      turn.edit === null &&
      MIGRATES.test(commandOf(turn.input)),
  );
  const path = written?.edit?.path;
  if (path === undefined || isRun) return null;
  return [
    `${table} is made by ${path}, and no migration was run since that was written`,
    'Run the migrations on the database that the check uses, then the check; take back what was changed for this failure.',
  ];
};

const SCHEMA = /create table [^;]{5,300}/gi;

/** The record shows the table without the column that is asked for. */
export const otherColumn: FindReason = ({ turns, failure }) => {
  const column = groupIn(NO_TABLE, failure.turn.errorLine)?.split('.').at(-1);
  if (column === undefined || !/column/i.test(failure.turn.errorLine)) return null;
  const schemas = turns.flatMap((turn) => turn.output.match(SCHEMA) ?? []);
  const schema = schemas.find((text) => !new RegExp(`\\b${column}\\b`, 'i').test(text));
  if (schema === undefined || schemas.length > 1) return null;
  return [
    `there is no column ${column}, in ${failure.count} runs: the record shows ${quote(schema)}`,
    `Use a column that is there (${quote(schema)}), or add ${column} with a migration if the task asks for it.`,
  ];
};
