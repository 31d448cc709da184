/** `shellCommand`: the command line that the model wrote, out of the shell call that Codex makes of it (`/bin/bash -lc 'ls'`). */

const CALL = /^(?:\S*\/)?(?:ba|z|da|k)?sh -l?c (?<quoted>.+)$/s;

/** As it came, where it is no call of a shell. */
export function shellCommand(line: string): string {
  const quoted = CALL.exec(line)?.groups?.['quoted'];
  if (quoted === undefined) return line;
  if (/^'[^']*'$/s.test(quoted)) return quoted.slice(1, -1);
  if (/^"(?:[^"\\]|\\.)*"$/s.test(quoted)) return quoted.slice(1, -1).replaceAll(/\\([$`"\\])/g, '$1');
  return /^[^\s'"\\]+$/.test(quoted) ? quoted : line;
}
