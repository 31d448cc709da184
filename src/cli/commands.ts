/**
 * `COMMANDS`: every command, in the order of `mayday --help`. A new command is one entry in the table of its group and one file beside it.
 */
import type { CommandSpec } from './command.ts';
import { DECIDE_COMMANDS } from './decide/decide-commands.ts';
import { LEARN_COMMANDS } from './learn/learn-commands.ts';
import { LOOK_COMMANDS } from './look/look-commands.ts';
import { MACHINE_COMMANDS } from './machine/machine-commands.ts';
import { RUN_COMMANDS } from './run/run-commands.ts';

export const COMMANDS: readonly CommandSpec[] = [
  ...RUN_COMMANDS,
  ...LOOK_COMMANDS,
  ...DECIDE_COMMANDS,
  ...LEARN_COMMANDS,
  ...MACHINE_COMMANDS,
];
