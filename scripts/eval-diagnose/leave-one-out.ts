/**
 * Leave one tool out: for each tool, every alternative of every pattern that only this tool's outputs justify is taken
 * away, and the tool's name is unknown to the command reader; then its outputs are scored. What remains is what a tool
 * never seen would get.
 */
import { diagnoseWith } from '../../src/core/diagnose/diagnose.ts';
import { alternativesOf } from '../../src/core/diagnose/pattern-words.ts';
import type { Recogniser } from '../../src/core/diagnose/recogniser.ts';
import { RECOGNISERS } from '../../src/core/diagnose/recognisers/all.ts';
import { readLines } from '../../src/core/diagnose/read-lines.ts';
import type { Row } from './row.ts';
import type { Answer } from './score.ts';

/** Long logs repeat themselves. */
const LINES_LOOKED_AT = 400;

export function leaveOneToolOut(rows: readonly Row[]): readonly Answer[] {
  const texts = rows.map((row) => ({
    tool: row.tool,
    lines: readLines(row.output)
      .slice(-LINES_LOOKED_AT)
      .map((line) => line.text),
  }));
  const split = RECOGNISERS.map((recogniser) => ({
    recogniser,
    parts: recogniser.says
      .flatMap((pattern) => alternativesOf(pattern.source).map((source) => new RegExp(source, pattern.flags)))
      .map((pattern) => ({ pattern, tools: toolsOf(pattern, texts) })),
  }));
  const answers: Answer[] = [];
  for (const tool of new Set(rows.map((row) => row.tool))) {
    const recognisers: Recogniser[] = split
      .map(({ recogniser, parts }) => ({
        ...recogniser,
        says: parts
          .filter(({ tools }) => !(tools.size === 1 && tools.has(tool)))
          .map(({ pattern }) => pattern),
      }))
      .filter((recogniser) => recogniser.says.length > 0);
    const hidden = new RegExp(`\\b${tool.replaceAll(/[^\w-]/g, '.')}\\b`, 'g');
    for (const row of rows.filter((each) => each.tool === tool)) {
      const command = row.command?.replace(hidden, 'sometool') ?? null;
      answers.push({
        row,
        got: diagnoseWith(
          { output: row.output, exitCode: row.exit_code, signal: row.signal, command },
          recognisers,
        ),
      });
    }
  }
  return answers;
}

function toolsOf(
  pattern: RegExp,
  texts: readonly { readonly tool: string; readonly lines: readonly string[] }[],
): ReadonlySet<string> {
  const tools = new Set<string>();
  for (const { tool, lines } of texts)
    if (!tools.has(tool) && lines.some((line) => pattern.test(line))) tools.add(tool);
  return tools;
}
