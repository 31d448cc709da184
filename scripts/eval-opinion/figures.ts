/** `printFigures`: how right diagnoses are with and without an opinion, per origin. */
import type { Scored } from '../eval-diagnose/score.ts';
import { isRight, namesCause } from '../eval-diagnose/score.ts';
import { isBorneOut } from '../../src/core/opinion/diagnose-check.ts';
import type { WeighedRow } from './weighed-rows.ts';

const ORIGINS = ['all', 'CI', 'agent forms', 'threads', 'tools', 'captures'] as const;
const SURE = 0.9;

export function printFigures(weighed: readonly WeighedRow[], isVerbose: boolean): void {
  // A row that is asked about and was not answered tells nothing about opinions.
  const rows = weighed.filter(({ read, outcome }) => !read.isAsked || outcome !== null);
  console.log(
    `${weighed.length} outputs, ${weighed.length - rows.length} left out: asked about, and nobody answered`,
  );
  for (const origin of ORIGINS) {
    const own = rows.filter(({ read }) => origin === 'all' || read.origin === origin);
    if (own.length > 0) printOrigin(origin, own);
  }
  if (isVerbose) printWrong(rows);
}

function printOrigin(origin: string, rows: readonly WeighedRow[]): void {
  const before = rows.map(({ read }) => ({ row: read.row, got: read.rules }));
  const after = rows.map(({ read, got }) => ({ row: read.row, got }));
  const asked = rows.filter(({ read }) => read.isAsked);
  console.log(`\n${origin}: ${rows.length} outputs, asked ${share(asked.length, rows.length)}`);
  console.log(`  class right      rules ${right(before)}   with an opinion ${right(after)}`);
  console.log(
    `  of those asked   rules ${right(before.filter((_, at) => rows[at]?.read.isAsked))}   with an opinion ${right(after.filter((_, at) => rows[at]?.read.isAsked))}`,
  );
  console.log(`  cause line       rules ${causes(before)}   with an opinion ${causes(after)}`);
  console.log(`  said 0.9 or more rules ${sure(before)}   with an opinion ${sure(after)}`);
  console.log(`  false alarms     rules ${alarms(before)}   with an opinion ${alarms(after)}`);
  printModel(rows);
}

/** What the model alone says, on every prompt that was answered. */
function printModel(rows: readonly WeighedRow[]): void {
  const given = rows.flatMap(({ read, outcome }) =>
    outcome?.type === 'answered' ? [{ row: read.row, opinion: outcome.opinion }] : [],
  );
  const refused = rows.filter(({ outcome }) => outcome?.type === 'unanswered').length;
  const ok = given.filter(({ row, opinion }) =>
    [row.failure_type, row.second_label].includes(opinion.answer.class),
  );
  const borne = given.filter(({ opinion }) => isBorneOut(opinion));
  const high = given.filter(({ opinion }) => opinion.confidence >= SURE);
  console.log(
    `  the model alone  class right ${share(ok.length, given.length)}, of 0.9 or more ${share(high.filter((each) => ok.includes(each)).length, high.length)}; borne out ${share(borne.length, given.length)} (of these right ${share(borne.filter((each) => ok.includes(each)).length, borne.length)}); refused ${refused}`,
  );
}

function printWrong(rows: readonly WeighedRow[]): void {
  console.log('\nnot right with an opinion');
  for (const { read, outcome, got } of rows) {
    if (isRight({ row: read.row, got })) continue;
    const model =
      outcome?.type === 'answered'
        ? `${outcome.opinion.answer.class} ${outcome.opinion.confidence}, not held: ${outcome.opinion.checked
            .filter(({ holds }) => !holds)
            .map(({ claim }) => claim)
            .join('; ')}`
        : (outcome?.reason ?? 'not asked');
    console.log(
      `  ${read.row.id} ${read.origin}: ${read.row.failure_type} / ${got.failureType} ${got.confidence}; rules ${read.rules.failureType} ${read.rules.confidence}; model ${model}`,
    );
  }
}

function right(scored: readonly Scored[]): string {
  return share(scored.filter(isRight).length, scored.length);
}

function causes(scored: readonly Scored[]): string {
  const named = scored.filter(
    ({ row }) =>
      row.failure_type !== 'success' &&
      [...(row.root_cause_lines ?? []), row.root_cause_line].some((line) => line !== ''),
  );
  return share(named.filter(({ row, got }) => namesCause(row, got)).length, named.length);
}

function sure(scored: readonly (Scored & { readonly got: { readonly confidence: number } })[]): string {
  const claims = scored.filter(({ got }) => got.confidence >= SURE);
  return right(claims);
}

function alarms(scored: readonly Scored[]): string {
  const fine = scored.filter(({ row }) => row.failure_type === 'success');
  return share(fine.filter(({ got }) => got.failureType !== 'success').length, fine.length);
}

function share(part: number, whole: number): string {
  return whole === 0 ? '-' : `${(part / whole).toFixed(3)} (${part} of ${whole})`;
}
