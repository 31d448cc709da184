/** `TOOLS`, `useTool`: read, glob and grep for the recovery agent: confined to the workspace, read-only, bounded, without secret files. */
import { readdir, realpath } from 'node:fs/promises';
import { join, matchesGlob, relative, resolve, sep } from 'node:path';
import { z } from 'zod';
import type { WorkspaceEvidence } from '../../core/vocabulary/diagnosis.ts';
import { isInside } from '../../platform/file/inside.ts';
import { openPlainHandle } from '../../platform/file/plain-file.ts';
import { isHidden } from './hidden-files.ts';
import { safeParse } from '../../platform/safe-parse.ts';

const READ_BYTES = 20_000;
const FILES_LISTED = 200;
const FILES_SEEN = 20_000;
const MATCHES = 50;
const GREP_FILE_BYTES = 200_000;
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
      const files = await list(root, parsed.data.pattern, signal);
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

/** The real path inside the real root, or null: symbolic links and `..` lead nowhere else. */
async function inside(root: string, path: string): Promise<string | null> {
  if (path.includes('\0')) return null;
  try {
    const base = await realpath(root);
    const real = await realpath(resolve(base, path));
    return isInside(real, base) && !isHidden(relative(base, real).split(sep).join('/')) ? real : null;
  } catch {
    return null;
  }
}

async function readText(root: string, path: string): Promise<string> {
  if ((await inside(root, path)) === null) return 'no such file in the workspace';
  return (await workspaceText(root, path, READ_BYTES)) ?? 'not a readable text file';
}

/** The start of a text file of the workspace; null where there is none that may be read. */
export async function workspaceText(root: string, path: string, bytes: number): Promise<string | null> {
  const real = await inside(root, path);
  return real === null ? null : await head(real, bytes);
}

async function head(path: string, bytes: number): Promise<string | null> {
  try {
    const file = await openPlainHandle(path);
    try {
      const buffer = Buffer.alloc(bytes);
      const { bytesRead } = await file.read(buffer, 0, bytes, 0);
      const text = buffer.subarray(0, bytesRead);
      return text.includes(0) ? null : text.toString('utf8');
    } finally {
      await file.close();
    }
  } catch {
    return null;
  }
}

async function list(root: string, pattern: string, signal: AbortSignal): Promise<readonly string[]> {
  const base = await realpath(root);
  const found: string[] = [];
  const folders = [''];
  let seen = 0;
  while (folders.length > 0 && found.length < FILES_LISTED && seen < FILES_SEEN && !signal.aborted) {
    const folder = folders.shift() as string;
    const entries = await readdir(join(base, folder), { withFileTypes: true }).catch(() => []);
    for (const entry of entries) {
      seen += 1;
      const path = folder === '' ? entry.name : `${folder}/${entry.name}`;
      if (isHidden(path)) continue;
      if (entry.isDirectory()) folders.push(path);
      else if (entry.isFile() && (pattern === '**' || matchesGlob(path, pattern))) found.push(path);
      if (found.length >= FILES_LISTED) break;
    }
  }
  return found;
}

async function grep(root: string, text: string, pattern: string, signal: AbortSignal): Promise<string> {
  const matches = await linesWith(root, text, pattern, signal);
  return matches.length === 0
    ? 'no match'
    : matches.map((match) => `${match.path}:${match.line}: ${match.text.slice(0, LINE_CHARS)}`).join('\n');
}

/** The lines of the workspace that hold a text, bounded. */
export async function linesWith(
  root: string,
  text: string,
  pattern: string,
  signal: AbortSignal,
): Promise<readonly WorkspaceEvidence[]> {
  const matches: WorkspaceEvidence[] = [];
  for (const path of await list(root, pattern, signal)) {
    if (matches.length >= MATCHES || signal.aborted) break;
    const content = await workspaceText(root, path, GREP_FILE_BYTES);
    if (content?.includes(text) !== true) continue;
    for (const [index, line] of content.split('\n').entries())
      if (line.includes(text) && matches.length < MATCHES)
        matches.push({ path, line: index + 1, text: line });
  }
  return matches;
}

function wrong(error: z.ZodError): string {
  return `the call is wrong: ${error.issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`).join('; ')}`;
}
