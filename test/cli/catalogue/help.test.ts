/** The catalogue of sentences: the help of every command, as a terminal of 80 columns shows it. `npx vitest run FILE --update` writes it anew. */
import { expect, it } from 'vitest';
import { COMMANDS } from '../../../src/cli/commands.ts';
import { commandHelp, overviewHelp } from '../../../src/cli/help.ts';

it('the help texts are those that were read', async () => {
  const told = [overviewHelp(COMMANDS), ...COMMANDS.map((command) => commandHelp(command))];
  await expect(told.join(`\n${'─'.repeat(80)}\n`)).toMatchFileSnapshot('help.txt');
});
