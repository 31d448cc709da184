/**
 * `mixerFor`: mixes the base's and the candidate's version of a file that holds both work and judging parts: a manifest with scripts,
 * a build file, a project file with sections for tools. The judging parts come from the base, so that `npm test` means what it meant
 * before. A part that is not known to belong to the work counts as judging.
 */
import { nameOf } from './verification-files.ts';
import { isJsonObject, objectOrNull } from '../text/json.ts';

/**
 * Takes the base's and the candidate's text; null when the judging parts are unchanged. `hasJudge`: the base has tests or checks that
 * new settings could change; without them new settings belong to the work.
 */
type Mixer = (base: string, candidate: string, hasJudge: boolean) => string | null;

/** Keys that say what a package is and needs; every other key of a package.json configures some tool. */
const WORK_KEYS = new Set(
  `name version description keywords homepage bugs license author contributors funding files main module browser bin man
   directories repository exports imports types typings typesVersions type sideEffects dependencies devDependencies
   peerDependencies peerDependenciesMeta optionalDependencies bundleDependencies bundledDependencies engines os cpu
   private publishConfig packageManager workspaces`.split(/\s+/),
);
const DEPENDENCIES = ['dependencies', 'devDependencies', 'optionalDependencies', 'peerDependencies'];
/** A version that is not from the registry: it could replace a tool with a folder of the work. */
const ELSEWHERE = /^(?:file:|link:|portal:|npm:|git|https?:|[./~])/;
/** Scripts that a package manager runs around an installation, even if no other script calls them. */
const LIFECYCLE = /^(?:(?:pre|post)?(?:install|prepare|pack|publish)|prepublishOnly|dependencies)$/;
/** A script that only prints and exits, as `npm init` writes it: it judges nothing, so any script of the work may replace it. */
const PLACEHOLDER = /^\s*(?:echo|printf)\b[^;&|`$]*(?:(?:&&|;)\s*(?:exit +\d+|false|true)\s*)?$/;

/** Sections of a project file that say what the project is and needs; the others configure tools. */
const WORK_SECTIONS: readonly RegExp[] = [
  /^\[\[?(?:project|dependency-groups|build-system|metadata|options)\b/,
  /^\[\[?tool\.(?:poetry(?!\.scripts)|uv|setuptools|hatch\.(?:build|version|metadata)|flit|pdm\.(?:dev-)?dependencies)\b/,
];
/** A line with one of these words, added to a build file, may switch something off. */
const SWITCHES =
  /skip|ignore|exclude|filter|test|check|enabled|exec|command|shell|include|import|script|source|override|\bif\b/i;

export function mixerFor(path: string): Mixer | null {
  const name = nameOf(path);
  if (name === 'package.json') return mixManifest;
  if (hasSections(path)) return mixSections;
  return BUILD_FILES.some((pattern) => pattern.test(name)) ? mixBuildFile : null;
}

/** Files whose sections say what a project needs, and may say how tools run. */
export function hasSections(path: string): boolean {
  return /^(?:pyproject\.toml|setup\.cfg|tox\.ini)$/.test(nameOf(path));
}

const BUILD_FILES: readonly RegExp[] = [
  /^(?:GNU)?[Mm]akefile$|\.mk$|^(?:\.?[Jj]ustfile|[Tt]askfile\.ya?ml|Rakefile|CMakeLists\.txt|meson\.build|noxfile\.py|setup\.py)$/,
  /^(?:build\.(?:gradle(?:\.kts)?|xml|sbt|zig|rs)|settings\.gradle(?:\.kts)?|pom\.xml|.*\.cmake|.*\.csproj)$/,
  /^(?:SConstruct|BUILD(?:\.bazel)?|WORKSPACE|[Gg]runtfile\.\w+|[Gg]ulpfile\.\w+|Earthfile|Dockerfile)$/,
];

function mixManifest(base: string, candidate: string, hasJudge: boolean): string | null {
  const from = objectOrNull(base);
  const to = objectOrNull(candidate);
  if (from === null) return null;
  // The candidate's file cannot be parsed: only the base's can be used.
  if (to === null) return base;
  const mixed: Record<string, unknown> = {};
  for (const key of Object.keys(to)) if (WORK_KEYS.has(key) || !hasJudge) mixed[key] = to[key];
  for (const key of Object.keys(from)) if (!WORK_KEYS.has(key)) mixed[key] = from[key];
  for (const key of DEPENDENCIES) if (key in mixed) mixed[key] = sameOrigins(from[key], mixed[key]);
  const scripts = mixScripts(mapOf(from['scripts']), mapOf(to['scripts']));
  if (Object.keys(scripts).length > 0) mixed['scripts'] = scripts;
  else delete mixed['scripts'];
  return sorted(mixed) === sorted(to) ? null : `${JSON.stringify(mixed, null, 2)}\n`;
}

/** New scripts belong to the work, unless an old script or an installation would run them. */
function mixScripts(from: Record<string, unknown>, to: Record<string, unknown>): Record<string, unknown> {
  const kept = Object.entries(from).filter(([, line]) => !PLACEHOLDER.test(String(line)));
  const names = new Set(kept.map(([name]) => name));
  const added = Object.entries(to).filter(([name]) => {
    const hooked = /^(?:pre|post)(.+)$/.exec(name)?.[1];
    return !names.has(name) && !LIFECYCLE.test(name) && (hooked === undefined || !names.has(hooked));
  });
  return Object.fromEntries([...kept, ...added]);
}

function sameOrigins(from: unknown, to: unknown): unknown {
  const before = mapOf(from);
  return Object.fromEntries(
    Object.entries(mapOf(to)).map(([name, version]) => [
      name,
      name in before && before[name] !== version && ELSEWHERE.test(String(version)) ? before[name] : version,
    ]),
  );
}

function mixSections(base: string, candidate: string, hasJudge: boolean): string | null {
  const before = new Set(blocksOf(base).map(({ head }) => head.trim()));
  const isJudge = ({ head }: Block) =>
    head.startsWith('[') &&
    !WORK_SECTIONS.some((pattern) => pattern.test(head)) &&
    (hasJudge || before.has(head.trim()));
  const from = blocksOf(base).filter(isJudge);
  const to = blocksOf(candidate);
  const judging = (blocks: readonly Block[]) =>
    blocks
      .map(({ text }) => text.trim())
      .filter((text) => text !== '')
      .join('\n');
  if (judging(from) === judging(to.filter(isJudge))) return null;
  const kept = to.filter((block) => !isJudge(block));
  return [...kept, ...from].map(({ text }) => (text.endsWith('\n') ? text : `${text}\n`)).join('');
}

/**
 * Build files, which no parser reads: lines that were added and switch nothing (a dependency, a target), and lines that grew by names of
 * files (an object, a test), belong to the work; otherwise the base's file is used.
 */
function mixBuildFile(base: string, candidate: string, hasJudge: boolean): string | null {
  const before = base.split('\n');
  let at = 0;
  for (const line of candidate.split('\n')) {
    const old = before[at];
    if (old !== undefined && (line === old || hasGrown(old, line))) at += 1;
    else if (hasJudge && SWITCHES.test(line)) return base;
  }
  return at >= before.length - 1 ? null : base;
}

function hasGrown(old: string, line: string): boolean {
  const added = line.slice(old.length);
  return line.startsWith(old) && /\S\s+\S/.test(old) && /^(?:\s+[\w/][\w./-]*\.\w+)+$/.test(added);
}

interface Block {
  readonly head: string;
  readonly text: string;
}

function blocksOf(text: string): Block[] {
  const blocks: { head: string; text: string }[] = [];
  for (const line of text.split(/(?<=\n)/)) {
    const last = blocks.at(-1);
    if (last === undefined || line.startsWith('[')) blocks.push({ head: line, text: line });
    else last.text += line;
  }
  return blocks;
}

function sorted(value: Record<string, unknown>): string {
  return JSON.stringify(
    Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1)),
    (_, inner: unknown) =>
      isJsonObject(inner)
        ? Object.fromEntries(Object.entries(inner).toSorted(([a], [b]) => (a < b ? -1 : 1)))
        : inner,
  );
}

function mapOf(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
}
