/**
 * `bundlePrograms`: the command line, its helper programs and the library, each with everything it needs, in a few files side by side.
 * A start from the sources reads 600 modules and takes more than twice the processor time.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Script } from 'node:vm';
import type { ChunkingContext, OutputChunk, Plugin } from 'rolldown';
import { groupModules, type Start } from './group-modules.ts';

const ROOT = join(import.meta.dirname, '..');
/** They lie in one folder, where they look for one another. */
const PROGRAMS = {
  main: 'src/cli/main.ts',
  index: 'src/index.ts',
  'keeper-process': 'src/supervise/keeper-process.ts',
  attendant: 'src/platform/container/attendant.ts',
  play: 'src/agents/rehearsal/play.ts',
  'acp-client': 'src/agents/acp/acp-client.ts',
} as const;

/**
 * How often something is started in comparison with one of the other commands: `main` with every command, two attendants in a run,
 * the reader of settings wherever there are some. `doctor` counts for more than its calls: it has most to do besides.
 */
const STARTED_OFTEN: ReadonlyMap<string, number> = new Map(
  Object.entries({
    'src/cli/main.ts': 60,
    'src/platform/container/attendant.ts': 30,
    'src/supervise/keeper-process.ts': 10,
    'src/cli/run/run.ts': 10,
    'src/cli/run/new-run.ts': 10,
    'src/use-cases/start/start-run.ts': 10,
    'src/cli/follow-to-end.ts': 10,
    'src/supervise/request/read-config.ts': 20,
    'src/cli/look/ps.ts': 10,
    'src/cli/machine/doctor.ts': 10,
  }).map(([path, weight]) => [join(ROOT, path), weight]),
);

/** The folder must be two below the package's own: the programs look for the desk from there. Returns the folders of bundled packages. */
export async function bundlePrograms(folder: string): Promise<string[]> {
  const { rolldown } = await import('rolldown');
  const build = await rolldown({
    input: Object.fromEntries(Object.entries(PROGRAMS).map(([name, path]) => [name, join(ROOT, path)])),
    platform: 'node',
    external: [/^node:/],
    logLevel: 'silent',
    plugins: [builtinsByNeed, parsersByStep],
  });
  const names = { entryFileNames: '[name]-[hash].js', chunkFileNames: '[name]-[hash].js' };
  const codeSplitting = { groups: [{ name: fileOfModule(), includeDependenciesRecursively: false }] };
  const { output } = await build.generate({ ...names, codeSplitting, comments: false });
  await build.close();
  mkdirSync(folder, { recursive: true });
  const files = output.filter((file) => file.type === 'chunk');
  for (const file of files) {
    const code = inAscii(functionOf(file));
    // Fails here, not at a user's, if something of a module was left in the function.
    new Script(code, { filename: file.fileName });
    writeFileSync(join(folder, file.fileName), code);
    if (!file.isEntry) continue;
    const [start, starting] = startOf(file);
    writeFileSync(join(folder, start), starting);
  }
  writeFileSync(join(folder, 'package.json'), '{ "type": "commonjs" }\n');
  const modules = files.flatMap(({ moduleIds }) => moduleIds);
  return [...new Set(modules.flatMap((path) => PACKAGE.exec(path)?.[0] ?? []))].toSorted();
}

/** Each of them loads much of Node, and many starts call none of their functions: these are looked up when they are called. */
const LOADED_LATE: ReadonlySet<string> = new Set(
  'crypto child_process fs/promises timers/promises zlib v8 net readline readline/promises'
    .split(' ')
    .map((name) => `node:${name}`),
);
/** The global `performance` loads ten parts of Node when it is first named; this is the same clock. */
const CLOCK = 'function monotonicMs() { return Number(process.hrtime.bigint()) / 1e6; }';

/** An import of a part of Node reads every one of its exports, and some load more of Node when they are read: 7 ms of each start. */
const builtinsByNeed: Plugin = {
  name: 'builtins-by-need',
  renderChunk: (code) => {
    const timed = code.replaceAll('performance.now()', 'monotonicMs()');
    const byNeed = timed.replaceAll(BUILTIN_IMPORT, (_, names: string, from: string) => {
      const module = `process.getBuiltinModule("${from}")`;
      if (!LOADED_LATE.has(from)) return `const {${properties(names)}} = ${module};`;
      const functions = renamed(names).map(
        ([name, local]) => `${local} = (...given) => ${module}.${name}(...given)`,
      );
      return `const ${functions.join(', ')};`;
    });
    return timed === code ? byNeed : `${byNeed}\n${CLOCK}\n`;
  },
};

const BUILTIN_IMPORT = /^import \{([^}]+)\} from "(node:[^"]+)";$/gm;

/** Zod writes and compiles a program for every shape that it reads. A process of ours reads most shapes once: 8 ms of each run. */
const parsersByStep: Plugin = {
  name: 'parsers-by-step',
  transform: {
    filter: { id: /\/zod\/v4\/core\/schemas\.js$/ },
    handler: (code) => {
      const byStep = code.replace(COMPILES, 'const jit = false;');
      if (byStep === code) throw new Error(`zod does not say ${COMPILES} any more`);
      return byStep;
    },
  },
};

const COMPILES = 'const jit = !core.globalConfig.jitless;';

/** The function that `bin/load-program.js` calls: what the file imports is loaded by name, what it exports is returned. */
function functionOf({ code, isEntry }: OutputChunk): string {
  const exported: string[] = [];
  const exports = (values: readonly string[]): string => {
    exported.push(...values);
    return '';
  };
  const body = code
    .replaceAll(
      FILE_IMPORT,
      (_, names: string, from: string) => `const {${properties(names)}} = load("${from}");`,
    )
    .replaceAll(EMPTY_IMPORT, 'load("$1");')
    .replaceAll(LATER_IMPORT, 'later("$1")')
    .replaceAll('import.meta.', 'meta.')
    .replaceAll(FILE_EXPORT, (_, names: string, from: string) =>
      exports(renamed(names).map(([name, as]) => `${as}: load("${from}").${name}`)),
    )
    .replaceAll(OWN_EXPORT, (_, names: string) =>
      exports(renamed(names).map(([name, as]) => `${as}: ${name}`)),
    )
    .replaceAll(DEFAULT_EXPORT, (_, value: string) => exports([`default: ${value}`]));
  const start = `(${isEntry ? 'async ' : ''}function (load, later, meta) {"use strict";`;
  return `${start}${body}\nreturn {${exported.join(', ')}};\n})`;
}

/** V8 keeps a source of which one character is not Latin-1 with two bytes for each. `String.raw` would show the escape, and a backslash before it would end it. */
function inAscii(code: string): string {
  if (RAW_TEXT.test(code)) return code;
  return code.replaceAll(BEYOND_ASCII, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

const BEYOND_ASCII = /[\u0080-\uffff]/g;
const RAW_TEXT = /\\[\u0080-\uffff]|String\.raw`[^`]*[\u0080-\uffff]/;
const FILE_IMPORT = /^import \{([^}]+)\} from "\.\/([^"]+)";$/gm;
const EMPTY_IMPORT = /^import "\.\/([^"]+)";$/gm;
const LATER_IMPORT = /\bimport\("\.\/([^"]+)"\)/g;
const FILE_EXPORT = /^export \{([^}]+)\} from "\.\/([^"]+)";$/gm;
const OWN_EXPORT = /^export \{([^}]*)\};$/gm;
const DEFAULT_EXPORT = /^export default ([^;]+);$/gm;

function renamed(names: string): readonly (readonly [name: string, as: string])[] {
  const each = names.split(',').map((one) => one.trim());
  return each.filter(Boolean).map((one) => {
    const [name = '', as = name] = one.split(' as ');
    return [name, as];
  });
}

function properties(names: string): string {
  return renamed(names)
    .map(([name, as]) => `${name}: ${as}`)
    .join(', ');
}

/** The file by which Node starts a program: CommonJS, which starts sooner. Others import the library, an ES module. */
function startOf({ name, fileName, exports }: OutputChunk): readonly [file: string, code: string] {
  if (exports.length === 0)
    return [
      `${name}.js`,
      `module.exports = require('../../bin/load-program.js').loadProgram(__dirname, '${fileName}');\n`,
    ];
  const loaded = `await loader.loadProgram(import.meta.dirname, '${fileName}')`;
  return [
    `${name}.mjs`,
    `import loader from '../../bin/load-program.js';\nexport const { ${exports.join(', ')} } = ${loaded};\n`,
  ];
}

/** Names the file of a module; null: it lies beside the one start that needs it. */
function fileOfModule(): (id: string, graph: ChunkingContext) => string | null {
  const programs: ReadonlySet<string> = new Set(Object.values(PROGRAMS).map((path) => join(ROOT, path)));
  let files: ReadonlyMap<string, string> | undefined;
  return (id, graph) => {
    files ??= new Map(
      groupModules(startsOf(programs, graph), {
        imports: (each) => graph.getModuleInfo(each)?.importedIds ?? [],
        bytes: (each) => graph.getModuleInfo(each)?.code?.length ?? 0,
      }).flatMap((modules, number) => modules.map((each) => [each, `shared-${number}`] as const)),
    );
    // A program runs when its file is loaded: nothing that others need may lie beside it.
    return programs.has(id) ? null : (files.get(id) ?? null);
  };
}

/** The programs, and everything that is imported when it is needed. */
function startsOf(programs: ReadonlySet<string>, graph: ChunkingContext): readonly Start[] {
  const starts = new Set(programs);
  const seen = new Set(programs);
  for (const id of seen) {
    const { importedIds = [], dynamicallyImportedIds = [] } = graph.getModuleInfo(id) ?? {};
    for (const other of dynamicallyImportedIds) starts.add(other);
    for (const other of [...importedIds, ...dynamicallyImportedIds]) seen.add(other);
  }
  return [...starts].map((id) => ({ id, weight: STARTED_OFTEN.get(id) ?? 1 }));
}

const PACKAGE = /^.*\/node_modules\/(?:@[^/]+\/)?[^/]+/;
