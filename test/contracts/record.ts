/** `describeRecord`: the contract that every store keeps, part by part. */
import { describeBus } from './record/bus.ts';
import { describeFleet } from './record/fleet.ts';
import { describeJournal } from './record/journal.ts';
import { describeLease } from './record/lease.ts';
import { describeLedger } from './record/ledger.ts';
import { describeLessons } from './record/lessons.ts';
import { describeLooks } from './record/looks.ts';
import { describeMailbox } from './record/mailbox.ts';
import { describeMetrics } from './record/metrics.ts';
import { describeOutbox } from './record/outbox.ts';
import { describeRows } from './record/rows.ts';
import type { OpenPlace } from './record/place.ts';

const PARTS = [
  describeJournal,
  describeLease,
  describeOutbox,
  describeMailbox,
  describeLooks,
  describeBus,
  describeRows,
  describeLedger,
  describeLessons,
  describeMetrics,
  describeFleet,
];

/** `openPlace` gives an empty record. */
export function describeRecord(name: string, openPlace: OpenPlace): void {
  for (const describePart of PARTS) describePart(name, openPlace);
}
