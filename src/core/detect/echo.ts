/** `isEcho`, `withoutEcho`, `withoutLongEcho`: what a program repeats of its own call. It would make one failure look like many. */

/** Shorter words of a command occur in any line. */
const ECHO_CHARS = 8;
const ECHO_MARK = /^[$+>#]\s+/;
const QUOTED_ECHO = /(['"`])((?:(?!\1).){8,200})\1/g;
/** A longer command may be cut in the line. */
const HEAD_CHARS = 120;

/** A shell or a traceback shows the line of the command again: the same failure of another command would look like another failure. */
export function isEcho(line: string, input: string): boolean {
  return line.length >= ECHO_CHARS && input.includes(line.replace(ECHO_MARK, ''));
}

export function withoutEcho(line: string, input: string): string {
  // A name alone, for example of a program that is not there, is what the line is about.
  const at = /^\S+ .{8}/.test(input) ? line.indexOf(input.slice(0, HEAD_CHARS)) : -1;
  if (at >= 0)
    return `${line.slice(0, at)}…${line.startsWith(input, at) ? line.slice(at + input.length) : ''}`;
  return line.replace(QUOTED_ECHO, (whole, mark: string, said: string) =>
    input.includes(said) ? `${mark}…${mark}` : whole,
  );
}

/** A tool that repeats what it was given, over several lines, between two marks. Ruby and GNU end a name with another mark. */
const BETWEEN_MARKS = /`[^`]{0,1000}`/g;
const LONG_ECHO = /^`(?![^\n']{1,400}').{0,1000}\n/;
const BANNER = /^> \S+@\d\S* \S+\n> .*$/gm;

/** What npm and its like say before a script begins is no answer either. */
export function withoutLongEcho(output: string): string {
  const said = output.includes('\n> ') ? output.replace(BANNER, '') : output;
  if (!said.includes('`')) return said;
  return said.replace(BETWEEN_MARKS, (echo) =>
    echo.length > ECHO_CHARS && LONG_ECHO.test(echo) ? '`…`' : echo,
  );
}
