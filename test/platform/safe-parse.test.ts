import { globSync, mkdtempDisposableSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { z } from 'zod';
import { readState } from '../../src/platform/file/plain-file.ts';
import { safeParse } from '../../src/platform/safe-parse.ts';

/** JSON that another program may send in place of a text. */
const HOSTILE: unknown = JSON.parse('{"length": {"toString": 1}}');
const Name = z.strictObject({ name: z.string().min(1) });

it('a value that makes zod throw is told as one that does not fit', () => {
  expect(() => Name.safeParse({ name: HOSTILE })).toThrow(TypeError);
  expect(safeParse(Name, { name: HOSTILE })).toMatchObject({ success: false });
  expect(safeParse(Name, { name: 'a' })).toEqual({ success: true, data: { name: 'a' } });
  expect(safeParse(Name, { name: '' }).error?.issues[0]?.path).toEqual(['name']);
});

it('a state file that makes zod throw is read as one in another form', () => {
  using folder = mkdtempDisposableSync(join(tmpdir(), 'mayday-test-'));
  const file = join(folder.path, 'state.json');
  writeFileSync(file, JSON.stringify({ name: HOSTILE }));
  expect(readState(Name, file)).toBeNull();
});

it('everybody who reads what another program wrote goes through it', () => {
  const others = globSync('src/**/*.ts').filter((file) => !/safe-parse|plain-file/.test(file));
  expect(others.filter((file) => readFileSync(file, 'utf8').includes('.safeParse('))).toEqual([]);
});
