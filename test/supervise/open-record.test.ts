import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { homeId } from '../../src/supervise/open-record.ts';
import { temporaryDirectory } from '../temporary-directory.ts';

it('a home keeps the id that it drew', () => {
  const home = temporaryDirectory();
  expect(homeId(home)).toMatch(/^[\da-f-]{36}$/);
  expect(homeId(home)).toBe(homeId(home));
});

it('an empty file is an error that names it: nobody may be given the id of another host', () => {
  const home = temporaryDirectory();
  writeFileSync(join(home, 'host-id'), '');
  expect(() => homeId(home)).toThrow(expect.objectContaining({ code: 'HOST_ID_EMPTY' }));
});
