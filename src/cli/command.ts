/** `CommandSpec`: a command of the CLI as data. The parser, `--help`, completions and the reference pages are made from it. */
import type { StandardOut } from './standard-out.ts';

export interface OptionSpec {
  readonly name: string;
  readonly type: 'string' | 'boolean';
  /** One letter: `-f`. */
  readonly short?: string;
  readonly multiple?: boolean;
  /** Placeholder of the value in help texts. */
  readonly value?: string;
  readonly help: string;
}

export interface CommandSpec {
  readonly name: string;
  /** Names that other tools have for it. */
  readonly aliases?: readonly string[];
  /** What it prints is a program's already (a protocol, a script of a shell): it takes no `--json`. */
  readonly hasNoDocument?: true;
  /** It ends work or takes something away: never proposed for a mistyped name. */
  readonly ends?: true;
  readonly summary: string;
  readonly group: 'run' | 'look' | 'decide' | 'learn' | 'machine';
  readonly options: readonly OptionSpec[];
  /** Its positional arguments: as printed after the name (`[FILE]`, `RUN`), and how many. */
  readonly takes: {
    readonly usage: string;
    readonly min: number;
    readonly max: number;
    /** A command line may follow `--`. */
    readonly command?: true;
  };
  /** Names what an agent may not ask for, if it is asked for; `withRecord` refuses it then. A use-case guards itself. */
  readonly onlyPerson?: (asked: Pick<Invocation, 'args' | 'options'>) => string | null;
  /** Loaded only when called: start-up time of every command is a feature. */
  readonly load: () => Promise<{ run(invocation: Invocation): Promise<number> }>;
}

type LeftOut = 'takes' | 'options';

/** A command in the table of its group: one that takes no arguments or has no options says nothing about them. */
export type CommandEntry = Omit<CommandSpec, 'group' | LeftOut> & Partial<Pick<CommandSpec, LeftOut>>;

export interface Invocation {
  readonly args: readonly string[];
  /** What follows `--`. */
  readonly rest: readonly string[];
  readonly options: Readonly<Record<string, string | boolean | readonly string[] | undefined>>;
  readonly json: boolean;
  /** What is asked for and only a person may do; null: anybody may. */
  readonly onlyPerson: string | null;
  readonly env: NodeJS.ProcessEnv;
  readonly cwd: string;
  readonly commands: readonly CommandSpec[];
  readonly stdout: StandardOut;
  readonly stderr: StandardOut;
}
