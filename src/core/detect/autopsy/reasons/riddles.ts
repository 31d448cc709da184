/** `riddle`: errors whose words do not tell what they mean, and that no edit of the code mends. */
import { quote } from '../../detector.ts';
import { editsFile } from '../repeated-turns.ts';
import type { FindReason } from './find-reason.ts';

type Riddle = readonly [says: RegExp, means: string, next: string];

// biome-ignore format: a table
const RIDDLES: readonly Riddle[] = [
  [/\bmissing separator\b/, 'a line of a recipe begins with spaces, and `make` wants a tab',
    'Put a tab at the beginning of each recipe line (`cat -A Makefile` shows `^I`); an editor may turn tabs into spaces, so use `printf`.'],
  [/\$'(?:\\r|\w*\\r)'|\^M\b|\r['"]?: (?:command )?not found/, 'the file has line ends of Windows (CR LF), which do not show',
    'Take them away (`sed -i "s/\\r$//" FILE`), and let git keep them away (`.gitattributes`: `* text eol=lf`).'],
  [/\bcharacter '\\t' that cannot start any token/, 'the YAML file is indented with a tab',
    'Indent with spaces only (`grep -nP "\\t" FILE`).'],
  [/number of file watchers reached|\binotify\b.*\blimit/, 'the limit of watched files is reached; the disk is not full',
    'Watch fewer files, or poll; a person raises `fs.inotify.max_user_watches`.'],
  [/digital envelope routines::unsupported/, 'this Node does not allow the hash that an old bundler uses',
    'Run an older Node or a newer bundler; until then `NODE_OPTIONS=--openssl-legacy-provider`.'],
  [/\bERR_REQUIRE_ESM\b|Cannot use import statement outside a module|require is not defined in ES module scope/,
    'one side is an ES module and the other is CommonJS: the kind of the file decides, not the words in it',
    'Decide for one kind: `"type"` in `package.json`, `.mjs` or `.cjs`, or let the test runner transform that package.'],
  [/attempted relative import with no known parent package/, 'the file is run as a script, so it is in no package',
    'Run it as a module from the root: `python -m PACKAGE.MODULE`.'],
  [/\bexec format error\b/i, 'the program is built for another kind of processor',
    'Build or fetch it for this one (`--platform`, the target).'],
  [/multiple head revisions|multiple leaf nodes|conflicting migrations/i,
    'the history of the migrations has two ends, because two of them follow the same one: no text of one migration mends that',
    'List the ends (`alembic heads`, `showmigrations`), and join them (`alembic merge heads`, `makemigrations --merge`); then upgrade.'],
  [/commands ignored until end of transaction block/, 'an earlier statement of the same transaction failed: this is not the first error',
    'Look for the first error of that transaction in the log, and mend that one.'],
  [/\bInvalid hook call\b/, 'two copies of React are loaded, or a hook is called outside of a component',
    'List the copies (`npm ls react`), and let only one of them be found.'],
  [/\bundefined reference to [`'"]?vtable for/, 'a virtual function of that class has no body',
    'Write the body of each virtual function, or make it `= 0`.'],
  [/\bimport file mismatch\b/, 'two test files have the same name, in folders that are no packages',
    'Rename one, or put an `__init__.py` into each folder.'],
  [/\bdetected dubious ownership\b/, 'the folder belongs to another user',
    'A person sets its owner, or `git config --global --add safe.directory PATH`.'],
  [/\bexternally-managed-environment\b/, 'the Python of the system takes no packages',
    'Make an environment (`python3 -m venv .venv`) and install there.'],
  [/'utf-?8' codec can't decode byte 0xff in position 0|\\ufeff|U\+FEFF/i,
    'the file is not plain UTF-8: it begins with a mark of its encoding',
    'Look at its first bytes (`head -c4 FILE | xxd`), and write it again as UTF-8 without the mark (`iconv`).'],
];

export const riddle: FindReason = ({ failure: { turn, turns: members, count } }) => {
  const known = RIDDLES.find(
    ([says]) => says.test(turn.errorLine) || members.every(({ output }) => says.test(output)),
  );
  if (known === undefined || editsFile(turn)) return null;
  const [, means, next] = known;
  return [`${means}: ${quote(turn.errorLine)}, ${count} times`, next];
};
