/**
 * `RowGuard`: compares the rows of outbox and timers with what the core decided. The decision counts. A row without a decision, or that
 * says something else, is a forgery: it is journaled, and the keeper never acts on it.
 */
import type { Forgery, ForgeryReason } from '../../core/vocabulary/events/word.ts';
import type { RunRecord } from '../../record/contract.ts';
import type { StoredCommand, Timer } from '../../record/contract/outbox.ts';
import type { RunIntake } from '../run-intake.ts';
import type { RunJournal, Settling } from '../run-journal.ts';

export class RowGuard {
  readonly #record: RunRecord;
  readonly #journal: RunJournal;
  readonly #intake: RunIntake;
  /** Forged rows that were reported. They stay until they are settled, and one report is enough. */
  readonly #told = new Set<string>();

  constructor(record: RunRecord, journal: RunJournal, intake: RunIntake) {
    this.#record = record;
    this.#journal = journal;
    this.#intake = intake;
  }

  /** The command as it was decided; null: there is nothing to do on this row. */
  async command(row: StoredCommand): Promise<StoredCommand | null> {
    if (this.#isDecided(row)) return row;
    // The turn that decided it may be on its way from the record to the journal.
    const { runId, key, type } = row;
    const found = await this.#journal.undisturbed(async () => {
      const now = (await this.#record.pendingCommands(runId)).find((one) => one.key === key);
      return now === undefined ? null : { now, body: this.#journal.decidedCommand(key) };
    });
    if (found === null) return null;
    const { now, body } = found;
    if (body === undefined) {
      await this.#refuse({ what: 'command', named: type, why: 'never_decided' }, { settled: [key] });
      return null;
    }
    const decided = { ...now, type: (JSON.parse(body) as { readonly type: string }).type, body };
    if (decided.type !== now.type || body !== now.body) await this.#tell('command', key, type);
    return decided;
  }

  async timers(rows: readonly Timer[]): Promise<void> {
    const { timers, state } = this.#journal;
    if (rows.every(({ name, dueAt }) => timers.get(name) === dueAt)) return;
    const strange = await this.#journal.undisturbed(async () =>
      (await this.#record.timers(state.runId))
        .map(({ name, dueAt }) => ({ name, dueAt, decided: timers.get(name) }))
        .filter(({ dueAt, decided }) => dueAt !== decided),
    );
    for (const { name, dueAt, decided } of strange) {
      if (decided === undefined)
        await this.#refuse({ what: 'timer', named: name, why: 'never_decided' }, { fired: name });
      else await this.#tell('timer', `${name} ${dueAt}`, name);
    }
  }

  #isDecided({ key, type, body }: StoredCommand): boolean {
    const decided = this.#journal.decidedCommand(key);
    return decided === body && (JSON.parse(body) as { readonly type: string }).type === type;
  }

  async #tell(what: Forgery['what'], row: string, named: string): Promise<void> {
    const why: ForgeryReason = 'differs_from_decision';
    if (this.#told.has(`${what} ${row}`)) return;
    this.#told.add(`${what} ${row}`);
    await this.#refuse({ what, named, why }, {});
  }

  async #refuse(forgery: Forgery, settling: Settling): Promise<void> {
    await this.#intake.submit({ type: 'forgery_refused', at: Date.now(), ...forgery }, settling);
  }
}
