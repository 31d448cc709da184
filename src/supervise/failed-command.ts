/**
 * `failedCommand`: turns an error of the outside world into a fact. Any other error is a defect of Mayday and is thrown on, so that another
 * keeper tries; where several keepers died of it one after the other, it becomes a fact too, and a person is asked.
 */
import type { Command } from '../core/vocabulary/events/command.ts';
import type { Fact } from '../core/vocabulary/events/event.ts';
import { MaydayError } from '../platform/mayday-error.ts';
import { exhausted, pathOf } from '../platform/storage-error.ts';

/** A defect that a second keeper survives was none of the command; three in a row die of the command. */
export const KEEPERS_LOST = 3;

/** `lastEvents`: the types of the last events of the journal, newest last. */
export function failedCommand(command: Command, error: unknown, lastEvents: readonly string[]): Fact {
  const known = exhausted(error, pathOf(error));
  const lost = lastEvents.slice(-KEEPERS_LOST);
  const isLoop = lost.length === KEEPERS_LOST && lost.every((type) => type === 'taken_over');
  if (!(known instanceof MaydayError) && !isLoop) throw error;
  const { code, message, advice } = known instanceof MaydayError ? known : defect(error);
  return { type: 'command_failed', at: Date.now(), command: command.type, code, message, advice };
}

function defect(error: unknown): MaydayError {
  const said = error instanceof Error ? error.message : String(error);
  return new MaydayError('KEEPER_DEFECT', `${KEEPERS_LOST} keepers died of it: ${said}`, [
    ['did', 'kept the work and stopped trying'],
    ['do', 'mayday logs RUN --keeper; mend what it names, then answer retry'],
  ]);
}
