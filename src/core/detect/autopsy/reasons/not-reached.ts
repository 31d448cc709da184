/**
 * `cachedResult`, `notInBuild`, `oldValueElsewhere`, `fakedInTest`, `toldBeside`: why edits do not reach a failure: its result comes from
 * a cache, the build does not take a new file, another file still has the old value, a test fakes what the code does not use; or the
 * output says it beside the line that only tells that it failed.
 */
import { groupIn } from '../../../text/group-in.ts';
import { oneOf } from '../../../text/one-of.ts';
import { commandOf } from '../../call-kind.ts';
import { callText, quote } from '../../detector.ts';
import { changes } from '../../detectors/staleness.ts';
import { editOf } from '../../edit-target.ts';
import { editedPath, isSamePath } from '../side-effects.ts';
import type { RecordedTurn } from '../recorded-turn.ts';
import { editsFile, editsWithin, mostFrequent } from '../repeated-turns.ts';
import type { FindReason, Reason } from './find-reason.ts';
import { TEST_FILE } from './switched-off.ts';
import { waysTried } from './ways-out.ts';

const FROM_CACHE = oneOf(
  /^.*(?:\bcache hit\b|\breplaying (?:logs|output)|\bFROM-CACHE\b|\b(?:local|remote) cache\b|\(cached\)).*$/im,
  /^.*\boutputs? match(?:es)? the cache\b.*$|^#\d+ CACHED$|^ ?---> Using cache$/,
  /^.*\b(?:read|taken|loaded|restored) from (?:the )?cache\b.*$/,
);
const PASSES = /^\s*ok\b|✓|✔|\bpass/i;
const RAN_AGAIN = /\bcache miss\b/i;

// biome-ignore format: a table
const PAST_CACHE: readonly (readonly [RegExp, string])[] = [
  [/\bturbo\b/, '`--force`'], [/\bnx\b/, '`--skip-nx-cache`'], [/\bgradle/, '`--rerun-tasks --no-build-cache`'],
  [/\bbazel\b/, '`--nocache_test_results`'], [/\bdocker\b/, '`--no-cache`'], [/\bgo (?:test|build)\b/, '`-count=1`'],
];

/** What failed is shown again from a cache, although files were edited: the check did not run. */
export const cachedResult: FindReason = ({ turns, failure: { turns: members } }) => {
  const edit = turns.find((turn) => changes(turn) && turn.edit !== null);
  const later = members.filter(({ step }) => step > (edit?.step ?? Infinity));
  const cached = later.flatMap((turn) => {
    const lines = turn.output.split('\n').filter((line) => FROM_CACHE.test(line) && !PASSES.test(line));
    return lines.length > 0 && !RAN_AGAIN.test(turn.output) ? [{ turn, line: lines.at(-1) as string }] : [];
  });
  const last = cached.at(-1);
  if (last === undefined || cached.length < 2 || cached.length * 2 < later.length) return null;
  const command = commandOf(last.turn.input);
  if (/\bdocker\b/.test(command)) return unseenByBuild(last.turn, cached.length);
  const flag = PAST_CACHE.find(([program]) => program.test(command))?.[1] ?? '`--force`, `--no-cache`';
  return [
    `the result comes from a cache (${cached.length} calls), so no edit since was tried: ${quote(last.line)} (\`${callText(last.turn)}\`)`,
    `Run it past the cache (${flag}), and read that result. Then let the cache know the edited files (its inputs), so that an edit counts.`,
  ];
};

/** The copy of a file that changed is never taken from the cache. */
function unseenByBuild(turn: RecordedTurn, count: number): Reason {
  return [
    `the copy into the image stays CACHED after the edits (${count} builds): it does not see the edited file (\`${callText(turn)}\`)`,
    'Look whether `.dockerignore` leaves the file out, and whether the build takes this folder; then see that the copy is made anew.',
  ];
}

const UNKNOWN_SYMBOL = oneOf(
  /\bundefined reference to [`'"]?(?:[\w<>]+::)*(~?\w+)|\bcannot find ['"`](\w+)['"`] in scope/i,
  /\bunresolved external symbol \W?(?:\w+::)*(\w+)/,
  /\bundefined symbols?[:\s][\s\S]{0,60}?["`'](?:\w+::)*_?(\w+)|\bunresolved reference:? ['"`]?(\w+)|\bundefined: (\w+)\b(?!\.)/,
  /\bcannot find symbol\b[\s\S]{0,200}?symbol: +\w+ (\w+)|\btype or namespace name '(\w+)'/,
);

/** What the build does not know is in a file that this run made. */
export const notInBuild: FindReason = ({ turns, failure: { turn, turns: members } }) => {
  const symbol = groupIn(UNKNOWN_SYMBOL, turn.output);
  const first = members[0] as RecordedTurn;
  if (symbol === undefined || editsFile(turn)) return null;
  const word = new RegExp(`\\b${symbol.replace('~', '')}\\b`);
  const made = turns.find(
    (each) => changes(each) && each.edit?.from === 0 && each.step < first.step && word.test(each.given),
  );
  const path = made?.edit?.path;
  if (
    made === undefined ||
    path === undefined ||
    turn.errorLine.includes(path.slice(path.lastIndexOf('/') + 1))
  )
    return null;
  const command = commandOf(turn.input);
  const how = /\bcmake\b/.test(command)
    ? 'Configure again (`cmake -S . -B build`): a list by pattern is read only then; if the list is written out, add the file to it'
    : /\bxcodebuild\b/.test(command)
      ? 'Add the file to the target in `project.pbxproj` (the project file has to name it)'
      : 'Add it to the list of sources of the build (the project file, the `mod` or `package` line), or configure the build again';
  return [
    `${symbol} is in ${path}, which call ${turns.indexOf(made) + 1} made, but the build does not take that file: ${quote(turn.errorLine)}`,
    `${how}. The text of ${path} is not the trouble: take back what was changed in it for this.`,
  ];
};

const VALUE = /[\w.@:/+-]{3,80}/g;
const NAMES_VALUE = /\d|\w[@./:-]\w/;
const HIT = /^((?:[\w.@+-]*\/)*[\w.@+-]+\.\w{1,6}):(\d+):(.*)$/gm;
const MADE = /(?:^|\/)(?:\.?cache|dist|build|out|target|generated|vendor|node_modules|tmp)\//;

/** The output still has a value that an edit took away, and a search showed it in another file. */
export const oldValueElsewhere: FindReason = ({ turns, failure: { turn, turns: members } }) => {
  const last = members.at(-1) as RecordedTurn;
  const edits = editsWithin(turns, 0, last.callStep).filter(({ edit }) => edit !== null);
  const gone = edits.flatMap(({ given }) => {
    const { from, to } = editOf(given) ?? {};
    const values = from?.match(VALUE) ?? [];
    return values.filter((value) => NAMES_VALUE.test(value) && !(to ?? '').includes(value));
  });
  const old = gone.find((value) => last.output.includes(value));
  if (old === undefined || editsFile(turn)) return null;
  for (const look of turns)
    for (const [, path = '', row, text = ''] of look.kind === 'search' ? look.output.matchAll(HIT) : []) {
      if (!text.includes(old) || edits.some((each) => isSamePath(editedPath(each) ?? '', path))) continue;
      const anew = MADE.test(path)
        ? `${path} is made from other files: make it anew (clear that cache, build it again)`
        : `Change ${path}, line ${row}`;
      return [
        [
          `\`${callText(turn)}\` still shows ${old}, which was edited away in ${edits[0]?.edit?.path}: what counts is ${path},`,
          `line ${row} (${quote(text)}); \`${callText(look)}\` showed it, and nothing changed it`,
        ].join(' '),
        `${anew}, then run \`${callText(turn)}\` once; take back the edits that were made in vain.`,
      ];
    }
  return null;
};

const FAKES =
  /\b(?:mock\w*|patch|stub\w*|spy\w*|fake\w*|useFakeTimers|advanceTimers\w*|monkeypatch|to receive|when)\b/i;
const PATCHED = /\bpatch(?:\.object)?\(\s*\\?["']([\w.]+)\.(\w+)\\?["']/;
const READ_PATH = /"(?:file_path|path|filePath)" *: *"([^"]{1,300})"/;
const SOURCE = /\.(?:py|[cm]?[jt]sx?|rb|go|java|kt|rs|cs|php|swift|scala|ex)$/;
const TEST_EDITS = 3;

/** All edits are in the test, and what it fakes is not what the code uses. */
export const fakedInTest: FindReason = ({ turns, failure: { turn, turns: members, count } }) => {
  const [first, last] = [members[0] as RecordedTurn, members.at(-1) as RecordedTurn];
  const edits = editsWithin(turns, first.step, last.callStep).filter(({ edit }) => edit !== null);
  const paths = [...new Set(edits.flatMap((each) => editedPath(each) ?? []))];
  const isTest = edits.length >= TEST_EDITS && paths.every((path) => TEST_FILE.test(path));
  const written = turns.filter((each) => changes(each) && TEST_FILE.test(editedPath(each) ?? ''));
  if (!isTest || editsFile(turn) || !written.some(({ given }) => FAKES.test(given))) return null;
  const shown = turns.flatMap((each) => {
    const path = each.kind === 'read' ? (READ_PATH.exec(each.input)?.[1] ?? '') : '';
    return SOURCE.test(path) && !TEST_FILE.test(path) ? [{ path, text: each.output }] : [];
  });
  const tests = `all ${edits.length} edits are in ${paths.join(', ')}, and ${count} runs fail alike (${quote(turn.errorLine)})`;
  const patched = written.map(({ given }) => PATCHED.exec(given)).findLast((found) => found !== null);
  const [, module = '', name = ''] = patched ?? [];
  const byName = new RegExp(`from\\s+${module.replaceAll('.', '\\.')}\\s+import\\b[^\\n]*\\b${name}\\b`);
  const user = module === '' ? undefined : shown.find(({ text }) => byName.test(text));
  if (user !== undefined) {
    const place = mostFrequent(modulesOf(user.path, module))[0] ?? 'MODULE';
    return [
      `the fake is put into ${module}, but ${user.path} imported ${name} by its name, so the real one is called: ${tests}`,
      `Fake it where it is used: \`patch("${place}.${name}")\`. Other forms of the same fake do not help.`,
    ];
  }
  const sources = [...new Set(shown.map(({ path }) => path))].slice(-3).join(', ');
  if (sources === '') return null;
  return [
    `${tests}: what the test fakes is probably not what the code uses, for nothing was changed in what it tests (${sources})`,
    [
      `Look in ${sources} how the code gets what the test fakes (which module it imports), and fake exactly that module, or change`,
      'the code; another form of the same fake or a longer time limit does not help.',
    ].join(' '),
  ];
};

/** The name of a module by its path, from the folder on with which the other module begins. */
function modulesOf(path: string, beside: string): readonly string[] {
  const parts = path.replace(/\.py$/, '').split('/');
  const at = parts.lastIndexOf(beside.split('.')[0] ?? '');
  return at < 0 ? [] : [parts.slice(at).join('.')];
}

const SYMPTOM = oneOf(
  /\btime(?:d[ -]?)?[ -]?out\b|\bexit(?:ed)? (?:code|status|with)|\bcommand failed|\bscript failed|\bgave up\b/i,
  /\b(?:could not be|unable to|failed to|could not|cannot) (?:be )?(?:resolved?|solved?|select|satisf\w+)\b|\bconflict(?:s|ing)?\b/,
);
const HINDERS = oneOf(
  /\b(?:intercepts?|intercepted|covered by|blocked by|held by|locked by|overrid(?:es|den) by|shadowed by|ignored because)\b/i,
  /\bis missing from\b|\brequires .{2,80}(?:->|but|which)|\bconflicts? with\b|\bis not (?:installed|enabled|available)\b/,
  /\bis (?:too (?:old|new)|disabled|expired|full|closed|missing|unreachable|unhealthy|read-only)\b|\b(?:insufficient|expired|evicted)\b/,
  /\b(?:CrashLoopBackOff|ImagePullBackOff|ErrImagePull|OOMKilled|back-off)\b|\bnot (?:allowed|permitted|authorized)\b/,
);

/** What a server answers decides, whatever else is said. */
const REFUSES =
  /\b(?:401|403|407)\b.{0,20}(?:unauthorized|forbidden|authentication)|\bintercepts pointer events\b/i;

/** The line that is taken for the failure only says that it did not end well; another line of the same output says what hinders it. */
export const toldBeside: FindReason = ({ turns, failure: { turn, turns: members, count } }) => {
  const isSymptom = SYMPTOM.test(turn.errorLine);
  if (editsFile(turn)) return null;
  const lines = members.flatMap(({ output }) => [
    ...new Set(
      output
        .split('\n')
        .map((line) => line.trim().replace(/^[-*>\s]+/, ''))
        .filter((line) => (isSymptom ? HINDERS : REFUSES).test(line)),
    ),
  ]);
  const [line, often] = mostFrequent(
    lines.filter((each) => each.length <= 240 && !SYMPTOM.test(each) && !turn.errorLine.includes(each)),
  );
  if (line === null || often * 2 < count) return null;
  const ways = waysTried(
    turns.filter((each) => !members.includes(each)),
    (members[0] as RecordedTurn).step,
  );
  const cause = `\`${callText(turn)}\` failed ${count} times (${quote(turn.errorLine)}); its output says what hinders it: ${quote(line)}`;
  if (ways.length > 0)
    return [
      `${cause}; and the run may not mend that: ${ways.join('; ')}`,
      `A person has to do what that line asks for (${quote(line)}). Take back what was changed instead of it.`,
      'environment',
    ];
  if (!isSymptom && /\b40[137]\b/.test(line))
    return [
      cause,
      `The login for that address is missing or refused: a person gives it (${quote(line)}). Other versions and empty caches do not help.`,
      'auth_failure',
    ];
  return [
    cause,
    `Do away with what that line names (${quote(line)}), then run \`${callText(turn)}\` once. Another time limit or wording does not help.`,
  ];
};
