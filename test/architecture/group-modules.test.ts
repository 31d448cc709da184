import fc from 'fast-check';
import { expect, test } from 'vitest';
import { groupModules } from '../../scripts/group-modules.ts';

function grouped(
  imports: Readonly<Record<string, readonly string[]>>,
  starts: Readonly<Record<string, number>>,
  bytes: Readonly<Record<string, number>> = {},
): string[] {
  const groups = groupModules(
    Object.entries(starts).map(([id, weight]) => ({ id, weight })),
    { imports: (id) => imports[id] ?? [], bytes: (id) => bytes[id] ?? 100 },
  );
  return groups.map((modules) => modules.toSorted().join(' ')).toSorted();
}

test('small modules lie together although one of two starts needs only some of them', () => {
  const groups = grouped(
    { ps: ['a', 'b', 'c'], inbox: ['b', 'c'], show: ['c'] },
    { ps: 1, inbox: 1, show: 1 },
  );
  expect(groups.find((group) => group.split(' ').includes('b'))?.split(' ')).toContain('c');
});

test('what one start does not need and what is large lies apart from what it needs', () => {
  const groups = grouped(
    { ps: ['small'], run: ['small', 'large'], keeper: ['small', 'large'] },
    { ps: 1, run: 1, keeper: 1 },
    { large: 1_000_000 },
  );
  expect(groups.find((group) => group.includes('large'))).not.toContain('small');
});

test('a module that is needed once stays beside the start that needs it', () => {
  expect(grouped({ ps: ['own'], run: [] }, { ps: 1, run: 1 }, { own: 1_000_000 })).toEqual([]);
});

/** Modules import those with higher numbers; the first ones are starts. */
const graphs = fc.record({
  imports: fc.array(fc.array(fc.nat(24), { maxLength: 4 }), { minLength: 25, maxLength: 25 }),
  bytes: fc.array(fc.nat(80_000), { minLength: 25, maxLength: 25 }),
  weights: fc.array(fc.integer({ min: 1, max: 20 }), { minLength: 6, maxLength: 6 }),
});

test('no two files import each other, over whatever others', () => {
  fc.assert(
    fc.property(graphs, ({ imports, bytes, weights }) => {
      const importsOf = (id: string) =>
        (imports[Number(id)] ?? []).filter((other) => other > Number(id)).map(String);
      const starts = weights.map((weight, id) => ({ id: String(id), weight }));
      const groups = groupModules(starts, { imports: importsOf, bytes: (id) => bytes[Number(id)] ?? 0 });
      const groupOf = new Map(groups.flatMap((modules) => modules.map((id) => [id, modules] as const)));
      for (const group of groups) {
        const behind = groups.filter((each) => each !== group && reaches(group, each));
        expect(behind.filter((each) => reaches(each, group))).toEqual([]);
      }
      function reaches(from: readonly string[], to: readonly string[]): boolean {
        const found = new Set(groupsOf(from));
        for (const each of found) for (const next of groupsOf(each)) found.add(next);
        return found.has(to);
      }
      function groupsOf(modules: readonly string[]): (readonly string[])[] {
        const ids = modules.flatMap(importsOf);
        return ids.flatMap((id) => {
          const other = groupOf.get(id);
          return other === undefined || other === modules ? [] : [other];
        });
      }
    }),
    { numRuns: 300 },
  );
});

test('a file that imports a large one is not put beside what needs it not', () => {
  const imports = { ps: ['a'], show: ['a', 'b'], watch: ['a', 'b'], run: ['large'], b: ['large'] };
  const groups = grouped(imports, { ps: 5, show: 1, watch: 1, run: 9 }, { b: 8_000, large: 2_000_000 });
  expect(groups.find((group) => group.split(' ').includes('a'))).not.toContain('b');
});
