import { spawnSync } from 'node:child_process';
import { globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';

const LOADER = resolve(import.meta.dirname, '../../bin/load-program.js');

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'mayday-load-'));
  mkdirSync(join(root, 'programs'));
  file(
    'program-1.js',
    `async`,
    `const { word } = load("shared-1.js"); console.log(word()); return await later("later-1.js");`,
  );
  file('shared-1.js', '', 'return { word: () => "shared" };');
  file('later-1.js', '', 'return { late: () => meta.url };');
  const start = `import loader from ${JSON.stringify(LOADER)};
const { late } = await loader.loadProgram(${JSON.stringify(join(root, 'programs'))}, 'program-1.js');
console.log(late());`;
  writeFileSync(join(root, 'start.mjs'), start);
});
afterEach(() => rmSync(root, { recursive: true }));

function file(name: string, kind: string, body: string): void {
  writeFileSync(
    join(root, 'programs', name),
    `(${kind} function (load, later, meta) {"use strict";${body}\n})`,
  );
}

function started(): string {
  const env = { PATH: process.env['PATH'], NODE_COMPILE_CACHE: join(root, 'cache') };
  const { stdout, stderr, status } = spawnSync(process.execPath, [join(root, 'start.mjs')], {
    env,
    encoding: 'utf8',
  });
  expect(status, stderr).toBe(0);
  return stdout;
}

const SAYS = () => `shared\nfile://${join(root, 'programs/later-1.js')}\n`;
const kept = () => globSync(join(root, 'cache/*/*.code')).toSorted();
const times = () => kept().map((path) => statSync(path).mtimeMs);

test('a program runs the same with and without kept code, which is written once', () => {
  expect(started()).toBe(SAYS());
  expect(kept().map((path) => path.split('/').at(-1))).toEqual([
    'program-1.js-later-1.js.code',
    'program-1.js.code',
  ]);
  const written = times();
  expect(started()).toBe(SAYS());
  expect(times()).toEqual(written);
});

test('kept code holds a function that ran, not only what was compiled when its file was read', () => {
  started();
  const path = kept()[1] ?? '';
  const withCalls = statSync(path).size;
  rmSync(path);
  file('program-1.js', 'async', 'load("shared-1.js"); return await later("later-1.js");');
  started();
  const names = (file: string) => readFileSync(file, 'latin1').match(/shared-1\.js",(\d+)/)?.[1];
  expect(withCalls).toBeGreaterThan(statSync(path).size);
  expect(Number(names(path))).toBeGreaterThan(0);
});

test.each([
  ['is empty', (bytes: Buffer) => bytes.subarray(0, 0)],
  ['ends early', (bytes: Buffer) => bytes.subarray(0, bytes.length - 40)],
  ['is full of zeros', (bytes: Buffer) => Buffer.alloc(bytes.length)],
  [
    'is no list',
    (bytes: Buffer) => Buffer.concat([bytes.subarray(0, 4), Buffer.alloc(bytes.length - 4, 'x')]),
  ],
  ['lost a block', (bytes: Buffer) => Buffer.from(bytes).fill(0, 512)],
])('kept code that %s is compiled and written anew', (_, harm) => {
  started();
  const whole = kept().map((path) => statSync(path).size);
  for (const path of kept()) writeFileSync(path, harm(readFileSync(path)));
  expect(started()).toBe(SAYS());
  expect(kept().map((path) => statSync(path).size)).toEqual(whole);
});

test('a program that waits for something that never comes does not end well', () => {
  file('program-1.js', 'async', 'await new Promise(() => {});');
  writeFileSync(
    join(root, 'start.cjs'),
    `require(${JSON.stringify(LOADER)}).loadProgram(${JSON.stringify(join(root, 'programs'))}, 'program-1.js');`,
  );
  expect(spawnSync(process.execPath, [join(root, 'start.cjs')]).status).toBe(13);
});
