/** The program `mayday`: finds the command, parses its arguments, calls it and prints errors. It decides nothing. */
import { MaydayError, usageError } from '../platform/mayday-error.ts';
import type { CommandSpec } from './command.ts';
import { COMMANDS } from './commands.ts';
import { commandHelp, fullHelp, overviewHelp, VERSION } from './help.ts';
import { distance } from '../core/text/distance.ts';
import { parseInvocation } from './parse.ts';
import { StandardOut } from './standard-out.ts';
import { textOut } from './write-text.ts';
import { printError, asProblem } from '../platform/print-error.ts';

async function main(argv: readonly string[]): Promise<number> {
  const [name, ...args] = argv;
  if (name === undefined || name === '--help' || name === '-h' || name === 'help') {
    const [asked, ...more] = name === 'help' ? args.filter((arg) => !arg.startsWith('-')) : [];
    if (more.length > 0)
      throw usageError('WRONG_ARGUMENTS', 'help takes [COMMAND]', [
        ['happened', `it was given ${JSON.stringify([asked, ...more].join(' '))}`],
        ['do', `mayday help ${asked ?? ''}`],
      ]);
    const command = commandCalled(asked);
    if (asked !== undefined && asked !== 'all' && command === undefined) throw unknownCommand(asked);
    const { columns } = stdout;
    const overview = asked === 'all' ? fullHelp(COMMANDS, columns) : overviewHelp(COMMANDS, columns);
    stdout.write(command === undefined ? overview : commandHelp(command, columns));
    return 0;
  }
  if (name === '--version' || name === '-v') {
    stdout.write(`${VERSION}\n`);
    return 0;
  }
  const command = commandCalled(name);
  if (command === undefined) throw unknownCommand(name);
  if (args.slice(0, endOfOwn(args)).some((arg) => arg === '--help' || arg === '-h')) {
    stdout.write(commandHelp(command, stdout.columns));
    return 0;
  }
  const invocation = parseInvocation(command, args);
  const module = await command.load();
  return module.run({ ...invocation, commands: COMMANDS, stdout, stderr });
}

function commandCalled(name: string | undefined): CommandSpec | undefined {
  return COMMANDS.find(
    (spec) => spec.name === name || (name !== undefined && spec.aliases?.includes(name) === true),
  );
}

function endOfOwn(args: readonly string[]): number {
  const dashes = args.indexOf('--');
  return dashes === -1 ? args.length : dashes;
}

/** Of a short word not every letter may be wrong. */
const MAX_TYPOS = 2;

function unknownCommand(name: string): MaydayError {
  if (name.startsWith('-'))
    return usageError('UNKNOWN_COMMAND', `there is no option ${JSON.stringify(name)}`, [
      ['do', 'mayday --help'],
    ]);
  if (name === 'version')
    return usageError('UNKNOWN_COMMAND', 'there is no command "version"', [['do', 'mayday --version']]);
  const offered = COMMANDS.filter((spec) => spec.ends !== true).map((spec) => spec.name);
  const typed = offered.filter((other) => distance(name, other) <= Math.min(MAX_TYPOS, name.length - 1));
  const near = typed.length > 0 ? typed : offered.filter((other) => other.startsWith(name.slice(0, 2)));
  return usageError('UNKNOWN_COMMAND', `there is no command ${JSON.stringify(name)}`, [
    ['do', near.length > 0 ? `mayday ${near.join(', mayday ')}, or mayday --help` : 'mayday --help'],
  ]);
}

function giveUp(error: NodeJS.ErrnoException): never {
  // `mayday ps | head`: the reader closed the pipe, which is no failure.
  if (error.code === 'EPIPE') process.exit(0);
  process.exit(printError(unwritable(error), textOut(stderr)));
}

function unwritable(error: NodeJS.ErrnoException): MaydayError {
  return new MaydayError('OUTPUT_NOT_WRITTEN', `the output could not be written: ${error.message}`, [
    ['do', 'look at where standard output goes; what the command did stays done'],
  ]);
}

const argv = process.argv.slice(2);
const stdout = new StandardOut(process.stdout.on('error', giveUp));
const stderr = new StandardOut(process.stderr);

try {
  process.exitCode = await main(argv);
} catch (error) {
  process.exitCode = printError(error, textOut(stderr));
  // One document, also of a failure; never a second one.
  const asksJson = argv.slice(0, endOfOwn(argv)).includes('--json');
  if (asksJson && !stdout.hasSpoken)
    stdout.write(`${JSON.stringify({ ...asProblem(error), exit_code: process.exitCode })}\n`);
}
