/** `converse`: asks a person questions at a terminal, one line each; the end of input cancels the conversation. */
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
        ['did', 'nothing: no word was recorded'],
        ['do', 'start it again when you know more'],
      ]);
    });
  } finally {
    terminal.close();
  }
}
