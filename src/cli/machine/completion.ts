/** `mayday completion SHELL`: prints completions made from the command table, to be sourced by the shell. */
import { usageError } from '../../platform/mayday-error.ts';
import type { CommandSpec, Invocation } from '../command.ts';
import { COMMANDS } from '../commands.ts';

const SHELLS = { bash, zsh, fish } as const;

export async function run({ args, stdout }: Invocation): Promise<number> {
  const [shell = ''] = args;
  if (!Object.hasOwn(SHELLS, shell))
    throw usageError('UNKNOWN_SHELL', `there are no completions for ${JSON.stringify(shell)}`, [
      ['do', 'mayday completion bash, zsh or fish'],
    ]);
  stdout.write(SHELLS[shell as keyof typeof SHELLS](COMMANDS));
  return 0;
}

function optionsOf({ options }: CommandSpec): string[] {
  return [...options.map(({ name }) => `--${name}`), '--json', '--help'];
}

function bash(commands: readonly CommandSpec[]): string {
  const cases = commands.map((command) => `    ${command.name}) words="${optionsOf(command).join(' ')}" ;;`);
  return `# eval "$(mayday completion bash)"
_mayday() {
  local word="\${COMP_WORDS[COMP_CWORD]}" words="" at
  for ((at = 1; at < COMP_CWORD; at++)); do
    if [[ "\${COMP_WORDS[at]}" == -- ]]; then COMPREPLY=(); return; fi
  done
  if ((COMP_CWORD == 1)); then
    COMPREPLY=($(compgen -W "${commands.map(({ name }) => name).join(' ')}" -- "$word"))
    return
  fi
  case "\${COMP_WORDS[1]}" in
${cases.join('\n')}
  esac
  COMPREPLY=($(compgen -W "$words" -- "$word"))
}
complete -o default -F _mayday mayday
`;
}

function zsh(commands: readonly CommandSpec[]): string {
  const names = commands.map(({ name, summary }) => `    ${quoted(`${name}:${summary}`)}`);
  const cases = commands.map((command) => {
    const options = command.options.map(({ name, type, help, multiple }) => {
      const [sign, value] = type === 'string' ? ['=', ':value:_files'] : ['', ''];
      const option = quoted(`--${name}${sign}[${help.replaceAll(/[[\]:]/g, '')}]${value}`);
      return multiple ? `'*'${option}` : option;
    });
    return `    ${command.name}) _arguments -s ${[...options, "'--json[one JSON document]'", "'*:file:_files'"].join(' ')} ;;`;
  });
  return `#compdef mayday
# mayday completion zsh > "\${fpath[1]}/_mayday"
_mayday() {
  local -a commands
  commands=(
${names.join('\n')}
  )
  if (( CURRENT == 2 )); then
    _describe command commands
    return
  fi
  local command=$words[2]
  shift words
  (( CURRENT-- ))
  case $command in
${cases.join('\n')}
  esac
}
if [ "$funcstack[1]" = "_mayday" ]; then _mayday "$@"; else compdef _mayday mayday; fi
`;
}

function fish(commands: readonly CommandSpec[]): string {
  const lines = commands.flatMap(({ name, summary, options }) => [
    `complete -c mayday -n __fish_use_subcommand -f -a ${name} -d ${quoted(summary)}`,
    ...options.map(
      ({ name: option, type, help }) =>
        `complete -c mayday -n '__fish_seen_subcommand_from ${name}' -l ${option}${type === 'string' ? ' -r' : ''} -d ${quoted(help)}`,
    ),
  ]);
  return `# mayday completion fish > ~/.config/fish/completions/mayday.fish\n${lines.join('\n')}\n`;
}

/** One quoting for all three: a single quote ends, is escaped, and begins again. */
function quoted(text: string): string {
  return `'${text.replaceAll('\\', '').replaceAll("'", `'\\''`)}'`;
}
