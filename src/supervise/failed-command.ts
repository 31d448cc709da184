/** `failedCommand`: turns a MaydayError, or an error of exhausted storage, into a fact. Any other error is a defect and is thrown on. */
import type { Command } from '../core/vocabulary/command.ts';
import type { Fact } from '../core/vocabulary/event.ts';
import { MaydayError } from '../platform/mayday-error.ts';
import { exhausted, pathOf } from '../platform/storage-error.ts';

export function failedCommand(command: Command, error: unknown): Fact {
  const told = exhausted(error, pathOf(error));
  if (!(told instanceof MaydayError)) throw error;
  return {
    type: 'command_failed',
    at: Date.now(),
    command: command.type,
    code: told.code,
    message: told.message,
    advice: told.advice,
  };
}
