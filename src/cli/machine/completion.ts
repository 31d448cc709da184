/** `mayday completion SHELL`: prints completions made from the command table; they ask `mayday completion runs` for names. */
import { usageError } from '../../platform/mayday-error.ts';
import type { CommandSpec, Invocation } from '../command.ts';
import type { WordKind } from './completion-words.ts';

const SHELLS = { bash, zsh, fish } as const;
const WORDS: Readonly<Record<WordKind, true>> = { runs: true, questions: true, agents: true, checks: true };

export async function run(invocation: Invocation): Promise<number> {
  const { args, stdout, commands } = invocation;
  const [shell = ''] = args;
  if (isWordKind(shell)) {
    const { completionWords } = await import('./completion-words.ts');
    const words = await completionWords(shell, invocation);
    stdout.write(words.map((word) => `${word}\n`).join(''));
    return 0;
  }
  if (!Object.hasOwn(SHELLS, shell))
    throw usageError('UNKNOWN_SHELL', `there are no completions for ${JSON.stringify(shell)}`, [
      ['do', 'mayday completion bash, zsh or fish'],
    ]);
  stdout.write(SHELLS[shell as keyof typeof SHELLS](commands));
  return 0;
}

function isWordKind(name: string): name is WordKind {
  return Object.hasOwn(WORDS, name);
}

function optionsOf({ options }: CommandSpec): string[] {
  return [...options.map(({ name }) => `--${name}`), '--json', '--help'];
}

function argumentOf({ takes: { usage } }: CommandSpec): WordKind | null {
  if (/^\[?RUN\b/.test(usage)) return 'runs';
  return usage.startsWith('QUESTION') ? 'questions' : null;
}

const VALUES: Readonly<Record<string, WordKind>> = {
  agent: 'agents',
  fallback: 'agents',
  check: 'checks',
  rerun: 'runs',
};

/** Names come from outside and are never evaluated, which `compgen -W` would do. */
function bash(commands: readonly CommandSpec[]): string {
  const cases = commands.map((command) => {
    const kind = argumentOf(command);
    const names = kind === null ? '' : `; _mayday_names ${kind}`;
    return `    ${command.name}) COMPREPLY=($(compgen -W "${optionsOf(command).join(' ')}" -- "$word"))${names} ;;`;
  });
  const values = Object.entries(VALUES).map(([option, kind]) => {
    const takers = commands.filter(({ options }) =>
      options.some(({ name, type }) => name === option && type === 'string'),
    );
    const places = takers.map(({ name }) => `"${name} --${option}"`).join('|');
    return `    ${places}) _mayday_names ${kind}; return ;;`;
  });
  return `# eval "$(mayday completion bash)"
_mayday_names() {
  local name
  while IFS= read -r name; do
    if [[ "$name" == "$word"* ]]; then COMPREPLY+=("$(printf %q "$name")"); fi
  done < <(mayday completion "$1" 2>/dev/null)
}
_mayday() {
  local word="\${COMP_WORDS[COMP_CWORD]}" at
  COMPREPLY=()
  for ((at = 1; at < COMP_CWORD; at++)); do
    if [[ "\${COMP_WORDS[at]}" == -- ]]; then return; fi
  done
  if ((COMP_CWORD == 1)); then
    COMPREPLY=($(compgen -W "${commands.map(({ name }) => name).join(' ')}" -- "$word"))
    return
  fi
  case "\${COMP_WORDS[1]} \${COMP_WORDS[COMP_CWORD - 1]}" in
${values.join('\n')}
  esac
  case "\${COMP_WORDS[1]}" in
${cases.join('\n')}
  esac
}
complete -o default -F _mayday mayday
`;
}

function zsh(commands: readonly CommandSpec[]): string {
  const names = commands.map(({ name, summary }) => `    ${quoted(`${name}:${summary}`)}`);
  const cases = commands.map((command) => {
    const options = command.options.map(({ name, type, help, multiple }) => {
      const kind = VALUES[name];
      const from = kind === undefined ? '_files' : `{_mayday_names ${kind}}`;
      const [sign, value] = type === 'string' ? ['=', `:value:${from}`] : ['', ''];
      const option = quoted(`--${name}${sign}[${help.replaceAll(/[[\]:]/g, '')}]${value}`);
      return multiple ? `'*'${option}` : option;
    });
    const offered = argumentOf(command);
    const rest = offered === null ? "'*:file:_files'" : `'*:name:{_mayday_names ${offered}}'`;
    return `    ${command.name}) _arguments -s ${[...options, "'--json[one JSON document]'", rest].join(' ')} ;;`;
  });
  return `#compdef mayday
# mayday completion zsh > "\${fpath[1]}/_mayday"
_mayday_names() { compadd -- \${(f)"$(mayday completion $1 2>/dev/null)"} }
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
  const lines = commands.flatMap((command) => {
    const { name, summary, options } = command;
    const inside = `complete -c mayday -n '__fish_seen_subcommand_from ${name}'`;
    const offered = argumentOf(command);
    return [
      `complete -c mayday -n __fish_use_subcommand -f -a ${name} -d ${quoted(summary)}`,
      ...(offered === null ? [] : [`${inside} -f -a '(mayday completion ${offered} 2>/dev/null)'`]),
      ...options.map(({ name: option, type, help }) => {
        const kind = VALUES[option];
        const from = kind === undefined ? '' : ` -f -a '(mayday completion ${kind} 2>/dev/null)'`;
        return `${inside} -l ${option}${type === 'string' ? ' -r' : ''}${from} -d ${quoted(help)}`;
      }),
    ];
  });
  return `# mayday completion fish > ~/.config/fish/completions/mayday.fish\n${lines.join('\n')}\n`;
}

/** One quoting for all three: a single quote ends, is escaped, and begins again. */
function quoted(text: string): string {
  return `'${text.replaceAll('\\', '').replaceAll("'", `'\\''`)}'`;
}
