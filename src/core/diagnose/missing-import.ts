/** `missingImport`: a name that a file of Python uses without importing it, and the exact line that imports it. */
import { wordList } from '../text/word-list.ts';

export interface MissingImport {
  readonly name: string;
  /** The line to add. */
  readonly line: string;
}

const MODULES = wordList(`
  os sys re json math time random logging subprocess shutil pathlib collections itertools functools typing asyncio threading socket csv io
  copy uuid hashlib base64 tempfile argparse unittest string inspect contextlib statistics decimal requests`);
/** The module, and the names that are imported from it. */
const NAMES: readonly (readonly [from: string, names: string])[] = [
  [
    'typing',
    'List Dict Optional Any Union Tuple Set Callable Iterable Iterator Sequence Mapping Literal Protocol',
  ],
  ['datetime', 'datetime timedelta timezone date'],
  ['pathlib', 'Path'],
  ['collections', 'defaultdict Counter deque namedtuple OrderedDict'],
  ['dataclasses', 'dataclass field'],
  ['enum', 'Enum'],
  ['unittest.mock', 'patch Mock MagicMock'],
];
const LINES = new Map<string, string>([
  ...MODULES.map((name) => [name, `import ${name}`] as const),
  ...NAMES.flatMap(([from, names]) =>
    wordList(names).map((name) => [name, `from ${from} import ${name}`] as const),
  ),
  ['np', 'import numpy as np'],
  ['pd', 'import pandas as pd'],
]);
const MODULE_USED = /datetime\.(?:datetime|timedelta|timezone|date)\b/;

/** `near` is the source around the use, which tells `datetime.now()` from `datetime.datetime.now()`. */
export function missingImport(text: string, near: string): MissingImport | null {
  const name = /NameError: name '(?<name>\w{1,80})' is not defined/.exec(text)?.groups?.['name'] ?? '';
  const line = name === 'datetime' && MODULE_USED.test(near) ? 'import datetime' : LINES.get(name);
  return line === undefined ? null : { name, line };
}
