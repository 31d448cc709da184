/**
 * `neverOpened`, `nearValue`, `nameOf`: what the record shows of files that a failure may come from: one that was named and never opened,
 * one that has nearly the value that the failure has; the name of a file.
 */
import { distance } from '../../../text/distance.ts';
import { quote } from '../../detector.ts';
import { changes } from '../../staleness.ts';
import { editedPaths, isSamePath } from '../side-effects.ts';
import type { FailureRecord } from './find-reason.ts';
import { callOf, LATEST, type Lead } from './lead.ts';
import { fileShown, placeShown, shownLines } from './record-facts.ts';

const LONG_VALUE = /(?<![\w.])[\w-]*\d[\w-]{6,}(?![\w.])/g;

/** The failing output has a long value that stands in no file that was shown, and a file has nearly the same. */
export function nearValue(record: FailureRecord): readonly Lead[] {
  const { failure } = record;
  const values = new Set(failure.turn.output.slice(0, 4_000).match(LONG_VALUE));
  const shown = shownLines({ ...record, turns: record.turns.slice(-LATEST) }).filter(
    ({ turn }) => fileShown(turn) !== null,
  );
  const inFiles = shown.map(({ line }) => line).join('\n');
  for (const value of [...values].filter((each) => !inFiles.includes(each)).slice(0, 20))
    for (const each of shown) {
      const near = each.line
        .match(LONG_VALUE)
        ?.find(
          (other) =>
            other.length === value.length &&
            other.slice(0, 4) === value.slice(0, 4) &&
            distance(other, value) <= 2,
        );
      if (near !== undefined)
        return [
          {
            told: `it has \`${value}\`, which stands in no file that was shown; ${placeShown(each)} has \`${near}\``,
            look: `Find where \`${near}\` (${placeShown(each)}) becomes \`${value}\`: print it right after it is read`,
          },
        ];
    }
  return [];
}

const ENDING = [
  'md|txt|rst|json|ya?ml|toml|ini|cfg|conf|env|xml|properties|csv|sql|sh',
  'py|rb|go|rs|java|kt|cs|php|swift|scala|exs?|c|cc|cpp|h|hpp|[cm]?[jt]sx?',
].join('|');
/** A file by its name; a word with a dot in it is none. */
const PATH = new RegExp(
  `(?<![\\w@:/.-])(?:[\\w@.-]+/)*[\\w@-][\\w@.-]*\\.(?:${ENDING})(?![\\w/(]|\\.\\w)`,
  'g',
);
const OUTSIDE = /node_modules|site-packages|^\/usr|__init__\.py$|-lock\.json$/;
const STEM = /[a-z]{4,}|\d{3,}/gi;

/** Files that the outputs name, that have a word in common with what was edited or with the failure, and that no call opened. */
export function neverOpened(record: FailureRecord): readonly Lead[] {
  const { failure } = record;
  const turns = record.turns.slice(-LATEST);
  const edited = editedPaths(turns.filter(changes));
  const inputs = turns.filter((turn) => !failure.turns.includes(turn)).map(({ given }) => given);
  const wanted = wordsOf([...edited.map(nameOf), failure.turn.errorLine].join(' '));
  const told = turns
    .filter(
      ({ step, kind, failed }) =>
        step < failure.last.step && (kind === 'read' || kind === 'search' || (failed && kind !== 'edit')),
    )
    .flatMap((turn) =>
      turn.output
        .slice(0, 20_000)
        .split('\n')
        .flatMap((line) => (line.match(PATH) ?? []).map((path) => ({ turn, line: line.trim(), path }))),
    )
    .filter(
      ({ path, line }) =>
        !OUTSIDE.test(path) && !/^\++ /.test(line) && !inputs.some((given) => given.includes(nameOf(path))),
    );
  const asked = told.filter(
    ({ path, line }) =>
      line !== path && /\s/.test(line) && shares(nameOf(path), wanted) && !line.includes('|'),
  );
  const [named] = asked;
  if (named !== undefined && !edited.some((path) => isSamePath(path, named.path)))
    return [
      {
        told: `\`${quote(named.line)}\` (call ${callOf(record, named.turn)}) names ${named.path}, and no call opened it`,
        look: `Read ${named.path}, which call ${callOf(record, named.turn)} named and no call opened`,
      },
    ];
  return siblings(
    record,
    told.map(({ path }) => path),
  );
}

/** All files of a folder but one were opened. */
function siblings({ turns: all }: FailureRecord, unopened: readonly string[]): readonly Lead[] {
  const turns = all.slice(-LATEST);
  const opened = turns
    .filter(({ failed }) => !failed)
    .map(({ given }) => given)
    .join('\n');
  const listed = [...new Set(turns.flatMap(({ output }) => output.slice(0, 20_000).match(PATH) ?? []))];
  for (const path of new Set(unopened.filter((each) => each.includes('/')))) {
    const [folder, ending] = [path.slice(0, path.lastIndexOf('/') + 1), path.slice(path.lastIndexOf('.'))];
    const others = listed.filter(
      (each) =>
        each !== path &&
        each.startsWith(folder) &&
        each.endsWith(ending) &&
        !each.slice(folder.length).includes('/'),
    );
    const left = others.filter((each) => !opened.includes(nameOf(each)));
    if (others.length >= 2 && left.length === 0)
      return [
        {
          told: `of ${folder} all ${ending} files were opened but ${path}`,
          look: `Read ${path} as a whole, which no call opened`,
        },
      ];
  }
  return [];
}

export function nameOf(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}

function wordsOf(text: string): ReadonlySet<string> {
  return new Set((text.match(STEM) ?? []).map((word) => word.toLowerCase()));
}

function shares(name: string, wanted: ReadonlySet<string>): boolean {
  return [...wordsOf(name.replace(/\.\w+$/, ''))].some((word) => wanted.has(word));
}
