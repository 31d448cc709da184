import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { cleanLine } from '../../../src/core/diagnose/lines/clean-line.ts';
import type { Role } from '../../../src/core/lexicon/programs.ts';
import { meaningOf } from '../../../src/core/diagnose/line-meaning.ts';
import { shapeOf } from '../../../src/core/diagnose/lines/line-shape.ts';
import { RECOGNISERS } from '../../../src/core/lexicon/all.ts';

const EVERY_ROLE = new Set<Role>([
  'test',
  'build',
  'lint',
  'package',
  'install',
  'git',
  'http',
  'database',
  'model',
  'container',
  'remote',
  'runtime',
  'shell',
  'unknown',
]);

/** Real lines: each must be recognised by its recogniser and no earlier one. */
const EXAMPLES = join(import.meta.dirname, '../../fixtures/recogniser-examples.json');
const examplesOf = new Map<string, readonly string[]>(
  Object.entries(JSON.parse(readFileSync(EXAMPLES, 'utf8'))),
);

describe('every recogniser', () => {
  for (const recogniser of RECOGNISERS)
    for (const example of examplesOf.get(recogniser.id) ?? [])
      it(`${recogniser.id} knows "${example.slice(0, 80)}"`, () => {
        const shape = shapeOf({ number: 1, raw: example, ...cleanLine(example) });
        const roles = new Set<Role>(recogniser.roles === undefined ? ['unknown'] : EVERY_ROLE);
        for (const role of recogniser.without ?? []) roles.delete(role);
        const meaning = meaningOf(
          { ...shape, message: shape.message === '' ? shape.body : shape.message },
          roles,
          () => true,
          RECOGNISERS,
        );
        expect(meaning?.recogniser.id).toBe(recogniser.id);
      });

  it('has its own id and at least one example', () => {
    const ids = RECOGNISERS.map((recogniser) => recogniser.id);
    expect(new Set(ids).size).toBe(ids.length);
    expect([...examplesOf.keys()].toSorted()).toEqual(ids.toSorted());
    expect([...examplesOf.values()].filter(({ length }) => length === 0)).toEqual([]);
  });
});
