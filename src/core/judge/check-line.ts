/**
 * `decidingCommands`: reads from a shell line which commands decide its exit status. A command whose output goes into a pipe or a
 * substitution does not decide: it is under test. A file that a deciding command runs is a judge. `partTexts`: its simple commands, as they
 * stand in it.
 */
export interface SimpleCommand {
  readonly program: string;
  readonly args: readonly string[];
  /** The folder that a `cd` before it named, relative to where the line starts. */
  readonly folder: string;
}

/** A person writes a check line by hand. A longer text is a program, and the rest of it is not read. */
const MAX_LINE = 16 * 1024;
/** Words that may stand before the program. */
const PREFIXES = new Set(
  '! if then else elif do while until time exec command nohup { ( timeout env npx'.split(' '),
);
const KEYWORDS = new Set('! if then else elif fi do done while until time { }'.split(' '));
const ASSIGNMENT = /^\w+\+?=/;
const OPERATORS = '&|;\n()';

export function decidingCommands(line: string): SimpleCommand[] {
  const commands: SimpleCommand[] = [];
  let folder = '';
  for (const { words, piped } of parts(line.slice(0, MAX_LINE))) {
    const [program, ...args] = withoutPrefixes(words);
    if (program === undefined || program === 'for' || program === 'case') continue;
    if (program === 'cd') folder = joined(folder, args[0] ?? '');
    else if (!piped) commands.push({ program, args, folder });
  }
  return commands;
}

/** Without what a redirection and a substitution name. */
export function partTexts(line: string): string[] {
  return parts(line.slice(0, MAX_LINE)).flatMap(({ words, starts, end }) => {
    const first = starts[words.findIndex((word) => !KEYWORDS.has(word))];
    return first === undefined ? [] : [line.slice(first, end)];
  });
}

function withoutPrefixes(words: readonly string[]): readonly string[] {
  let at = 0;
  while (at < words.length) {
    const word = words[at] as string;
    if (PREFIXES.has(word) || ASSIGNMENT.test(word)) at += 1;
    // Options and times of a prefix: `timeout 60`, `env -i`.
    else if (at > 0 && (/^\d+[smh]?$/.test(word) || word.startsWith('-'))) at += 1;
    else break;
  }
  return words.slice(at);
}

interface Part {
  readonly words: readonly string[];
  /** Where each word begins in the line, and where the last one ends. */
  readonly starts: readonly number[];
  readonly end: number;
  /** Its output goes into the next command. */
  readonly piped: boolean;
}

function parts(line: string): Part[] {
  const found: Part[] = [];
  let words: string[] = [];
  let starts: number[] = [];
  let end = 0;
  let word: string | null = null;
  let wordAt = 0;
  let redirected = false;
  const endWord = (at: number) => {
    if (word !== null && !redirected) {
      words.push(word);
      starts.push(wordAt);
      end = at;
    }
    if (word !== null) redirected = false;
    word = null;
  };
  const endCommand = (at: number, piped: boolean) => {
    endWord(at);
    if (words.length > 0) found.push({ words, starts, end, piped });
    words = [];
    starts = [];
  };
  for (let at = 0; at < line.length; at += 1) {
    const sign = line[at] as string;
    if (word === null) wordAt = at;
    if (sign === '\\') word = (word ?? '') + (line[(at += 1)] ?? '');
    else if (sign === "'" || sign === '"' || sign === '`') {
      const end = closing(line, at, sign);
      // Backquotes stand for the output of another command.
      if (sign !== '`') word = (word ?? '') + line.slice(at + 1, end);
      else word ??= '';
      at = end;
    } else if (sign === '$' && line[at + 1] === '(') {
      at = balanced(line, at + 1);
      word ??= '';
    } else if (sign === '>' || sign === '<') {
      if (word !== null && /^\d$/.test(word)) word = null;
      endWord(at);
      redirected = true;
      if (line[at + 1] === '>' || line[at + 1] === '&') at += 1;
    } else if (OPERATORS.includes(sign)) {
      const doubled = line[at + 1] === sign;
      endCommand(at, sign === '|' && !doubled);
      if (doubled) at += 1;
    } else if (sign === ' ' || sign === '\t') endWord(at);
    else word = (word ?? '') + sign;
  }
  endCommand(line.length, false);
  return found;
}

function closing(line: string, from: number, sign: string): number {
  for (let at = from + 1; at < line.length; at += 1) {
    if (line[at] === '\\' && sign !== "'") at += 1;
    else if (line[at] === sign) return at;
  }
  return line.length;
}

function balanced(line: string, from: number): number {
  let depth = 0;
  for (let at = from; at < line.length; at += 1) {
    if (line[at] === '(') depth += 1;
    else if (line[at] === ')' && (depth -= 1) === 0) return at;
  }
  return line.length;
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
