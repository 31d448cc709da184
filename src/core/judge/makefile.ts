/**
 * `recipesOf`, `mixMakefile`: read which commands the targets of a Makefile run, and mix a changed Makefile: the base's, with the objects
 * and targets that the candidate only added.
 */
interface Rule {
  readonly targets: readonly string[];
  readonly prerequisites: readonly string[];
  readonly recipe: readonly string[];
}

interface Line {
  readonly text: string;
  readonly variable: {
    readonly name: string;
    readonly head: string;
    readonly words: readonly string[];
  } | null;
  readonly rule: Rule | null;
}

const VARIABLE = /^((?:(?:export|override) +)*([\w.-]+) *(?:::?|[?+!])?= *)(.*)$/;
const RULE = /^([^\s#:=][^:=#]*)::?(?!=)([^#]*)/;
/** Variables refer to variables; a chain longer than this is a loop. */
const MAX_EXPANSIONS = 8;

export function isMakefile(path: string): boolean {
  return /^(?:GNUmakefile|[Mm]akefile)$|\.mk$/.test(path.slice(path.lastIndexOf('/') + 1));
}

/** The commands that the wanted targets and their prerequisites would run; without a wanted target, those of the first one. */
export function recipesOf(text: string, wanted: readonly string[]): string[] {
  const lines = linesOf(text);
  const rules = lines.flatMap(({ rule }) => (rule === null ? [] : [rule]));
  const first = rules.find(({ targets }) => !targets[0]?.startsWith('.'))?.targets[0];
  const open = wanted.length > 0 ? [...wanted] : [first ?? ''];
  const seen = new Set<string>();
  const recipes: string[] = [];
  for (let name = open.pop(); name !== undefined; name = open.pop()) {
    if (seen.has(name)) continue;
    seen.add(name);
    for (const rule of rules.filter(({ targets }) => targets.includes(name as string))) {
      recipes.push(...rule.recipe.map((line) => expanded(line, lines)));
      open.push(...rule.prerequisites);
    }
  }
  return recipes;
}

/** Null when the candidate only added objects and targets. */
export function mixMakefile(base: string, candidate: string): string | null {
  const from = linesOf(base);
  const to = linesOf(candidate);
  const known = new Set(
    from.flatMap(({ rule }) => [...(rule?.targets ?? []), ...(rule?.prerequisites ?? [])]),
  );
  const mixed = [
    ...from.map((line) => grown(line, to)),
    ...to.filter((line) => isNewRule(line, known) || isNewVariable(line, base)).map(({ text }) => text),
  ];
  const meaning = (lines: readonly string[]) =>
    lines
      .flatMap((text) => text.split('\n'))
      .map((line) => line.replace(/\s+/g, ' ').trimEnd())
      .filter((line) => line !== '' && !line.startsWith('#'))
      .toSorted()
      .join('\n');
  return meaning(mixed) === meaning(to.map(({ text }) => text)) ? null : `${mixed.join('\n')}\n`;
}

function isNewRule({ rule }: Line, known: ReadonlySet<string>): boolean {
  return rule?.targets.every((name) => /^[\w/-][\w./-]*$/.test(name) && !known.has(name)) === true;
}

/** Variables that make itself reads, or its own rules, or every program that a recipe starts. */
const STEERING =
  /^(?:\.|MAKE|GNUMAKEFLAGS|SHELL|VPATH|PATH|HOME|ENV|BASH_ENV|CC|CXX|CPP|LD|AR|AS|FC|RM|LEX|YACC)|FLAGS$|PATH$|OPTIONS$|OPTS$/;

/** A variable that only new targets can use: the base does not name it, and make runs nothing when it reads it. */
function isNewVariable({ text, variable }: Line, base: string): boolean {
  if (variable === null || STEERING.test(variable.name) || /\$|!=|^(?:export|override)\b/.test(text))
    return false;
  return !new RegExp(`\\b${variable.name.replaceAll('.', '\\.')}\\b`).test(base);
}

function grown(line: Line, to: readonly Line[]): string {
  const { variable, rule } = line;
  if (variable !== null) {
    const same = to.filter((other) => other.variable?.name === variable.name);
    const other = same[0]?.variable ?? null;
    const fits = same.length === 1 && other !== null && other.head === variable.head;
    return fits && onlyMoreFiles(variable.words, other.words) ? (same[0] as Line).text : line.text;
  }
  if (rule !== null) {
    const other = to.find(({ rule: one }) => one?.targets.join(' ') === rule.targets.join(' '))?.rule;
    if (other !== undefined && other !== null && onlyMoreFiles(rule.prerequisites, other.prerequisites))
      return [`${rule.targets.join(' ')}: ${other.prerequisites.join(' ')}`, ...rule.recipe].join('\n');
  }
  return line.text;
}

/** All words are still there in their order, the first is still the first, and each new word is a file of a kind that was there before. */
function onlyMoreFiles(before: readonly string[], after: readonly string[]): boolean {
  if (before[0] !== after[0]) return false;
  const kinds = new Set(before.map(kindOf));
  let at = 0;
  for (const word of after) {
    if (word === before[at]) at += 1;
    else if (kindOf(word) === '' || !kinds.has(kindOf(word))) return false;
  }
  return at === before.length;
}

function kindOf(word: string): string {
  return /^[\w/-][\w./-]*(\.\w+)$/.exec(word)?.[1] ?? '';
}

function linesOf(text: string): Line[] {
  const lines: Line[] = [];
  let recipe: string[] | null = null;
  let head: string[] = [];
  const joinedText = text.replaceAll(/\\\n[ \t]*/g, ' ');
  const endRule = () => {
    if (recipe === null) return;
    const found = RULE.exec(head[0] as string) as RegExpExecArray;
    const [inline = '', ...more] = (found[2] as string).split(';');
    const rule: Rule = {
      targets: wordsOf(found[1] as string),
      prerequisites: wordsOf(inline).filter((word) => word !== '|'),
      recipe: [...more.map((part) => `\t${part.trim()}`), ...recipe],
    };
    lines.push({ text: [...head, ...recipe].join('\n'), variable: null, rule });
    recipe = null;
  };
  for (const line of joinedText.split('\n')) {
    if (recipe !== null && (line.startsWith('\t') || line.trim() === '')) {
      if (line.trim() !== '') recipe.push(line);
      continue;
    }
    endRule();
    const variable = VARIABLE.exec(line);
    if (variable === null && RULE.test(line)) {
      head = [line];
      recipe = [];
    } else if (line.trim() !== '')
      lines.push({
        text: line,
        variable:
          variable === null
            ? null
            : {
                head: variable[1] as string,
                name: variable[2] as string,
                words: wordsOf(variable[3] as string),
              },
        rule: null,
      });
  }
  endRule();
  return lines;
}

function expanded(recipe: string, lines: readonly Line[]): string {
  let text = recipe.trim().replace(/^[@+-]+/, '');
  for (let round = 0; round < MAX_EXPANSIONS && /\$[({]/.test(text); round += 1) {
    text = text.replaceAll(/\$[({]([\w.-]+)[)}]/g, (whole, name: string) => {
      const found = lines.findLast(({ variable }) => variable?.name === name);
      return found?.variable?.words.join(' ') ?? (name === 'MAKE' ? 'make' : whole);
    });
  }
  return text;
}

function wordsOf(text: string): string[] {
  return text
    .replace(/(?:^|\s)#.*/, '')
    .split(/\s+/)
    .filter((word) => word !== '');
}
