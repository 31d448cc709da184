/** `COMMANDS`: every command, in the order of `mayday --help`: one entry in the table of its group and one file beside it. */
import type { CommandEntry, CommandSpec } from './command.ts';
import { DECIDE_COMMANDS } from './decide/decide-commands.ts';
import { LEARN_COMMANDS } from './learn/learn-commands.ts';
import { LOOK_COMMANDS } from './look/look-commands.ts';
import { MACHINE_COMMANDS } from './machine/machine-commands.ts';
import { RUN_COMMANDS } from './run/run-commands.ts';

const GROUPS: Readonly<Record<CommandSpec['group'], readonly CommandEntry[]>> = {
  run: RUN_COMMANDS,
  look: LOOK_COMMANDS,
  decide: DECIDE_COMMANDS,
  learn: LEARN_COMMANDS,
  machine: MACHINE_COMMANDS,
};

export const COMMANDS: readonly CommandSpec[] = Object.entries(GROUPS).flatMap(([group, entries]) =>
  entries.map((entry) => ({
    takes: { usage: '', min: 0, max: 0 },
    options: [],
    ...entry,
    group: group as CommandSpec['group'],
  })),
);
