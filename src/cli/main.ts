/** The program `mayday`: finds the command, parses its arguments, calls it and prints errors. It decides nothing. */
import { MaydayError } from '../platform/mayday-error.ts';
import type { CommandSpec } from './command.ts';
import { COMMANDS } from './commands.ts';
import { commandHelp, overviewHelp, VERSION } from './help.ts';
import { distance, parseInvocation } from './parse.ts';
import { textOut } from './write-text.ts';
import { printError } from '../platform/print-error.ts';

async function main(argv: readonly string[]): Promise<number> {
  const [name, ...args] = argv;
  if (name === undefined || name === '--help' || name === '-h' || name === 'help') {
    const asked = name === 'help' ? commandCalled(args[0]) : undefined;
    const { columns } = process.stdout;
    process.stdout.write(asked ? commandHelp(asked, columns) : overviewHelp(COMMANDS, columns));
    return 0;
  }
  if (name === '--version' || name === '-v') {
    process.stdout.write(`${VERSION}\n`);
    return 0;
  }
  const command = commandCalled(name);
  if (command === undefined) throw unknownCommand(name);
  if (args.slice(0, endOfOwn(args)).some((arg) => arg === '--help' || arg === '-h')) {
    process.stdout.write(commandHelp(command, process.stdout.columns));
    return 0;
  }
  const invocation = parseInvocation(command, args);
  const module = await command.load();
  return module.run(invocation);
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

function unknownCommand(name: string): MaydayError {
  const isNear = (other: string) => other.startsWith(name.slice(0, 2)) || distance(name, other) <= 2;
  const near = COMMANDS.filter((spec) => spec.ends !== true && isNear(spec.name)).map((spec) => spec.name);
  return new MaydayError(
    'UNKNOWN_COMMAND',
    `there is no command ${JSON.stringify(name)}`,
    [['do', near.length > 0 ? `mayday ${near.join(', mayday ')}, or mayday --help` : 'mayday --help']],
    { exitCode: 2 },
  );
}

process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  // `mayday ps | head`: the reader closed the pipe, which is no failure.
  if (error.code === 'EPIPE') process.exit(0);
  process.exit(printError(unwritable(error), textOut(process.stderr)));
});

function unwritable(error: NodeJS.ErrnoException): MaydayError {
  return new MaydayError('OUTPUT_NOT_WRITTEN', `the output could not be written: ${error.message}`, [
    ['do', 'look at where standard output goes; what the command did stays done'],
  ]);
}

try {
  process.exitCode = await main(process.argv.slice(2));
} catch (error) {
  process.exitCode = printError(error, textOut(process.stderr));
}
