import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';

/** The layout as data, lowest first: a file may import from its own folder and from folders of lower layers, nothing else. */
const LAYERS: readonly (readonly string[])[] = [
  ['src/core/vocabulary', 'src/core/text'],
  ['src/core/lexicon'],
  ['src/core/state'],
  ['src/core/detect', 'src/core/diagnose', 'src/core/judge'],
  ['src/core/opinion'],
  ['src/core/gates', 'src/core/fleet'],
  ['src/core/bus', 'src/core/view'],
  ['src/core/decide'],
  ['src/core/step.ts'],
  ['src/core/replay'],
  ['src/platform'],
  ['src/agents', 'src/record', 'src/context'],
  ['src/act'],
  ['src/supervise'],
  ['src/use-cases', 'src/report'],
  ['src/drills', 'src/mcp', 'src/http'],
  ['src/cli'],
  ['src/library'],
  ['src/index.ts'],
];
const isCore = (path: string) => path.startsWith('src/core/');
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

function folderOf(path: string): { folder: string; rank: number } | undefined {
  for (const [rank, folders] of LAYERS.entries()) {
    const folder = folders.find((one) => path === one || path.startsWith(`${one}/`));
    if (folder !== undefined) return { folder, rank };
  }
  return undefined;
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

function targetOf(path: string, target: string): string {
  return relative(root, resolve(join(root, dirname(path)), target));
}

/** Depth first: an import of a file that stands on the way to here closes a circle. */
function circlesIn(graph: ReadonlyMap<string, readonly string[]>): string[] {
  const circles: string[] = [];
  const done = new Set<string>();
  const visit = (path: string, way: readonly string[]): void => {
    const met = way.indexOf(path);
    if (met !== -1) circles.push([...way.slice(met), path].join(' -> '));
    if (met !== -1 || done.has(path)) return;
    for (const next of graph.get(path) ?? []) visit(next, [...way, path]);
    done.add(path);
  };
  for (const path of graph.keys()) visit(path, []);
  return circles;
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
      const { folder, rank } = folderOf(path) ?? expect.fail(`${path} stands in no known folder`);
      for (const { target, typeOnly } of importsOf(path)) {
        if (!target.startsWith('.')) {
          if (isCore(path)) expect.soft(target, 'core imports core only').toMatch(/^re2js$/);
          if (ONLY_PLATFORM.includes(target))
            expect.soft(folder, 'only platform spawns processes').toBe('src/platform');
          continue;
        }
        const imported = targetOf(path, target);
        const to = folderOf(imported) ?? expect.fail(`${path} imports ${imported}`);
        if (to.folder === folder) continue;
        expect.soft(to.rank, `${path} -> ${imported}`).toBeLessThan(rank);
        if (folder === 'src/platform')
          expect.soft(typeOnly, `${path} may take only types from core`).toBe(true);
      }
    });
  }
});

/** Here a circle of types alone is still allowed. */
const TYPES_MAY_CIRCLE = /^src\/(?:act|agents|platform|supervise)\//;

describe('no file imports itself, over whatever others: pass on what the lower file asks for, or move it to a leaf', () => {
  const graphOf = (counts: (path: string, typeOnly: boolean) => boolean) =>
    new Map(
      sources('src').map((path) => {
        const counted = importsOf(path).filter(({ typeOnly }) => counts(path, typeOnly));
        return [path, counted.map(({ target }) => targetOf(path, target))];
      }),
    );

  it('at run time, imports that are loaded later included', () => {
    expect(circlesIn(graphOf((_path, typeOnly) => !typeOnly))).toEqual([]);
  });

  it('nor by its types', () => {
    expect(circlesIn(graphOf((path, typeOnly) => !typeOnly || !TYPES_MAY_CIRCLE.test(path)))).toEqual([]);
  });

  it('the search finds a circle of three', () => {
    const round = new Map([
      ['a', ['b']],
      ['b', ['c', 'd']],
      ['c', ['a']],
      ['d', []],
    ]);
    expect(circlesIn(round)).toEqual(['a -> b -> c -> a']);
  });
});

describe('the core asks the world for nothing', () => {
  for (const path of sources('src/core')) {
    it(path, () => {
      const text = withoutComments(readFileSync(join(root, path), 'utf8'));
      for (const pattern of NOT_IN_CORE) expect.soft(text).not.toMatch(pattern);
    });
  }
});
