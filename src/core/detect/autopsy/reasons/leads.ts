/**
 * `leadsOf`: what the record shows of a failure that nothing explains, and that no call followed up, the most telling first: a way that its
 * output names and nobody took, what only its first output says, what came between the last good result and the first bad one, a value
 * that is nearly one of a file, files that were named and never opened, and the line that shares most with it.
 */
import { distance } from '../../../text/distance.ts';
import { commandOf, isShellCall } from '../../call-kind.ts';
import { callText, quote } from '../../detector.ts';
import { editOf } from '../../edit-target.ts';
import { isBanner, namesError } from '../../error-line.ts';
import { changes } from '../../staleness.ts';
import { passes, type RecordedTurn } from '../recorded-turn.ts';
import { editsFile } from '../repeated-turns.ts';
import { programsOf } from '../programs-of.ts';
import { greenBy, turnsGood } from '../same-result-stretch.ts';
import { editedPath, editedPaths, isSamePath } from '../side-effects.ts';
import { factsShown } from './facts-shown.ts';
import type { FailureRecord } from './find-reason.ts';
import { fileShown, placeShown, shownLines } from './record-facts.ts';
import { unusedClues } from './unused-clue.ts';

export interface Lead {
  /** What the record shows. */
  readonly told: string;
  /** What to do with it. */
  readonly look: string;
}

/** A story names as many; more are a list that nobody reads. */
const LEADS = 2;
/** What was shown before them is another part of a long record. */
const LATEST = 400;

export function leadsOf(record: FailureRecord): readonly Lead[] {
  const found = [
    ...turnedGood(record),
    ...advisedNotRun(record),
    ...onlySaidFirst(record),
    ...nothingDone(record),
    ...otherRefusal(record),
    ...nearValue(record),
    ...sinceGood(record),
    ...neverOpened(record),
  ];
  const all = found.length >= 2 ? found : [...found, ...clues(record)];
  return (all.length === 0 ? cutAlways(record) : all).slice(0, LEADS);
}

/** The last result is good, and that proves nothing. */
function turnedGood(record: FailureRecord): readonly Lead[] {
  const by = greenBy(record.turns, record.failure.turns);
  if (by === null || !turnsGood(record.turns, record.failure.turns)) return [];
  if ('flaky' in by)
    return [
      {
        told: `it was good before call ${callOf(record, by.flaky)} and bad in it, with nothing changed in between: one run proves nothing`,
        look: 'Run it many times as it is: it turns by chance (what runs at the same time, the order, the time), so look for what is shared',
      },
    ];
  return [
    {
      told: `it turned good only after the test itself was changed (${by.path})`,
      look: `Take back the change of ${by.path} that made it good, and mend what it tests`,
    },
  ];
}

function clues(record: FailureRecord): readonly Lead[] {
  const lines = unusedClues(record)
    .slice(0, 1)
    .map((clue) => ({ where: `${placeShown(clue)} (call ${callOf(record, clue.turn)})`, line: clue.line }));
  const shown = lines.length > 0 ? lines : factsShown(record, record.failure.turn.errorLine).slice(0, 2);
  return shown.map(({ where, line }) => ({
    told: `${where}: \`${quote(line)}\``,
    look: `Look at ${where}: \`${quote(line)}\``,
  }));
}

function callOf({ turns }: FailureRecord, turn: RecordedTurn): number {
  return turns.indexOf(turn) + 1;
}

/** A command line in marks, in brackets or after a colon at the end of a line. */
const COMMAND =
  /(?:`|\(|: |\brun:? |\buse )((?:\.{0,2}\/)?[a-z][\w./-]{1,30} [\w./@-]+(?:[ =][\w./@=:-]+){0,5})(?=`|\)|\.{3}|\.?$)/g;

/** The failing outputs name a command line, its program is one that this run uses, and no call ran it. */
function advisedNotRun(record: FailureRecord): readonly Lead[] {
  const { turns, failure } = record;
  const failing = turns.filter(({ failed, step }) => failed && step >= failure.first.step);
  const run = turns
    .filter(({ tool, input }) => isShellCall(tool, input))
    .map(({ given }) => commandOf(given));
  // What stands in the text of a script is no command line.
  const parts = run.flatMap((line) => (/^[^\n]*/.exec(line)?.[0] ?? '').split(/&&|[;|]/));
  const programs = new Set(parts.map((part) => part.trim().split(/\s+/)[0]));
  const named = failing.flatMap(({ output }) => {
    const lines = output.split('\n').filter((line) => line.length < 300);
    const found = lines.flatMap((line) =>
      [...line.trim().matchAll(COMMAND)].map(([, command = '']) => ({ command, line })),
    );
    return [...new Map(found.map((each) => [firstWords(each.command), each])).values()];
  });
  const groups = [...Map.groupBy(named, ({ command }) => firstWords(command))].filter(
    ([words, same]) =>
      same.length * 2 >= failing.length &&
      same.length > 1 &&
      programs.has(words.split(' ')[0]) &&
      !run.some((line) => line.includes(words)),
  );
  return groups
    .toSorted(([, a], [, b]) => b.length - a.length)
    .slice(0, 1)
    .map(([words, same]) => ({
      told: `${same.length} outputs say \`${quote(same[0]?.line ?? '')}\`, and no call ran \`${words}\``,
      look: `Do what the output says: \`${same[0]?.command}\`, which no call ran`,
    }));
}

function firstWords(command: string): string {
  return command.split(' ').slice(0, 2).join(' ');
}

/** The first failing output names an error that the later ones no longer show: those may be its aftermath. */
function onlySaidFirst(record: FailureRecord): readonly Lead[] {
  const { turns, failure } = record;
  const { turns: members } = failure;
  const programs = new Set(members.flatMap(programsOf));
  const before = turns.filter(
    (turn) => turn.step < failure.first.step && programsOf(turn).some((each) => programs.has(each)),
  );
  const [first = failure.first] = before.slice(before.findLastIndex(({ failed }) => !failed) + 1);
  const others = members.filter((turn) => turn !== first);
  const lines = first.output.split('\n').map((line) => line.trim());
  const own = lines.filter(
    (line) =>
      line.length < 240 &&
      namesError(line) &&
      !isBanner(line) &&
      /:\s*\S/.test(line) &&
      others.filter(({ output }) => output.includes(line)).length * 4 <= others.length,
  );
  const told = own.findLast((line) => /^(?:\W{0,4}caused by|\[cause\])/i.test(line)) ?? own[0];
  if (told === undefined || others.length < 3 || own.length > MANY) return [];
  return [
    {
      told: `only the first failing output (call ${callOf(record, first)}) says \`${quote(told)}\``,
      look: `Begin with what the first failure says (call ${callOf(record, first)}): \`${quote(told)}\``,
    },
  ];
}

/** An output that differs in so many errors is another failure; so many edits tell nothing. */
const MANY = 5;

const NOTHING_DONE =
  /\b(?:nothing (?:to be done|to (?:do|build|compile|commit)|changed)|(?:is|are|already) up[- ]to[- ]date|no (?:work to do|files? changed)|0 files? (?:changed|compiled|updated))\b/i;

/** Right after an edit a program says that there was nothing to do: it did not take the edit. */
function nothingDone(record: FailureRecord): readonly Lead[] {
  const { turns, failure } = record;
  const acts = turns.filter(
    ({ kind, step }) => kind !== 'read' && kind !== 'search' && step <= failure.last.step,
  );
  for (const [at, turn] of acts.entries()) {
    const before = acts[at - 1];
    const line = isShellCall(turn.tool, turn.input)
      ? turn.output.split('\n').find((each) => NOTHING_DONE.test(each))
      : undefined;
    if (line === undefined || before === undefined || !changes(before) || before.edit === null) continue;
    return [
      {
        told: `right after the edit of ${before.edit.path}, \`${callText(turn)}\` (call ${callOf(record, turn)}) said \`${quote(line)}\``,
        look: `Make it anew from nothing (a clean build), so that the edit of ${before.edit.path} counts, and see why it was not taken`,
      },
    ];
  }
  return [];
}

/** Another call was refused, its answer names a file that the run edited, and nothing came of it. */
function otherRefusal(record: FailureRecord): readonly Lead[] {
  const { turns, failure } = record;
  const names = editedPaths(turns.filter(changes)).map(nameOf);
  const own = new Set(failure.turns.map(({ error }) => error));
  const refused = turns.findLast(
    (turn) =>
      turn.failed &&
      turn.step > failure.first.step &&
      !failure.turns.includes(turn) &&
      !own.has(turn.error) &&
      !editsFile(turn) &&
      programsOf(turn).length === 0 &&
      names.some((name) => turn.output.includes(name)),
  );
  if (refused === undefined) return [];
  const where = `\`${callText(refused)}\` (call ${callOf(record, refused)})`;
  return [
    {
      told: `${where} was refused: \`${quote(refused.output.trim().split('\n').slice(0, 3).join(' '))}\``,
      look: `Find out why ${where} was refused, before anything else`,
    },
  ];
}

/** The last good run of the same program before the first bad one, and what was changed in between. */
function sinceGood(record: FailureRecord): readonly Lead[] {
  const { turns, failure } = record;
  const { first } = failure;
  const programs = new Set(failure.turns.flatMap(programsOf));
  const good = turns.findLast(
    (turn) =>
      turn.step < first.callStep &&
      passes(turn) &&
      !failure.turns.includes(turn) &&
      programsOf(turn).some((each) => programs.has(each)),
  );
  if (good === undefined) return [];
  const between = turns.filter(
    (turn) => changes(turn) && turn.step > good.step && turn.step < first.callStep,
  );
  const named = between.flatMap((turn) => {
    const path = editedPath(turn);
    return path === null ? [] : [{ path, added: addedLine(turn) }];
  });
  if (named.length === 0 || named.length > MANY) return [];
  const told = named
    .map(({ path, added }) => `${path}${added === '' ? '' : ` (\`${quote(added)}\`)`}`)
    .join(', ');
  return [
    {
      told: `it was good in call ${callOf(record, good)} and is bad since call ${callOf(record, first)}; in between ${told} was edited`,
      look: `Look at what that change brought in: ${told}`,
    },
  ];
}

/** The first line that an edit put there and that was not there before. */
function addedLine({ given }: RecordedTurn): string {
  const { from, to } = editOf(given) ?? {};
  const lines = (to ?? '')
    .replaceAll('\\"', '"')
    .split('\\n')
    .map((line) => line.trim());
  return lines.find((line) => line.length > 3 && !(from ?? '').replaceAll('\\"', '"').includes(line)) ?? '';
}

const LONG_VALUE = /(?<![\w.])[\w-]*\d[\w-]{6,}(?![\w.])/g;

/** The failing output has a long value that stands in no file that was shown, and a file has nearly the same. */
function nearValue(record: FailureRecord): readonly Lead[] {
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

const ENDING =
  'md|txt|rst|json|ya?ml|toml|ini|cfg|conf|env|xml|properties|csv|sql|sh|py|rb|go|rs|java|kt|cs|php|swift|scala|exs?|c|cc|cpp|h|hpp|[cm]?[jt]sx?';
/** A file by its name; a word with a dot in it is none. */
const PATH = new RegExp(
  `(?<![\\w@:/.-])(?:[\\w@.-]+/)*[\\w@-][\\w@.-]*\\.(?:${ENDING})(?![\\w/(]|\\.\\w)`,
  'g',
);
const OUTSIDE = /node_modules|site-packages|^\/usr|__init__\.py$|-lock\.json$/;
const STEM = /[a-z]{4,}|\d{3,}/gi;

/** Files that the outputs name, that have a word in common with what was edited or with the failure, and that no call opened. */
function neverOpened(record: FailureRecord): readonly Lead[] {
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

function nameOf(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}

function wordsOf(text: string): ReadonlySet<string> {
  return new Set((text.match(STEM) ?? []).map((word) => word.toLowerCase()));
}

function shares(name: string, wanted: ReadonlySet<string>): boolean {
  return [...wordsOf(name.replace(/\.\w+$/, ''))].some((word) => wanted.has(word));
}

const CUTS = /\|\s*(?:tail|head|grep|cut|sed -n)\b[^|;&]*/;

/** Each failing output was cut by the call itself. */
function cutAlways(record: FailureRecord): readonly Lead[] {
  const { turns: members } = record.failure;
  const cuts = members.map(({ given }) => CUTS.exec(commandOf(given))?.[0].trim());
  const [cut] = cuts.filter((each) => each !== undefined);
  if (
    cut === undefined ||
    editsFile(record.failure.turn) ||
    cuts.filter(Boolean).length < members.length * 0.8
  )
    return [];
  return [
    {
      told: `nearly each of these outputs was cut by the call itself (\`${quote(cut)}\`), so its beginning was not seen`,
      look: `Run \`${commandOf(record.failure.last.given)
        .split(/&&|;|\n/)
        .at(-1)
        ?.replace(/\s*(?:2>&1\s*)?\|.*$/s, '')
        .trim()}\` once without \`${quote(cut)}\`, and read it from its first error on`,
    },
  ];
}
