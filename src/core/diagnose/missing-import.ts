/** `missingImport`: a name that a file uses without importing it, and the exact line that imports it. */
import { wordList } from '../text/word-list.ts';

export interface MissingImport {
  readonly name: string;
  /** The line to add. */
  readonly line: string;
}

/** The line that imports each name. */
type Imports = ReadonlyMap<string, string>;

/** `from`: the names by what they are imported from. */
function imports(
  lineOf: (name: string, from: string) => string,
  from: Readonly<Record<string, string>>,
): Imports {
  const lines = Object.entries(from).flatMap(([source, names]) =>
    wordList(names).map((name) => [name, lineOf(name, source)] as const),
  );
  return new Map(lines);
}

const PYTHON: Imports = new Map([
  ...imports((name) => `import ${name}`, {
    modules: `
      os sys re json math time random logging subprocess shutil pathlib collections itertools functools typing asyncio
      threading socket csv io copy uuid hashlib base64 glob tempfile argparse unittest string struct textwrap traceback
      types inspect contextlib operator statistics decimal fractions secrets signal sqlite3 ssl stat urllib warnings
      weakref zipfile gzip pickle queue platform pprint numpy pandas requests torch yaml httpx django flask pytest`,
  }),
  ...imports((name, module) => `from ${module} import ${name}`, {
    typing: `
      List Dict Optional Any Union Tuple Set Callable Iterable Iterator Sequence Mapping Literal TypedDict Protocol
      Generic TypeVar cast Annotated Final ClassVar Awaitable AsyncIterator Generator Type NamedTuple`,
    datetime: 'datetime timedelta timezone date',
    pathlib: 'Path',
    collections: 'defaultdict Counter deque namedtuple OrderedDict',
    dataclasses: 'dataclass field',
    enum: 'Enum',
    abc: 'ABC abstractmethod',
    decimal: 'Decimal',
    functools: 'partial lru_cache wraps reduce',
    contextlib: 'contextmanager',
    io: 'StringIO BytesIO',
    'unittest.mock': 'patch Mock MagicMock AsyncMock',
    uuid: 'uuid4',
    'urllib.parse': 'urlparse',
    time: 'sleep',
    copy: 'deepcopy',
    itertools: 'chain',
    'concurrent.futures': 'ThreadPoolExecutor',
    torch: 'nn',
  }),
  ['np', 'import numpy as np'],
  ['pd', 'import pandas as pd'],
  ['plt', 'import matplotlib.pyplot as plt'],
  ['tf', 'import tensorflow as tf'],
]);
const GO = imports((name) => `import "${name}"`, {
  packages: 'fmt os io errors strings strconv time sync context sort bytes bufio log math regexp',
});
const RUST = imports((name, module) => `use ${module}::${name};`, {
  'std::collections': 'HashMap HashSet BTreeMap VecDeque',
  'std::sync': 'Arc Mutex RwLock',
  'std::rc': 'Rc',
  'std::cell': 'RefCell',
  'std::fs': 'File',
  'std::path': 'Path PathBuf',
  'std::time': 'Duration Instant',
  'std::str': 'FromStr',
});
const NODE = imports((name) => `import ${name} from 'node:${name}';`, {
  modules: `
    fs path os url util http https crypto child_process events stream assert zlib net dns readline vm buffer
    worker_threads querystring`,
});
const JAVA = imports((name, module) => `import ${module}.${name};`, {
  'java.util': 'List ArrayList Map HashMap Set HashSet Arrays Optional Scanner Objects UUID',
  'java.util.stream': 'Collectors',
  'java.io': 'IOException File',
  'java.nio.file': 'Path Files',
  'java.time': 'LocalDate LocalDateTime Instant Duration',
  'org.junit.jupiter.api': 'Test',
});
const C = imports((_, header) => `#include <${header}>`, {
  'stdio.h': 'printf puts fopen',
  'stdlib.h': 'malloc free exit atoi',
  'string.h': 'strlen strcpy memcpy strcmp',
  'math.h': 'sqrt',
  'unistd.h': 'sleep fork',
  'assert.h': 'assert',
  'ctype.h': 'isdigit',
  'pthread.h': 'pthread_create',
});

/** How a language says that it does not know a name. The first that speaks is believed. */
const LANGUAGES: readonly { readonly says: RegExp; readonly imports: Imports; readonly below?: RegExp }[] = [
  { says: /NameError: name '(?<name>\w{1,80})' is not defined/, imports: PYTHON },
  { says: /undefined: (?<name>\w{1,80})/, imports: GO },
  {
    says: /(?:undeclared type|cannot find (?:type|struct|value|function)[\w, ]{0,40}) `(?<name>\w{1,80})`/,
    imports: RUST,
  },
  {
    says: /ReferenceError: (?<name>\w{1,80}) is not defined|Cannot find name '(?<name>\w{1,80})'/,
    imports: NODE,
  },
  // Java names it below its message.
  { below: /cannot find symbol/, says: /symbol: {1,4}(?:class|variable) (?<name>\w{1,80})/, imports: JAVA },
  { says: /implicit declaration of function [‘'](?<name>\w{1,80})[’']/, imports: C },
];
const MODULE_USED = /datetime\.(?:datetime|timedelta|timezone|date)\b/;

/** `near` is the source around the use, which tells `datetime.now()` from `datetime.datetime.now()`. */
export function missingImport(text: string, near: string): MissingImport | null {
  for (const { says, imports: known, below } of LANGUAGES) {
    if (below?.test(text) === false) continue;
    const name = says.exec(below === undefined ? text : near)?.groups?.['name'];
    if (name === undefined) continue;
    const isModule = known === PYTHON && name === 'datetime' && MODULE_USED.test(near);
    const line = isModule ? 'import datetime' : known.get(name);
    return line === undefined ? null : { name, line };
  }
  return null;
}
