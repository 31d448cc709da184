/**
 * `simpleCommands`: the simple commands of a shell line, each with its words, the text as it stands in the line, and the folder that a `cd`
 * before it named. It serves to name a program that is missing and to word permissions; nothing is trusted because of it.
 */
export interface SimpleCommand {
  readonly program: string;
  readonly args: readonly string[];
  /** Relative to where the line starts. */
  readonly folder: string;
  readonly text: string;
}

/** A person writes a check line by hand. A longer text is a program, and the rest of it is not read. */
const MAX_LINE = 16 * 1024;
/** Words that may stand before the program. */
const PREFIXES =
  /^(?:!|if|then|else|elif|fi|do|done|while|until|time|exec|command|nohup|\{|\}|timeout|env|npx|\w+\+?=.*)$/s;
const KEYWORDS = /^(?:!|if|then|else|elif|fi|do|done|while|until|time|\{|\})$/;
/** A redirection with its target, an operator, or a part of a word; substitutions stand for the output of another command. */
const TOKEN = new RegExp(
  [
    /\d?[<>]{1,2}&?\s*(?:"[^"]*"|'[^']*'|[^\s&|;()<>]+)/,
    /&&|\|\||[&|;\n()]|[ \t]+/,
    /'[^']*'|"(?:\\[^]|[^"\\])*"|`[^`]*`|\$\([^)]*\)|\\[^]|[^\s&|;()<>'"`\\$]+|\$/,
  ]
    .map(({ source }) => source)
    .join('|'),
  'g',
);

export function simpleCommands(line: string): SimpleCommand[] {
  const commands: SimpleCommand[] = [];
  let folder = '';
  for (const { words, text } of parts(line.slice(0, MAX_LINE))) {
    // Options and times of a prefix: `timeout 60`, `env -i`.
    const first = words.findIndex(
      (word, at) => !(PREFIXES.test(word) || (at > 0 && /^(?:\d+[smh]?$|-)/.test(word))),
    );
    const [program, ...args] = first < 0 ? [] : words.slice(first);
    if (program === undefined || program === 'for' || program === 'case') continue;
    if (program === 'cd') folder = joined(folder, args[0] ?? '');
    else commands.push({ program, args, folder, text });
  }
  return commands;
}

/** The texts of the commands, `cd` among them, without the keywords before them. */
export function partTexts(line: string): string[] {
  return parts(line.slice(0, MAX_LINE))
    .map(({ text }) => text)
    .filter((text) => text !== '');
}

function parts(line: string): { readonly words: string[]; readonly text: string }[] {
  const found: { words: string[]; start: number; end: number }[] = [{ words: [], start: -1, end: 0 }];
  let isOpen = false;
  for (const { 0: token, index } of line.matchAll(TOKEN)) {
    const last = found.at(-1) as (typeof found)[number];
    if (/^(?:&&|\|\||[&|;\n()])$/.test(token)) found.push({ words: [], start: -1, end: 0 });
    else if (!/^(?:\s|\d?[<>])/.test(token)) {
      const plain = /^["']/.test(token)
        ? token.slice(1, -1)
        : /^(?:`|\$\()/.test(token)
          ? ''
          : token.replace(/^\\/, '');
      if (isOpen && last.words.length > 0) last.words.push((last.words.pop() ?? '') + plain);
      else last.words.push(plain);
      if (last.start < 0 && !KEYWORDS.test(token)) last.start = index;
      last.end = index + token.length;
    }
    isOpen = !/^(?:\s|\d?[<>]|[&|;\n()])/.test(token);
  }
  return found
    .filter(({ words }) => words.length > 0)
    .map(({ words, start, end }) => ({ words, text: start < 0 ? '' : line.slice(start, end) }));
}

/** A path of the tree, without `.` and `..`; empty for an absolute path. */
export function joined(folder: string, path: string): string {
  const kept: string[] = [];
  for (const part of `${folder}/${path}`.split('/')) {
    if (part === '..') kept.pop();
    else if (part !== '' && part !== '.') kept.push(part);
  }
  return path.startsWith('/') ? '' : kept.join('/');
}
