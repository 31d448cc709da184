/** `callKind`, `readCall`, `commandOf`: tell what a tool call is for. No detector may depend on knowing a tool. */
import { inOrder } from '../text/in-order.ts';
import { oneOf } from '../text/one-of.ts';
import { type Polling, pollingOf, withoutHarmlessRedirects } from './polling.ts';

// biome-ignore format: words stand together
export type CallKind =
  | 'read' | 'search' | 'edit' | 'test' | 'run' | 'move' | 'wait' | 'plan' | 'ask' | 'delegate' | 'idle'
  | 'other';

const DELEGATES = /^(task|agent|dispatch_agent|delegate|subagent|spawn_agent)$/;
/** Patterns for the tool's name in lower case, the most reliable first. */
const TOOL_WORDS: readonly (readonly [CallKind, RegExp])[] = [
  ['ask', /^(ask_?user|askuserquestion|request_?user_?input|exit_?plan_?mode)/],
  ['delegate', DELEGATES],
  ['plan', /(todo|^task_?(create|update|list)|^update_plan|^think$|hypothesis|^plan)/],
  ['wait', /(^wait|sleep|poll|^monitor|bashoutput|^await|task_?output|_status$)/],
  ['edit', /(edit|write|patch|create|insert|replace|str_replace|append|undo|fix)/],
  ['search', /(grep|glob|search|find)/],
  ['read', /(read|view|open|cat|scroll|goto|list|^ls|extract|fetch|get_)/],
  ['run', /(bash|shell|exec|run|terminal|command|python|computer_terminal)/],
];

const SHELL_TOOLS = /^(bash|shell|exec|run|terminal|command|execute|local_shell|process|container)/;
/** Programs that only read, at the beginning of a command line. */
const SHELL_READ =
  /^(cat|head|tail|less|sed -n|nl|ls|tree|pwd|wc|stat|file|open|goto|scroll|git (show|log|diff|status|blame|stash (list|show))|awk)\b/;
const SHELL_SEARCH = /^(grep|egrep|rg|ag|find|fd|which|whereis|locate|git grep)\b/;
const SHELL_EDIT = oneOf(
  inOrder(/(^|[;&|(])\s*/, [
    /sed -i|apply_patch|patch |tee |mv |cp |rm |mkdir /,
    /git (apply|checkout|restore|stash|revert|reset|commit)(?! (?:list|show|--check|--stat|--dry-run)\b)/,
    /touch |npm install|pip install/,
  ]),
  /<<|(^|\s)>{1,2} *(?!\/dev\/)[A-Za-z./~"'$]|\.write\(|write_text\(/,
);
/** A script for an interpreter changes files only if its text contains a write. */
const SHELL_SCRIPT = /^(python[\d.]*|node|ruby|perl|php|bash|sh)\b[^\n]{0,200}<</;
const SCRIPT_WRITES = /\.write\(|write_text\(|writeFile|['"][wa]\+?['"]\)|sed -i|[^<]>{1,2} *[\w./]/;
/** After a move to another place, the same command is another command. */
const SHELL_MOVE = /^(cd|pushd|popd|git (checkout|switch)|source|export|conda activate|nvm use)\b[^&;|\n]*$/;
const SHELL_TEST = inOrder(
  /\b/,
  [
    /pytest|py\.test|unittest|vitest|jest|mocha|rspec|phpunit|ctest|tox|nox|runtests\.py|go (test|build|vet)/,
    /cargo (test|check|build|nextest)|(npm|pnpm|yarn|bun)( run)?( -[\w-]+)* (test|build|check|lint|typecheck)/,
    /mvnw?( -[\w-]+)* (test|verify|compile|package)|gradlew?( -[\w-]+)* (test|build|check)/,
    /make( -[\w-]+)* (test|check|build)|tsc|javac|dotnet (test|build)|bazel (test|build)|mise run (test|lint)/,
    /golangci-lint|ruff|mypy|eslint|node(?: --?[\w=-]+){0,4} --test|playwright test|cypress run|ng (test|build|lint)|cmake --build/,
    /(turbo|nx)( run)? (test|build|lint|check)|xcodebuild|swift (test|build)|mix (test|compile)/,
    /flutter (test|analyze)|(rails|artisan) test/,
  ],
  /\b/,
);

/** A script of the project that is named after what it checks. */
const CHECK_SCRIPT = inOrder(/(?:^|&& *|; *)(?:(?:ba|z|da)?sh +(?:-\w+ +)?)?(?:\.{0,2}\/)?/, [
  /(?:[\w.-]{1,60}\/){0,6}(?:ci|checks?|lint|verify|(?:run[-_]?)?tests?)\.sh\b/,
  /(?:[\w.-]{1,60}\/){0,4}(?:bin|scripts?|tools)\/(?:ci|checks?|lint|verify|tests?)(?=\s|$)/,
]);

/** Argument names are looked for in this many characters, also inside arguments that are kept as text. */
const ARGUMENT_CHARS = 2_000;
const GIVEN_COMMAND = /\\?"(command|cmd|script)\\?" *: *\\?["[]/;
/** An editor with several verbs takes a verb where a shell takes a command line. */
const GIVEN_VERB = /\\?"command\\?" *: *\\?"(view|create|str_replace|insert|undo_edit)\\?"/;
const GIVEN_NEW_TEXT = inOrder(
  /\\?"/i,
  [
    /file_text|new_str(ing)?|newString|new_text|new_content|new_source|content|contents|patch|diff|edits/i,
    /insert_text|replacement/i,
  ],
  /\\?" *:/i,
);
/** An edit without any change in it. */
const GIVEN_NO_TEXT = /["'](?:changes\w{0,20}|edits|patch|diff)\\?["'] *: *(?:\[ *\]|\{ *\}|\\?""|'')/;
const GIVEN_PATTERN = /\\?"(pattern|query|regex|search_term|glob|keywords?)\\?" *:/i;
const GIVEN_PATH = /\\?"(file_?path|path|file_?name|file|absolute_path|uri)\\?" *:/i;

/** The beginning of a long command line is enough to tell what it does. */
const COMMAND_CHARS = 400;

export function isDelegate(tool: string): boolean {
  return DELEGATES.test(tool.toLowerCase());
}

export function isShellCall(tool: string, input: string): boolean {
  return kindOfTool(tool, input) === null;
}

export function callKind(tool: string, input: string): CallKind {
  return readCall(tool, input).kind;
}

export interface CallReading {
  readonly kind: CallKind;
  /** How a shell command waits; null if it does not, and for other tools. */
  readonly polling: Polling | null;
  /** One of its parts puts other files or another place under the rest: the same command may give another result after it. */
  readonly mayChangeResults: boolean;
}

/** Git verbs that exchange files of the tree, anywhere in a compound command. */
const EXCHANGES_FILES =
  /\bgit (?:-C \S{1,200} )?(?:stash(?! +(?:list|show)\b)|checkout|switch|reset|restore|apply|revert|merge|rebase|cherry-pick|pull|am)\b/;

export function readCall(tool: string, input: string): CallReading {
  const kind = kindOfTool(tool, input);
  return kind === null ? readShell(commandOf(input)) : { kind, polling: null, mayChangeResults: false };
}

/** Null for a shell: there the command line decides. */
function kindOfTool(tool: string, input: string): CallKind | null {
  const name = tool.toLowerCase();
  if (SHELL_TOOLS.test(name)) return null;
  for (const [kind, words] of TOOL_WORDS) {
    if (!words.test(name)) continue;
    // A tool that both views and edits tells in its arguments which of them it does.
    if (
      kind === 'edit' &&
      /"command\\?": *\\?"view|command: view|^\w* ?view\b/.test(input.slice(0, COMMAND_CHARS))
    )
      return 'read';
    return kind === 'edit' && GIVEN_NO_TEXT.test(input.slice(0, ARGUMENT_CHARS)) ? 'idle' : kind;
  }
  return kindOfArguments(input);
}

/** The kind of an unknown tool, by its arguments: new text for a file, a search pattern, or a file. */
function kindOfArguments(input: string): CallKind | null {
  if (!input.trimStart().startsWith('{')) return null;
  const head = input.slice(0, ARGUMENT_CHARS);
  if (GIVEN_COMMAND.test(head) && !GIVEN_VERB.test(head)) return null;
  if (GIVEN_NEW_TEXT.test(head)) return 'edit';
  if (GIVEN_PATTERN.test(head)) return 'search';
  return GIVEN_PATH.test(head) ? 'read' : null;
}

function readShell(command: string): CallReading {
  const mayChangeResults = command.includes('git ') && EXCHANGES_FILES.test(command);
  const polling = pollingOf(command);
  if (polling === null) return { kind: workOfShell(command), polling, mayChangeResults };
  const kind = workOfShell(withoutHarmlessRedirects(command));
  if (kind === 'edit') return { kind, polling: null, mayChangeResults };
  return { kind: kind === 'test' ? kind : 'wait', polling, mayChangeResults };
}

function workOfShell(command: string): CallKind {
  const line = command.trimStart();
  if (line === '' || isOnlyComment(line)) return 'idle';
  if (SHELL_MOVE.test(line.trimEnd())) return 'move';
  const body = line.replace(/^(cd [^&;|]{0,200}(&&|;) *)/, '');
  if (SHELL_TEST.test(body) || CHECK_SCRIPT.test(body)) return 'test';
  if (SHELL_SCRIPT.test(body)) return SCRIPT_WRITES.test(body) ? 'edit' : 'run';
  if (SHELL_EDIT.test(withoutHarmlessRedirects(body))) return 'edit';
  if (SHELL_SEARCH.test(body)) return 'search';
  if (SHELL_READ.test(body)) return 'read';
  return 'run';
}

function isOnlyComment(command: string): boolean {
  return command.split('\n', 8).every((line) => line.trim() === '' || line.trimStart().startsWith('#'));
}

/** A command as a list of words begins with the shell that reads the last of them. */
const SHELL_WORDS = /^[\w/.-]{0,40}sh\\?" ?, ?\\?"-\w{1,4}\\?" ?, ?\\?"/;
/** The value of a JSON text, from its first character on. */
const JSON_TEXT = /^(?:[^"\\]|\\.)*/;

/** The command line inside JSON arguments, or the text itself if the tool takes no JSON. */
export function commandOf(input: string): string {
  const at = input.search(/"(command|cmd|script)\\?" *: *\\?["[]/);
  if (at < 0) return input.slice(0, COMMAND_CHARS);
  const begin = input.indexOf(':', at) + 1;
  const value = input
    .slice(begin, begin + COMMAND_CHARS)
    .replace(/^[\s\\["]+/, '')
    .replace(SHELL_WORDS, '');
  // Arguments that are kept as text inside other arguments end with an escaped mark.
  const line = input[at - 1] === '\\' ? value : (JSON_TEXT.exec(value)?.[0] ?? value);
  return line.replaceAll('\\n', '\n').replaceAll('\\"', '"');
}
