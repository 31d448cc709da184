/** Every command, in the order of `mayday --help`. A new command is one entry in the table of its group and one file beside this one. */
import type { CommandSpec } from './command.ts';
import { DECIDE_COMMANDS } from './commands/decide-commands.ts';
import { LEARN_COMMANDS } from './commands/learn-commands.ts';
import { LOOK_COMMANDS } from './commands/look-commands.ts';
import { MACHINE_COMMANDS } from './commands/machine-commands.ts';
import { RUN_COMMANDS } from './commands/run-commands.ts';

export const COMMANDS: readonly CommandSpec[] = [
  ...RUN_COMMANDS,
  ...LOOK_COMMANDS,
  ...DECIDE_COMMANDS,
  ...LEARN_COMMANDS,
  ...MACHINE_COMMANDS,
];
