import { expect, it } from 'vitest';
import { asTyped } from '../../src/cli/as-typed.ts';

const NPX = { npm_lifecycle_event: 'npx', npm_lifecycle_script: "'mayday'" };

it.each([
  ['  do          mayday show k7f2', '  do          npx mayday show k7f2'],
  ['(mayday inbox); `mayday ps --all`', '(npx mayday inbox); `npx mayday ps --all`'],
  ['mayday ps, or mayday --help', 'npx mayday ps, or npx mayday --help'],
  ['npx mayday ps', 'npx mayday ps'],
  ['mayday: there is no run "k7f2"', 'mayday: there is no run "k7f2"'],
  ['mayday work: nothing was queued', 'mayday work: nothing was queued'],
  ['mayday.yaml of ~/.mayday run by mayday', 'mayday.yaml of ~/.mayday run by mayday'],
])('%j is told as %j to a person who started Mayday by npx', (line, typed) => {
  expect(asTyped(line, NPX)).toBe(typed);
  expect(asTyped(line, { npm_lifecycle_event: 'npx', npm_lifecycle_script: 'mayday show k7f2' })).toBe(typed);
});

it('a Mayday that another program of npx started is called as it was', () => {
  for (const npm_lifecycle_script of ["'vitest'", 'node mayday', undefined])
    expect(asTyped('mayday ps', { npm_lifecycle_event: 'npx', npm_lifecycle_script })).toBe('mayday ps');
  expect(asTyped('mayday ps', { npm_lifecycle_event: 'demo', npm_lifecycle_script: 'mayday run' })).toBe(
    'mayday ps',
  );
});
