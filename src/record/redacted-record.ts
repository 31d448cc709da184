import type { RunRecord } from './contract.ts';
import type { NewBusMessage } from './contract/bus.ts';
import type { Turn } from './contract/journal.ts';
import type { Redactor } from './redact.ts';

/**
 * The last door before the disk: whatever a writer forgot to redact is redacted here. Writers that redact at the source
 * (as they should, so that the state in memory is the fold of what is stored) find their bodies kept byte for byte.
 */
export function redactedRecord(record: RunRecord, redactor: Redactor): RunRecord {
  const cleanMessage = (message: NewBusMessage): NewBusMessage => ({
    ...message,
    body: redactor.redactJson(message.body),
  });
  const clean = <T extends Omit<Turn, 'fence' | 'expectedSeq'>>(turn: T): T => ({
    ...turn,
    events: turn.events.map((event) => ({ ...event, body: redactor.redactJson(event.body) })),
    ...(turn.commands && {
      commands: turn.commands.map((command) => ({ ...command, body: redactor.redactJson(command.body) })),
    }),
    ...(turn.ledger && {
      ledger: turn.ledger.map((entry) => ({ ...entry, payload: redactor.redactJson(entry.payload) })),
    }),
    ...(turn.bus && { bus: turn.bus.map(cleanMessage) }),
    row: {
      ...turn.row,
      title: redactor.redact(turn.row.title),
      view: redactor.redactJson(turn.row.view),
      ...(turn.row.metrics !== undefined && { metrics: redactor.redactJson(turn.row.metrics) }),
    },
  });
  return {
    ...record,
    createRun: (turn, lease) => record.createRun(clean(turn), lease),
    commit: (turn) => record.commit(clean(turn)),
    saveLessons: (lessons) =>
      record.saveLessons(
        lessons.map((lesson) => ({
          ...lesson,
          title: redactor.redact(lesson.title),
          guidance: redactor.redact(lesson.guidance),
          words: redactor.redact(lesson.words),
          document: redactor.redactJson(lesson.document),
        })),
      ),
    appendEvidence: (chain, entries) =>
      record.appendEvidence(
        chain,
        entries.map((entry) => ({ ...entry, payload: redactor.redactJson(entry.payload) })),
      ),
    publish: (messages, unlessNews) => record.publish(messages.map(cleanMessage), unlessNews),
    post: (runId, body) => record.post(runId, redactor.redactJson(body)),
  };
}
