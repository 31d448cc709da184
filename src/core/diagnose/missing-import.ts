/** `missingImport`: a name that a file uses without importing it, and the exact line that imports it. */
import { wordList } from '../text/word-list.ts';

export interface MissingImport {
  readonly name: string;
  /** The line to add. */
  readonly line: string;
}

/** The line that imports each name: `from` is what a row begins with, its names follow. */
function imports(rows: string, lineOf: (name: string, from: string) => string): ReadonlyMap<string, string> {
  const lines = rows
    .trim()
    .split('\n')
    .flatMap((row) => {
      const [from = '', names = ''] = row.split(': ');
      return wordList(names).map((name) => [name, lineOf(name, from.trim())] as const);
    });
  return new Map(lines);
}

const PYTHON = new Map([
  ...imports(
    `modules: os sys re json math time random logging subprocess shutil pathlib collections itertools functools typing asyncio threading
    modules: socket csv io copy uuid hashlib base64 tempfile argparse unittest string inspect contextlib statistics decimal requests`,
    (name) => `import ${name}`,
  ),
  ...imports(
    `typing: List Dict Optional Any Union Tuple Set Callable Iterable Iterator Sequence Mapping Literal Protocol Generic TypeVar
    datetime: datetime timedelta timezone date
    pathlib: Path
    collections: defaultdict Counter deque namedtuple OrderedDict
    dataclasses: dataclass field
    enum: Enum
    unittest.mock: patch Mock MagicMock`,
    (name, from) => `from ${from} import ${name}`,
  ),
  ['np', 'import numpy as np'],
  ['pd', 'import pandas as pd'],
]);
const NODE = imports(
  'modules: fs path os url util http https crypto child_process events assert',
  (name) => `import ${name} from 'node:${name}';`,
);

/** How a language says that it does not know a name. The first that speaks is believed. */
const LANGUAGES: readonly (readonly [says: RegExp, known: ReadonlyMap<string, string>])[] = [
  [/NameError: name '(?<name>\w{1,80})' is not defined/, PYTHON],
  [/ReferenceError: (?<name>\w{1,80}) is not defined|Cannot find name '(?<name>\w{1,80})'/, NODE],
];
const MODULE_USED = /datetime\.(?:datetime|timedelta|timezone|date)\b/;

/** `near` is the source around the use, which tells `datetime.now()` from `datetime.datetime.now()`. */
export function missingImport(text: string, near: string): MissingImport | null {
  for (const [says, known] of LANGUAGES) {
    const name = says.exec(text)?.groups?.['name'];
    if (name === undefined) continue;
    const line = name === 'datetime' && MODULE_USED.test(near) ? 'import datetime' : known.get(name);
    return line === undefined ? null : { name, line };
  }
  return null;
}
