/** `yamlProblem`: says in one line why a text cannot be read as YAML. */
import { firstLine } from '../../core/text/first-line.ts';

export function yamlProblem(error: unknown): string {
  if (!(error instanceof Error)) return 'not YAML';
  // The parser follows nesting by recursion until the stack is full; no person nests that deep.
  if (error.message.startsWith('Maximum call stack size exceeded')) return 'too deeply nested';
  return firstLine(error.message) || 'not YAML';
}
