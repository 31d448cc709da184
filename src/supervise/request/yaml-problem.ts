/** Why a text is no YAML document of ours, in one line. */
export function yamlProblem(error: unknown): string {
  if (!(error instanceof Error)) return 'not YAML';
  // Nesting is followed by recursion; the stack is the limit, and no person nests that deep.
  if (error.message.startsWith('Maximum call stack size exceeded')) return 'too deeply nested';
  return error.message.split('\n')[0] ?? 'not YAML';
}
