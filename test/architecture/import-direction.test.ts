import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';

/** The layout as data: a file may import from its own folder and from folders of a lower rank, nothing else. */
const RANKS: readonly (readonly [folder: string, rank: number])[] = [
  ['src/core', 0],
  ['src/platform', 0],
  ['src/agents', 2],
  ['src/record', 2],
  ['src/context', 2],
  ['src/act', 3],
  ['src/supervise', 4],
  ['src/use-cases', 5],
  ['src/report', 5],
  ['src/drills', 6],
  ['src/cli', 7],
  ['src/mcp', 7],
  ['src/http', 7],
  ['src/library', 8],
  ['src/index.ts', 9],
];
/** Rank 0 has two rooms that may not see each other: deciding and touching. */
const MAY_IMPORT_CORE_TYPES = new Set(['src/platform']);
const ONLY_PLATFORM = ['node:child_process'];
const NOT_IN_CORE = [
  /\bDate\.now\b/,
  /\bnew Date\(\)/,
  /\bMath\.random\b/,
  /\basync\b/,
  /\bawait\b/,
  /\bset(Timeout|Interval)\b/,
];

const root = resolve(import.meta.dirname, '../..');

function sources(folder: string): string[] {
  return readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith('.ts'))
    .map((entry) => relative(root, join(entry.parentPath, entry.name)));
}

function folderOf(path: string): (typeof RANKS)[number] | undefined {
  return RANKS.find(([folder]) => path === folder || path.startsWith(`${folder}/`));
}

function importsOf(path: string): { target: string; typeOnly: boolean }[] {
  const text = readFileSync(join(root, path), 'utf8');
  const found = text.matchAll(
    /(?:^|\n)\s*(?:import|export)\s+(type\s+)?[^;'"]*?from\s+'([^']+)'|import\('([^']+)'\)/g,
  );
  return [...found].map((match) => ({
    target: (match[2] ?? match[3]) as string,
    typeOnly: match[1] !== undefined,
  }));
}

function withoutComments(text: string): string {
  return text
    .replaceAll(/\/\*[\s\S]*?\*\//g, '')
    .replaceAll(/(^|\s)\/\/.*$/gm, '')
    .replaceAll(/'(?:[^'\\\n]|\\.)*'|`(?:[^`\\]|\\.)*`|"(?:[^"\\\n]|\\.)*"/g, "''")
    .replaceAll(/\/(?![*/])(?:[^/\\\n[]|\\.|\[(?:[^\]\\\n]|\\.)*\])+\/[dgimsuvy]*/g, "''");
}

describe('imports go strictly downward', () => {
  for (const path of sources('src')) {
    it(path, () => {
      const [folder, rank] = folderOf(path) ?? expect.fail(`${path} stands in no known folder`);
      for (const { target, typeOnly } of importsOf(path)) {
        if (!target.startsWith('.')) {
          if (folder === 'src/core') expect.soft(target, 'core imports core only').toMatch(/^re2js$/);
          if (ONLY_PLATFORM.includes(target))
            expect.soft(folder, 'only platform spawns processes').toBe('src/platform');
          continue;
        }
        const imported = relative(root, resolve(join(root, dirname(path)), target));
        const [targetFolder, targetRank] = folderOf(imported) ?? expect.fail(`${path} imports ${imported}`);
        if (targetFolder === folder) continue;
        if (MAY_IMPORT_CORE_TYPES.has(folder) && targetFolder === 'src/core') {
          expect.soft(typeOnly, `${path} may take only types from core`).toBe(true);
          continue;
        }
        expect.soft(targetRank, `${path} -> ${imported}`).toBeLessThan(rank);
      }
    });
  }
});

describe('the core asks the world for nothing', () => {
  for (const path of sources('src/core')) {
    it(path, () => {
      const text = withoutComments(readFileSync(join(root, path), 'utf8'));
      for (const pattern of NOT_IN_CORE) expect.soft(text).not.toMatch(pattern);
    });
  }
});
