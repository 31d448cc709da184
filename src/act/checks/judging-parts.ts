/**
 * Files that hold work and judge in one: a manifest with scripts, a Makefile with a test target, a project file with a test
 * section. The candidate keeps its own parts and gets the base's judging ones: `npm test` must mean what it meant before.
 */
import { isVerificationScript } from './verification-files.ts';

/** Takes the base's and the candidate's text; null when what counts is unchanged. */
type Mixer = (base: string, candidate: string) => string | null;

/** Parts of a package.json that steer a test runner or linter. */
const MANIFEST_KEYS = [
  'jest',
  'vitest',
  'mocha',
  'ava',
  'c8',
  'nyc',
  'tap',
  'xo',
  'eslintConfig',
  'eslintIgnore',
];
const JUDGING_SECTION =
  /^\[(?:tool[.:](?:pytest|tox|mypy|ruff|coverage|pylint|flake8)|pytest|flake8|mypy|coverage)\b/;

export function mixerFor(path: string): Mixer | null {
  const name = path.slice(path.lastIndexOf('/') + 1);
  if (name === 'package.json') return mixManifest;
  if (/^(?:GNU)?[Mm]akefile$|^[Jj]ustfile$/.test(name)) return mixTargets;
  if (name === 'pyproject.toml' || name === 'setup.cfg') return mixSections;
  return null;
}

function mixManifest(base: string, candidate: string): string | null {
  const from = parse(base);
  const to = parse(candidate);
  if (from === null) return null;
  // Broken in the candidate: what the base had is the only meaning left.
  if (to === null) return base;
  const scripts = Object.entries(scriptsOf(from)).filter(([name]) => isVerificationScript(name));
  const own = scriptsOf(to);
  // A new `pretest` runs before an old `test`.
  const hooks = Object.keys(own).filter(
    (name) => /^(?:pre|post)/.test(name) && isVerificationScript(name) && !(name in scriptsOf(from)),
  );
  const keys = MANIFEST_KEYS.filter((key) => JSON.stringify(from[key]) !== JSON.stringify(to[key]));
  if (scripts.every(([name, text]) => own[name] === text) && keys.length === 0 && hooks.length === 0)
    return null;
  const mixed: Record<string, unknown> = { ...to, scripts: { ...own, ...Object.fromEntries(scripts) } };
  for (const name of hooks) delete (mixed['scripts'] as Record<string, unknown>)[name];
  for (const key of keys) {
    if (key in from) mixed[key] = from[key];
    else delete mixed[key];
  }
  return `${JSON.stringify(mixed, null, 2)}\n`;
}

/** Targets with their recipes: from `name:` to the next line that is neither indented nor empty. */
function mixTargets(base: string, candidate: string): string | null {
  const isJudge = (head: string) => isVerificationScript(/^([\w.-]+)[^:=]*:(?!=)/.exec(head)?.[1] ?? '');
  return mixBlocks(base, candidate, (line) => /^[^\s#]/.test(line), isJudge);
}

function mixSections(base: string, candidate: string): string | null {
  return mixBlocks(
    base,
    candidate,
    (line) => line.startsWith('['),
    (head) => JUDGING_SECTION.test(head),
  );
}

interface Block {
  readonly head: string;
  readonly text: string;
}

function mixBlocks(
  base: string,
  candidate: string,
  begins: (line: string) => boolean,
  isJudge: (head: string) => boolean,
): string | null {
  const from = blocksOf(base, begins).filter(({ head }) => isJudge(head));
  const to = blocksOf(candidate, begins);
  const judging = (blocks: readonly Block[]) => blocks.map(({ text }) => text.trimEnd()).join('\n');
  if (judging(from) === judging(to.filter(({ head }) => isJudge(head)))) return null;
  const kept = to.filter(({ head }) => !isJudge(head)).map(({ text }) => text);
  return [...kept, ...from.map(({ text }) => (text.endsWith('\n') ? text : `${text}\n`))].join('');
}

function blocksOf(text: string, begins: (line: string) => boolean): Block[] {
  const blocks: { head: string; text: string }[] = [];
  for (const line of text.split(/(?<=\n)/)) {
    const last = blocks.at(-1);
    if (last === undefined || begins(line)) blocks.push({ head: line, text: line });
    else last.text += line;
  }
  return blocks;
}

function scriptsOf(manifest: Record<string, unknown>): Record<string, unknown> {
  const scripts = manifest['scripts'];
  return typeof scripts === 'object' && scripts !== null ? (scripts as Record<string, unknown>) : {};
}

function parse(text: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : null;
  } catch {
    return null;
  }
}
