/** `TOOLS`, `useTool`: read, glob and grep for the recovery agent: confined to the workspace, read-only, bounded, without secret files. */
import { z } from 'zod';
import { safeParse } from '../../platform/safe-parse.ts';
import { linesWith, workspaceFiles, workspacePath, workspaceText } from './workspace-reading.ts';

const READ_BYTES = 20_000;
const LINE_CHARS = 300;
export const TOOLS = [
  {
    name: 'read',
    description: 'Read a text file of the workspace (first 20 kB).',
    schema: z.strictObject({ path: z.string().min(1).max(1_000) }),
  },
  {
    name: 'glob',
    description: 'List files of the workspace that match a glob pattern such as src/**/*.ts.',
    schema: z.strictObject({ pattern: z.string().min(1).max(200) }),
  },
  {
    name: 'grep',
    description: 'Find a literal text in the files of the workspace.',
    schema: z.strictObject({ text: z.string().min(2).max(200), pattern: z.string().max(200).optional() }),
  },
] as const;

export async function useTool(
  root: string,
  name: string,
  input: unknown,
  signal: AbortSignal,
): Promise<string> {
  switch (name) {
    case 'read': {
      const parsed = safeParse(TOOLS[0].schema, input);
      return parsed.success ? readText(root, parsed.data.path) : wrong(parsed.error);
    }
    case 'glob': {
      const parsed = safeParse(TOOLS[1].schema, input);
      if (!parsed.success) return wrong(parsed.error);
      const files = await workspaceFiles(root, parsed.data.pattern, signal);
      return files.length === 0 ? 'no file matches' : files.join('\n');
    }
    case 'grep': {
      const parsed = safeParse(TOOLS[2].schema, input);
      return parsed.success
        ? grep(root, parsed.data.text, parsed.data.pattern ?? '**', signal)
        : wrong(parsed.error);
    }
    default:
      return `there is no tool ${JSON.stringify(name.slice(0, 40))}; there are read, glob, grep and answer`;
  }
}

async function readText(root: string, path: string): Promise<string> {
  if ((await workspacePath(root, path)) === null) return 'no such file in the workspace';
  return (await workspaceText(root, path, READ_BYTES)) ?? 'not a readable text file';
}

async function grep(root: string, text: string, pattern: string, signal: AbortSignal): Promise<string> {
  const matches = await linesWith(root, text, pattern, signal);
  return matches.length === 0
    ? 'no match'
    : matches.map((match) => `${match.path}:${match.line}: ${match.text.slice(0, LINE_CHARS)}`).join('\n');
}

function wrong(error: z.ZodError): string {
  return `the call is wrong: ${error.issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`).join('; ')}`;
}
