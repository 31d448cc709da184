/** `namedByShell`: the program that a shell says it could not start. `namesFile`, `pathInTree`: what that name means in the tree. */
import { simpleCommands, joined } from './check-line.ts';

/** The shell's complaint is among the last lines. */
const MAX_LINES = 20;
const COMPLAINT =
  '(?:command not found|not found|Permission denied|No such file(?: or directory)?|cannot execute[^:]*)';
/** `sh: 1: jest: not found`, `run.sh: line 3: ./x: Permission denied`, `env: 'node': No such file or directory` */
const SHELL_SAYS = new RegExp(
  `(?:^|: )(?:can(?:not|'t) open )?['"‘]?([^\\s:'"‘’]{1,300})['"’]?: ${COMPLAINT}\\s*$`,
);

export function namedByShell(output: string): string | null {
  const lines = output.trimEnd().split('\n').slice(-MAX_LINES).toReversed();
  for (const line of lines) {
    const name = SHELL_SAYS.exec(line)?.[1];
    if (name !== undefined) return name;
  }
  return null;
}

/** `sh run-tests.sh` names a file as well as `./run-tests.sh` does; a tool is named without a folder and without an extension. */
export function namesFile(command: string, program: string): boolean {
  const words = simpleCommands(command).flatMap(({ args }) => args);
  if (program.startsWith('/')) return false;
  return program.includes('/') || /\.\w+$/.test(program) || words.includes(program);
}

/** The program's path from the top of the tree. A shell names a program as the line did, so a `cd` before it counts. */
export function pathInTree(command: string, folder: string, program: string): string {
  const started = simpleCommands(command).find((each) => each.program === program);
  return joined(joined(folder, started?.folder ?? ''), program);
}
