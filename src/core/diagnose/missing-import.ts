/** `missingImport`: a name that a file uses without importing it, and the exact line that imports it. */

const PYTHON: Readonly<Record<string, string>> = {
  datetime: 'from datetime import datetime',
  timedelta: 'from datetime import timedelta',
  timezone: 'from datetime import timezone',
  date: 'from datetime import date',
  Path: 'from pathlib import Path',
  defaultdict: 'from collections import defaultdict',
  Counter: 'from collections import Counter',
  deque: 'from collections import deque',
  namedtuple: 'from collections import namedtuple',
  OrderedDict: 'from collections import OrderedDict',
  dataclass: 'from dataclasses import dataclass',
  field: 'from dataclasses import field',
  Enum: 'from enum import Enum',
  ABC: 'from abc import ABC',
  abstractmethod: 'from abc import abstractmethod',
  Decimal: 'from decimal import Decimal',
  partial: 'from functools import partial',
  lru_cache: 'from functools import lru_cache',
  wraps: 'from functools import wraps',
  reduce: 'from functools import reduce',
  contextmanager: 'from contextlib import contextmanager',
  StringIO: 'from io import StringIO',
  BytesIO: 'from io import BytesIO',
  patch: 'from unittest.mock import patch',
  Mock: 'from unittest.mock import Mock',
  MagicMock: 'from unittest.mock import MagicMock',
  AsyncMock: 'from unittest.mock import AsyncMock',
  uuid4: 'from uuid import uuid4',
  urlparse: 'from urllib.parse import urlparse',
  sleep: 'from time import sleep',
  deepcopy: 'from copy import deepcopy',
  chain: 'from itertools import chain',
  ThreadPoolExecutor: 'from concurrent.futures import ThreadPoolExecutor',
  np: 'import numpy as np',
  pd: 'import pandas as pd',
  plt: 'import matplotlib.pyplot as plt',
  tf: 'import tensorflow as tf',
  nn: 'from torch import nn',
  pytest: 'import pytest',
};
const PYTHON_MODULES = new Set(
  `
  os sys re json math time random logging subprocess shutil pathlib collections itertools functools typing asyncio
  threading socket csv io copy uuid hashlib base64 glob tempfile argparse unittest string struct textwrap traceback
  types inspect contextlib operator statistics decimal fractions secrets signal sqlite3 ssl stat urllib warnings weakref
  zipfile gzip pickle queue platform pprint numpy pandas requests torch yaml httpx django flask`
    .trim()
    .split(/\s+/),
);
const TYPING = new Set(
  `
  List Dict Optional Any Union Tuple Set Callable Iterable Iterator Sequence Mapping Literal TypedDict Protocol Generic
  TypeVar cast Annotated Final ClassVar Awaitable AsyncIterator Generator Type NamedTuple`
    .trim()
    .split(/\s+/),
);
const NODE_MODULES = new Set(
  `
  fs path os url util http https crypto child_process events stream assert zlib net dns readline vm buffer
  worker_threads querystring`
    .trim()
    .split(/\s+/),
);
const JAVA: Readonly<Record<string, string>> = {
  List: 'java.util.List',
  ArrayList: 'java.util.ArrayList',
  Map: 'java.util.Map',
  HashMap: 'java.util.HashMap',
  Set: 'java.util.Set',
  HashSet: 'java.util.HashSet',
  Arrays: 'java.util.Arrays',
  Optional: 'java.util.Optional',
  Collectors: 'java.util.stream.Collectors',
  IOException: 'java.io.IOException',
  File: 'java.io.File',
  Path: 'java.nio.file.Path',
  Files: 'java.nio.file.Files',
  Scanner: 'java.util.Scanner',
  LocalDate: 'java.time.LocalDate',
  LocalDateTime: 'java.time.LocalDateTime',
  Instant: 'java.time.Instant',
  Duration: 'java.time.Duration',
  Test: 'org.junit.jupiter.api.Test',
  Objects: 'java.util.Objects',
  UUID: 'java.util.UUID',
};
const RUST: Readonly<Record<string, string>> = {
  HashMap: 'std::collections::HashMap',
  HashSet: 'std::collections::HashSet',
  BTreeMap: 'std::collections::BTreeMap',
  VecDeque: 'std::collections::VecDeque',
  Arc: 'std::sync::Arc',
  Mutex: 'std::sync::Mutex',
  RwLock: 'std::sync::RwLock',
  Rc: 'std::rc::Rc',
  RefCell: 'std::cell::RefCell',
  File: 'std::fs::File',
  Path: 'std::path::Path',
  PathBuf: 'std::path::PathBuf',
  Duration: 'std::time::Duration',
  Instant: 'std::time::Instant',
  FromStr: 'std::str::FromStr',
};
const GO_PACKAGES = new Set(
  'fmt os io errors strings strconv time sync context sort bytes bufio log math regexp'.split(' '),
);
const C_HEADERS: Readonly<Record<string, string>> = {
  printf: 'stdio.h',
  puts: 'stdio.h',
  fopen: 'stdio.h',
  malloc: 'stdlib.h',
  free: 'stdlib.h',
  exit: 'stdlib.h',
  atoi: 'stdlib.h',
  strlen: 'string.h',
  strcpy: 'string.h',
  memcpy: 'string.h',
  strcmp: 'string.h',
  sqrt: 'math.h',
  sleep: 'unistd.h',
  fork: 'unistd.h',
  assert: 'assert.h',
  isdigit: 'ctype.h',
  pthread_create: 'pthread.h',
};

export interface MissingImport {
  readonly name: string;
  /** The line to add. */
  readonly line: string;
}

/** `near` is the source around the use, which tells `datetime.now()` from `datetime.datetime.now()`. */
export function missingImport(text: string, near: string): MissingImport | null {
  const python = /NameError: name '(?<name>\w{1,80})' is not defined/.exec(text)?.groups?.['name'];
  if (python !== undefined) return known(python, pythonLine(python, near));
  const go = /undefined: (?<name>\w{1,80})/.exec(text)?.groups?.['name'];
  if (go !== undefined) return known(go, GO_PACKAGES.has(go) ? `import "${go}"` : null);
  const rust =
    /(?:undeclared type|cannot find (?:type|struct|value|function)[\w, ]{0,40}) `(?<name>\w{1,80})`/.exec(
      text,
    )?.groups?.['name'];
  if (rust !== undefined) return known(rust, RUST[rust] === undefined ? null : `use ${RUST[rust]};`);
  const script =
    /(?:ReferenceError: (?<name>\w{1,80}) is not defined|Cannot find name '(?<ts>\w{1,80})')/.exec(
      text,
    )?.groups;
  const used = script?.['name'] ?? script?.['ts'];
  if (used !== undefined)
    return known(used, NODE_MODULES.has(used) ? `import ${used} from 'node:${used}';` : null);
  const java = /cannot find symbol/.test(text)
    ? /symbol: {1,4}(?:class|variable) (?<name>\w{1,80})/.exec(near)?.groups?.['name']
    : undefined;
  if (java !== undefined) return known(java, JAVA[java] === undefined ? null : `import ${JAVA[java]};`);
  const c = /implicit declaration of function [‘'](?<name>\w{1,80})[’']/.exec(text)?.groups?.['name'];
  if (c !== undefined) return known(c, C_HEADERS[c] === undefined ? null : `#include <${C_HEADERS[c]}>`);
  return null;
}

function known(name: string, line: string | null): MissingImport | null {
  return line === null ? null : { name, line };
}

function pythonLine(name: string, near: string): string | null {
  if (name === 'datetime' && /datetime\.(?:datetime|timedelta|timezone|date)\b/.test(near))
    return 'import datetime';
  const own = Object.hasOwn(PYTHON, name) ? PYTHON[name] : undefined;
  if (own !== undefined) return own;
  if (TYPING.has(name)) return `from typing import ${name}`;
  return PYTHON_MODULES.has(name) ? `import ${name}` : null;
}
