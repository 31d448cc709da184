/** Questions at a terminal, a line each. What is typed ahead is kept; the end of input is the person's "never mind". */
import { createInterface } from 'node:readline/promises';
import { usageError } from '../platform/mayday-error.ts';

export type Ask = (question: string) => Promise<string>;

export async function converse<T>(output: NodeJS.WritableStream, use: (ask: Ask) => Promise<T>): Promise<T> {
  const terminal = createInterface({ input: process.stdin, output });
  const lines = terminal[Symbol.asyncIterator]();
  try {
    return await use(async (question) => {
      terminal.setPrompt(question);
      terminal.prompt();
      const line = await lines.next();
      if (!line.done) return line.value;
      output.write('\n');
      throw usageError('NOTHING_SAID', 'the conversation ended before it was finished', [
        ['nothing', 'was recorded and nothing was changed'],
        ['do', 'start it again when you know more'],
      ]);
    });
  } finally {
    terminal.close();
  }
}
