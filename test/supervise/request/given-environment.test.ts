import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { secretsOf } from '../../../src/act/run-environment.ts';
import { assertSet, givenEnvironment } from '../../../src/supervise/request/given-environment.ts';

const folder = mkdtempSync(join(tmpdir(), 'mayday-env-'));
afterAll(() => rmSync(folder, { recursive: true }));

describe('variables for one run', () => {
  it('come by name or with a value; a single one wins over a file', () => {
    const file = join(folder, 'env');
    writeFileSync(
      file,
      '# comment\nexport A=1\nB="two words # not a comment"\nC=\'raw \\n\'\r\nD=plain # why\nE\n\nF="a\\nb"\n',
    );
    const { names, values } = givenEnvironment({ files: [file], variables: ['A=one=1', 'G', 'H='] });
    expect(names).toEqual(['A', 'B', 'C', 'D', 'E', 'F', 'G', 'H']);
    expect(values).toEqual({
      A: 'one=1',
      B: 'two words # not a comment',
      C: 'raw \\n',
      D: 'plain',
      F: 'a\nb',
      H: '',
    });
  });

  it.each([['=x'], ['1A=x'], ['A B=sk-secret'], ['sk-secret'], ['MAYDAY_STORE=x'], ['A=\0']])(
    '%j is refused, and what might be a secret is not shown',
    (text) => {
      const refuse = () => givenEnvironment({ files: [], variables: [text] });
      expect(refuse).toThrow();
      expect(refuse).not.toThrow(/sk-secret/);
    },
  );

  it('a name without a value must be set here', () => {
    const given = givenEnvironment({ files: [], variables: ['A', 'B=1'] });
    expect(() => assertSet(given, {})).toThrow(/--env A: it is not set here/);
    expect(() => assertSet(given, { A: '' })).not.toThrow();
  });
});

it('values are hidden as secrets, except what any honest output could say', () => {
  const values = {
    API_KEY: 'ab12',
    DEBUG: 'true',
    MODE: 'production',
    PORT: '8080',
    DIR: '/srv/data',
    X: 'f3k9-x2m8',
  };
  expect(secretsOf(values)).toEqual(['ab12', 'f3k9-x2m8']);
});
