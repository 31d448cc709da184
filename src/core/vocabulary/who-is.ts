/** `whoIs`: the name by which the limits of an agent are found. */
import type { Who } from './agent-limits.ts';
import { type AgentChoice, adapterName } from './run-options.ts';

/** A program that is not a known agent goes by its own name, and by the name that the configuration gives it. */
export function whoIs(choice: AgentChoice): Who {
  const { name, command, model } = choice;
  if (adapterName(choice) !== 'command') return { agent: name, model };
  const program = (command[0] ?? name).split('/').findLast((part) => part !== '') ?? name;
  return { agent: name === 'command' ? program : name, model, program };
}
