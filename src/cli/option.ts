/** `text`, `many`, `toggle`: the three shapes of an option, for the command tables. */
import type { OptionSpec } from './command.ts';

export const text = (name: string, value: string, help: string): OptionSpec => ({
  name,
  type: 'string',
  value,
  help,
});
export const many = (name: string, value: string, help: string): OptionSpec => ({
  name,
  type: 'string',
  multiple: true,
  value,
  help,
});
export const toggle = (name: string, help: string, short?: string): OptionSpec => ({
  name,
  type: 'boolean',
  help,
  ...(short === undefined ? {} : { short }),
});
