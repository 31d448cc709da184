/**
 * Leave one tool out, a pessimistic bound. For each tool, every alternative of every recogniser that matches outputs of
 * no other tool in the repository's corpora is taken away, and the tool's name is unknown to the command reader; then its
 * outputs are scored. What stays: the shapes of lines, the signs of a kind of program in the text, the names of
 * exceptions, and alternatives that no output uses. Nothing is put in the place of what is taken away, although a tool
 * never seen brings words of its own; scoring a new capture before anybody looks is the fair measure (docs/reference/diagnose.md).
 */
import { diagnoseLines } from '../../src/core/diagnose/diagnose.ts';
import { BUILT_IN_PATTERNS } from '../../src/core/diagnose/patterns/built-in-patterns.ts';
import { alternativesOf } from '../../src/core/diagnose/patterns/pattern-words.ts';
import type { Recogniser } from '../../src/core/diagnose/recogniser.ts';
import { RECOGNISERS } from '../../src/core/diagnose/recognisers/all.ts';
import { readLines } from '../../src/core/diagnose/lines/read-lines.ts';
import { originOf, type Row } from './row.ts';
import type { Answer } from './score.ts';

/** Long logs repeat themselves. */
const LINES_LOOKED_AT = 120;

export function leaveOneToolOut(rows: readonly Row[], witnesses: readonly Row[]): readonly Answer[] {
  return leaveOut(rows, witnesses, (row) => row.tool);
}

/** The same for where a text comes from: what only CI logs justify is taken away before CI logs are scored. Names of tools stay known. */
export function leaveOneOriginOut(rows: readonly Row[], witnesses: readonly Row[]): readonly Answer[] {
  return leaveOut(rows, witnesses, originOf);
}

function leaveOut(
  rows: readonly Row[],
  witnesses: readonly Row[],
  groupOf: (row: Row) => string,
): readonly Answer[] {
  const texts = [...rows, ...witnesses].map((row) => ({
    group: groupOf(row),
    lines: readLines(row.output)
      .slice(-LINES_LOOKED_AT)
      .map((line) => line.text),
  }));
  const split = RECOGNISERS.map((recogniser) => ({
    recogniser,
    parts: recogniser.says
      .flatMap((pattern) => alternativesOf(pattern.source).map((source) => new RegExp(source, pattern.flags)))
      .map((pattern) => ({ pattern, groups: groupsOf(pattern, texts) })),
  }));
  const answers: Answer[] = [];
  for (const group of new Set(rows.map(groupOf))) {
    const recognisers: Recogniser[] = split
      .map(({ recogniser, parts }) => ({
        ...recogniser,
        says: parts
          .filter(({ groups }) => !(groups.size === 1 && groups.has(group)))
          .map(({ pattern }) => pattern),
      }))
      .filter((recogniser) => recogniser.says.length > 0);
    const hidden = new RegExp(`\\b${group.replaceAll(/[^\w-]/g, '.')}\\b`, 'g');
    for (const row of rows.filter((each) => groupOf(each) === group)) {
      const command = row.command?.replace(hidden, 'sometool') ?? null;
      answers.push({
        row,
        got: diagnoseLines(
          readLines(row.output),
          { exitCode: row.exit_code, signal: row.signal, command },
          BUILT_IN_PATTERNS,
          recognisers,
        ),
      });
    }
  }
  return answers;
}

function groupsOf(
  pattern: RegExp,
  texts: readonly { readonly group: string; readonly lines: readonly string[] }[],
): ReadonlySet<string> {
  const groups = new Set<string>();
  for (const { group, lines } of texts)
    if (!groups.has(group) && lines.some((line) => pattern.test(line))) groups.add(group);
  return groups;
}
