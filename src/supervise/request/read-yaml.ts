/**
 * `readYaml`: reads YAML that a person wrote as data of a known shape, or says what is wrong with it and on which line. `yamlProblem`: the
 * same of any error of the parser.
 */
import { type Document, LineCounter, parseDocument } from 'yaml';
import type { z } from 'zod';
import { safeParse } from '../../platform/safe-parse.ts';
import { firstLine } from '../../core/text/first-line.ts';

/** People use a few aliases; a document that is made to exhaust the memory has thousands. */
const MAX_ALIASES = 100;

export type YamlRead<T> =
  | { readonly type: 'read'; readonly value: T; readonly lineOf: (path: readonly PropertyKey[]) => number }
  | { readonly type: 'wrong'; readonly line: number; readonly what: string };

export function readYaml<T>(text: string, schema: z.ZodType<T>): YamlRead<T> {
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, uniqueKeys: true });
  const broken = document.errors[0];
  if (broken !== undefined)
    return { type: 'wrong', line: broken.linePos?.[0]?.line ?? 1, what: yamlProblem(broken) };
  const lineOf = (path: readonly PropertyKey[]) => lineIn(document, lines, path);
  let value: unknown;
  try {
    value = document.toJS({ maxAliasCount: MAX_ALIASES });
  } catch (error) {
    return { type: 'wrong', line: 1, what: yamlProblem(error) };
  }
  const parsed = safeParse(schema, value ?? {});
  if (parsed.success) return { type: 'read', value: parsed.data, lineOf };
  const [issue] = parsed.error.issues;
  const unknown = issue?.code === 'unrecognized_keys' ? issue.keys.slice(0, 1) : [];
  const at = [...(issue?.path ?? []), ...unknown];
  return {
    type: 'wrong',
    line: lineOf(at),
    what: `${at.join('.') || 'the whole'}: ${issue?.message ?? 'wrong'}`,
  };
}

/** The line of the key, or of the nearest key around it. */
function lineIn(document: Document, lines: LineCounter, path: readonly PropertyKey[]): number {
  for (let depth = path.length; depth > 0; depth -= 1) {
    const node = document.getIn(path.slice(0, depth), true) as
      | { range?: [number, number, number] }
      | undefined;
    if (node?.range !== undefined) return lines.linePos(node.range[0]).line;
  }
  return 1;
}

/** Says in one line why a text cannot be read as YAML. */
export function yamlProblem(error: unknown): string {
  if (!(error instanceof Error)) return 'not YAML';
  // The parser follows nesting by recursion until the stack is full; no person nests that deep.
  if (error.message.startsWith('Maximum call stack size exceeded')) return 'too deeply nested';
  return firstLine(error.message) || 'not YAML';
}
