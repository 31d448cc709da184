/**
 * `namesPath`, `namingStrength`, `namesFolder`, `searchesFolder`: whether a text names a file of the tree, in the spellings that shells and
 * languages share: its name with or without the folders before it, without its ending, as a module (`a.b.c`), with an id (`path::id`),
 * behind an option (`--x=path`, `-fpath`).
 */
import { nameOf } from './verification-files.ts';

/** A shorter name without its ending is a word like any other. */
const MIN_STEM = 3;

export function namesPath(text: string, path: string): boolean {
  const { name, stem, parent } = namesOf(path);
  if (!text.includes(stem)) return false;
  const plain = [name, ...(stem.length < MIN_STEM ? [] : [stem])].map(escaped);
  const module = parent === '' ? '' : `|(?<![\\w-])${escaped(parent)}\\.${escaped(stem)}(?![\\w-])`;
  return new RegExp(`(?<![\\w.-])(?:-\\w{1,3})?(?:${plain.join('|')})(?![\\w-]|\\.\\w)${module}`).test(text);
}

/**
 * 0: the text does not name the file. 1: by a bare word, which may mean anything. 2: in a path, as a module, with its ending, or in an
 * import of its folder.
 */
export function namingStrength(text: string, path: string): 0 | 1 | 2 {
  const { name, stem, parent } = namesOf(path);
  const [word, folder] = [`${escaped(stem)}(?![\\w-])`, `(?<![\\w-])${escaped(parent)}`];
  const spelled = [
    ...(name === stem ? [] : [`(?<![\\w.-])(?:-\\w{1,3})?${escaped(name)}(?![\\w-]|\\.\\w)`]),
    `(?:/|(?<![\\w)\\]}"'])\\.)${word}`,
    ...(parent === ''
      ? []
      : [`${folder}\\.${word}`, `${folder}(?![\\w-]).*\\bimport\\b.*(?<![\\w-])${word}`]),
  ];
  if (text.includes(stem) && new RegExp(spelled.join('|')).test(text)) return 2;
  return namesPath(text, path) ? 1 : 0;
}

/** A word that stands for nothing else: it has more than one part. */
export function namesForSure(text: string, path: string): boolean {
  const strength = namingStrength(text, path);
  return strength === 2 || (strength === 1 && /[a-z](?:[._-]|(?=[A-Z]))[a-zA-Z]/.test(stemOf(path)));
}

/** What stands for its folder is asked for by the name of the folder. */
const OF_FOLDER = /^(?:__init__|index|mod|init|default)$/;

function namesOf(path: string): { readonly name: string; readonly stem: string; readonly parent: string } {
  const name = nameOf(path);
  const folder = path.slice(0, Math.max(0, path.length - name.length - 1));
  if (folder !== '' && OF_FOLDER.test(stemOf(path))) return namesOf(folder);
  return { name, stem: stemOf(path), parent: nameOf(folder) };
}

/** The text names a folder of the file without a file in it: it reads what is there. */
export function searchesFolder(text: string, path: string): boolean {
  return path
    .split('/')
    .slice(0, -1)
    .some((folder) => {
      const plain = escaped(folder);
      const spelled = `${plain}/(?![\\w.-])|(?<=["'\`/])${plain}(?=["'\`])`;
      return text.includes(folder) && new RegExp(`(?<![\\w.-])(?:${spelled})`).test(text);
    });
}

/** A folder that the file lies in. `asWord`: by a plain word of a command line, otherwise as a path or a quoted name. */
export function namesFolder(text: string, path: string, asWord = false): boolean {
  return path
    .split('/')
    .slice(0, -1)
    .some((folder) => {
      const plain = escaped(folder);
      const spelled = asWord ? `${plain}(?=[/\\s"']|$)` : `${plain}/|(?<=["'\`/])${plain}(?=["'\`])`;
      return text.includes(folder) && new RegExp(`(?<![\\w.-])(?:${spelled})`).test(text);
    });
}

/** The whole path, not only its end. */
export function spellsPath(text: string, path: string): boolean {
  return new RegExp(`(?<![\\w.-])(?:-\\w{1,3}|\\./)?${escaped(path)}(?![\\w-]|\\.\\w)`).test(text);
}

/** The name without its ending; a hidden file has none. */
export function stemOf(path: string): string {
  return nameOf(path).replace(/(?<=.)\.[^.]*$/, '');
}

export function endingOf(path: string): string {
  return nameOf(path).slice(stemOf(path).length);
}

/** `calc` of `calc.test.js`, `test_calc.py`, `CalcTest.java`: what the test is about. */
export function subjectOf(test: string): string {
  const stem = stemOf(test).replace(/^tests?[._-]|[._-](?:tests?|specs?|e2e|cy)$/gi, '');
  return stem.replace(/(?:Tests?|Spec)$/, '').toLowerCase();
}

function escaped(text: string): string {
  return text.replaceAll(/[.*+?^${}()|[\]\\/]/g, String.raw`\$&`);
}
