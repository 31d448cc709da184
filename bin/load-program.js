// `loadProgram`: runs a program of `dist/programs`. Each file there is one function, written by `scripts/bundle.ts`. Node's own compile
// cache holds no function that is compiled when it is first called; what is kept here holds every function that ran before the exit.
const { readFileSync, renameSync, writeFileSync } = require('node:fs');
const { getCompileCacheDir } = require('node:module');
const { pathToFileURL } = require('node:url');
const { Script } = require('node:vm');

// Where the code of a file begins: V8 copies what is not aligned.
const ALIGNED = 8;
// The checksum, the length of the list.
const HEAD_BYTES = 8;
// One word of each 256 bytes: a lost block of a disk is noticed, in less than a millisecond. V8 itself would crash on it.
const CHECKED_WORDS = 64;

// As Node ends an ES module that still waits when nothing is left to wait for.
const UNSETTLED = 13;

// Returns what the program exports.
exports.loadProgram = async (folder, program) => {
  const loaded = new Map();
  let codes = keptCodes(program);
  let isFirstLater = true;
  const load = (name) => {
    if (!loaded.has(name)) loaded.set(name, runFile(name));
    return loaded.get(name);
  };
  // What a command needs is kept apart from what all commands need.
  const later = async (name) => {
    if (isFirstLater) codes = keptCodes(`${program}-${name}`);
    isFirstLater = false;
    return load(name);
  };
  const runFile = (name) => {
    const filename = `${folder}/${name}`;
    const script = codes.compile(name, readFileSync(filename, 'utf8'), filename);
    return script.runInThisContext()(load, later, {
      dirname: folder,
      get url() {
        return pathToFileURL(filename).href;
      },
    });
  };
  const nothingLeft = () => {
    process.exitCode = UNSETTLED;
  };
  process.once('beforeExit', nothingLeft);
  try {
    return await load(program);
  } finally {
    process.off('beforeExit', nothingLeft);
  }
};

// A file's name holds the hash of its content, and the folder belongs to one version of Node.
function keptCodes(name) {
  const folder = getCompileCacheDir();
  const file = `${folder}/${name}.code`;
  const kept = folder === undefined ? new Map() : readCodes(file);
  const scripts = new Map();
  let isStale = false;
  if (folder !== undefined)
    process.once('exit', () => {
      if (isStale) writeCodes(file, kept, scripts);
    });
  return {
    compile(each, source, filename) {
      const cachedData = kept.get(each);
      const script = new Script(source, { filename, cachedData });
      isStale ||= cachedData === undefined || script.cachedDataRejected === true;
      scripts.set(each, script);
      return script;
    },
  };
}

// Checksum, length of the list, the list of names and lengths, then the code of each, every part aligned.
function readCodes(file) {
  const codes = new Map();
  try {
    const bytes = readFileSync(file);
    if (bytes.readInt32LE(0) !== checksum(bytes)) return codes;
    const listEnd = HEAD_BYTES + bytes.readUInt32LE(4);
    let begin = aligned(listEnd);
    for (const [name, length] of JSON.parse(bytes.toString('utf8', HEAD_BYTES, listEnd))) {
      codes.set(name, bytes.subarray(begin, begin + length));
      begin = aligned(begin + length);
    }
  } catch {
    // There is none yet, or it is no longer whole: everything is compiled.
  }
  return codes;
}

function writeCodes(file, kept, scripts) {
  const codes = new Map(kept);
  for (const [name, script] of scripts) codes.set(name, script.createCachedData());
  const list = Buffer.from(JSON.stringify([...codes].map(([name, { length }]) => [name, length])));
  const lengths = [HEAD_BYTES + list.length, ...[...codes.values()].map(({ length }) => length)];
  const bytes = Buffer.alloc(lengths.reduce((sum, length) => sum + aligned(length), 0));
  bytes.writeUInt32LE(list.length, 4);
  list.copy(bytes, HEAD_BYTES);
  let begin = aligned(HEAD_BYTES + list.length);
  for (const code of codes.values()) {
    bytes.set(code, begin);
    begin = aligned(begin + code.length);
  }
  bytes.writeInt32LE(checksum(bytes));
  try {
    // V8 trusts what it finds: the file is on the disk before it has its name.
    writeFileSync(`${file}.${process.pid}`, bytes, { mode: 0o600, flag: 'wx', flush: true });
    renameSync(`${file}.${process.pid}`, file);
  } catch {
    // A full or read-only disk: the next start compiles again.
  }
}

// Of everything behind itself, with the length.
function checksum({ buffer, byteOffset, length }) {
  const words = new Uint32Array(buffer, byteOffset, length >> 2);
  let sum = length;
  for (let at = 1; at < words.length; at += CHECKED_WORDS) sum = (Math.imul(sum, 31) + words[at]) | 0;
  return sum;
}

function aligned(length) {
  return Math.ceil(length / ALIGNED) * ALIGNED;
}
