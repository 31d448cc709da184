/** `TOOLS`, `useTool`: read, glob and grep for the recovery agent: confined to the workspace, read-only, bounded, without secret files. */
import { z } from 'zod';
import { safeParse } from '../../platform/safe-parse.ts';
import { linesWith, workspaceFiles, workspacePath, workspaceText } from './workspace-reading.ts';

const READ_BYTES = 20_000;
const LINE_CHARS = 300;

type Use<Input> = (root: string, input: Input, signal: AbortSignal) => Promise<string>;

export const TOOLS = [
  tool(
    'read',
    'Read a text file of the workspace (first 20 kB).',
    z.strictObject({ path: z.string().min(1).max(1_000) }),
    async (root, { path }) => {
      if ((await workspacePath(root, path)) === null) return 'no such file in the workspace';
      return (await workspaceText(root, path, READ_BYTES)) ?? 'not a readable text file';
    },
  ),
  tool(
    'glob',
    'List files of the workspace that match a glob pattern such as src/**/*.ts.',
    z.strictObject({ pattern: z.string().min(1).max(200) }),
    async (root, { pattern }, signal) =>
      (await workspaceFiles(root, pattern, signal)).join('\n') || 'no file matches',
  ),
  tool(
    'grep',
    'Find a literal text in the files of the workspace.',
    z.strictObject({ text: z.string().min(2).max(200), pattern: z.string().max(200).optional() }),
    async (root, { text, pattern = '**' }, signal) => {
      const matches = await linesWith(root, text, pattern, signal);
      const lines = matches.map((match) => `${match.path}:${match.line}: ${match.text.slice(0, LINE_CHARS)}`);
      return lines.join('\n') || 'no match';
    },
  ),
];

function tool<Input>(name: string, description: string, schema: z.ZodType<Input>, use: Use<Input>) {
  const called: Use<unknown> = async (root, input, signal) => {
    const { success, data, error } = safeParse(schema, input);
    return success ? await use(root, data, signal) : wrong(error);
  };
  return { name, description, schema, use: called };
}

export async function useTool(
  root: string,
  name: string,
  input: unknown,
  signal: AbortSignal,
): Promise<string> {
  const called = TOOLS.find((one) => one.name === name);
  if (called !== undefined) return await called.use(root, input, signal);
  return `there is no tool ${JSON.stringify(name.slice(0, 40))}; there are read, glob, grep and answer`;
}

function wrong(error: z.ZodError): string {
  return `the call is wrong: ${error.issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`).join('; ')}`;
}
