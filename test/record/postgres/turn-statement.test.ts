import fc from 'fast-check';
import { expect, it, vi } from 'vitest';
import type { NewBusMessage } from '../../../src/record/contract/bus.ts';
import { GENESIS_HASH, nextLink } from '../../../src/record/ledger-chain.ts';
import type { SqlText } from '../../../src/record/postgres/sql-text.ts';
import { turnStatement } from '../../../src/record/postgres/turn-statement.ts';
import { createRedactor } from '../../../src/record/redaction/redact.ts';
import { redactedCopy } from '../../../src/record/redaction/redacted.ts';
import { event, rowOf } from '../../contracts/record/place.ts';

const TURNS = 100;
const redactor = createRedactor();
const some = <T>(each: fc.Arbitrary<T>): fc.Arbitrary<T[]> => fc.array(each, { maxLength: 2 });
const word = fc.constantFrom('a', 'b');
const turn = fc.record({
  runId: fc.constant('k7f2'),
  events: some(word.map((type) => event(type))),
  row: fc.constantFrom(rowOf('k7f2'), rowOf('k7f2', { metrics: '{"a":1}' })),
  commands: some(word.map((key) => ({ key, type: 't', body: '{}' }))),
  settled: some(word),
  timers: fc.record({ set: some(word.map((name) => ({ name, dueAt: 1 }))), cancel: some(word) }),
  acknowledged: some(fc.nat(9)),
  bus: some(fc.constant<NewBusMessage>({ at: 1, source: 'external', body: '{}' })),
});
const link = word.map((id) =>
  nextLink('k7f2', { seq: 0, hash: GENESIS_HASH }, { id, kind: 'k', at: 1, payload: '{}' }),
);
const place = fc.record({ from: fc.nat(9), seq: fc.nat(9), isNew: fc.boolean() });

it('is the same after other turns as if it were the first, and names every value', async () => {
  await fc.assert(
    fc.asyncProperty(turn, place, some(link), fc.boolean(), async (given, at, links, isNarrow) => {
      const head = (text: SqlText): void => {
        text.add`UPDATE runs SET head_seq = ${at.seq}::bigint`;
        if (isNarrow) text.add` WHERE head_seq = ${at.from}::bigint`;
        text.add` RETURNING run, fence`;
      };
      vi.resetModules();
      const anew = await import('../../../src/record/postgres/turn-statement.ts');
      const [made, madeAnew] = [turnStatement, anew.turnStatement].map((make) => {
        const { sql, values } = make(
          head,
          redactedCopy(given, () => redactor),
          at,
          links,
        );
        return { sql, values };
      });
      expect(made).toEqual(madeAnew);
      const named = new Set(made?.sql.match(/\$\d+/g));
      expect(named).toEqual(new Set(made?.values.map((_, index) => `$${index + 1}`)));
    }),
    { numRuns: TURNS },
  );
});
