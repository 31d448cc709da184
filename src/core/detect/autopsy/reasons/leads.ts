/**
 * `leadsOf`: what the record shows of a failure that nothing explains, and that no call followed up, the most telling first: a way that
 * its output names and no call took, what only its first output says, what came between the last good result and the first bad one, a
 * value that is nearly one of a file, files that were named and never opened, and the line that shares most with it.
 */
import { oneOf } from '../../../text/one-of.ts';
import { commandOf, isShellCall } from '../../call-kind.ts';
import { callText, quote } from '../../detector.ts';
import { editOf } from '../../edit-target.ts';
import { isBanner, namesError } from '../../error-line.ts';
import { changes } from '../../staleness.ts';
import { passes, type RecordedTurn } from '../recorded-turn.ts';
import { editsFile } from '../repeated-turns.ts';
import { programsOf } from '../programs-of.ts';
import { greenBy, turnsGood } from '../same-result-stretch.ts';
import { editedPath, editedPaths } from '../side-effects.ts';
import { factsShown } from './facts-shown.ts';
import type { FailureRecord } from './find-reason.ts';
import { placeShown } from './record-facts.ts';
import { keptOpen } from './kept-open.ts';
import { callOf, type Lead } from './lead.ts';
import { nameOf, nearValue, neverOpened } from './leads-to-files.ts';
import { unusedClues } from './unused-clue.ts';

/** A story names as many; a longer list is not read. */
const LEADS = 2;

export function leadsOf(record: FailureRecord): readonly Lead[] {
  const found = [
    ...turnedGood(record),
    ...keptOpen(record),
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
        told: `it was good before call ${callOf(record, by.flaky)} and bad in it, with nothing changed in between`,
        look: 'Run it many times as it is: it turns by chance (the order, the time, what runs beside it); look for what is shared',
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

const NOTHING_DONE = oneOf(
  /\b(?:nothing (?:to be done|to (?:do|build|compile|commit)|changed)|(?:is|are|already) up[- ]to[- ]date)\b/i,
  /\b(?:no (?:work to do|files? changed)|0 files? (?:changed|compiled|updated))\b/i,
);

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
