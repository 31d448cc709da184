import type { Command } from '../core/vocabulary/command.ts';
import type { Fact } from '../core/vocabulary/event.ts';
import { MaydayError } from '../platform/mayday-error.ts';
import { exhausted, pathOf } from '../platform/storage-error.ts';

/** The world failed us: a fact like any other. A broken promise of our own code is thrown on. */
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
