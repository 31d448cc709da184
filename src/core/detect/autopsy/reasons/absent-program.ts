/**
 * `absentProgram`, `tellAbsent`: a program that the calls need and that is not on the machine: by which error that shows, where it was
 * looked for, and what was tried to have it. `missingLibrary`: the same for a library of the system.
 */
import { groupIn } from '../../../text/group-in.ts';
import { counted } from '../../../text/counted.ts';
import { oneOf } from '../../../text/one-of.ts';
import { commandOf } from '../../call-kind.ts';
import { callText, quote } from '../../detector.ts';
import { missingTool } from '../../detectors/loops/tool-missing.ts';
import type { RecordedTurn } from '../recorded-turn.ts';
import type { FindReason, Reason } from './find-reason.ts';
import { fileShown, placeShown, shownLine } from './shown-line.ts';
import { waysTried } from './ways-out.ts';

export interface AbsentProgram {
  readonly name: string;
  /** The last call that failed for it. */
  readonly last: RecordedTurn;
  readonly calls: readonly RecordedTurn[];
  /** The looks for it that did not find it. */
  readonly vain: readonly RecordedTurn[];
}

/** The error says that there is no such program. */
const NO_PROGRAM = oneOf(
  /\bno ['"`]([\w.+-]{1,60})['"`] (?:command|executable|binary|program)\b[^.\n]{0,20} found/i,
  /['"`]([\w.+-]{1,60})['"`]:? (?:executable |command )?(?:file )?(?:was )?not found (?:in|on) (?:your |the )?\$?PATH\b/i,
);
/** The error says that a program cannot be started where a setting says it is. */
const NOT_STARTED = /\bcannot (?:execute|run|start)[: ]+['"`]?[\w./+-]*\/s?bin\/([\w.+-]{1,60})/i;
/** `failing`: the calls that fail for it, if they are known; otherwise the last call of a missing program counts. */
export function absentProgram(
  turns: readonly RecordedTurn[],
  failing: readonly RecordedTurn[] | null = null,
): AbsentProgram | null {
  const asked = failing ?? turns.filter((turn) => turn.failed && missingTool(turn) !== null).slice(-1);
  for (const turn of asked) {
    const output = turn.output;
    const told = missingTool(turn) ?? groupIn(NO_PROGRAM, output);
    const name = told ?? groupIn(NOT_STARTED, output);
    if (name === undefined) continue;
    const calls = turns.filter((each) => each.failed && namesProgram(each.output, name));
    const vain = turns.filter((each) => isVainLook(each, name));
    // A setting that is wrong says nothing about what is installed.
    if (told !== undefined || vain.length > 0) return { name, last: turn, calls, vain };
  }
  return null;
}

function namesProgram(text: string, name: string): boolean {
  return text.split(/[\s'"`:/]+/).includes(name);
}

function isVainLook({ kind, failed, barren, input }: RecordedTurn, name: string): boolean {
  return (kind === 'search' || kind === 'read') && (failed || barren) && namesProgram(commandOf(input), name);
}

const SHOWN = 3;

export function tellAbsent(
  turns: readonly RecordedTurn[],
  { name, last, calls, vain }: AbsentProgram,
): Reason {
  const about = vain.filter(({ input }) => namesProgram(commandOf(input), name));
  const looks = [...new Set((about.length > 0 ? about : vain).map((turn) => `\`${callText(turn)}\``))];
  const found = about.length > 0 ? 'did not find it' : 'since then found nothing either';
  const ways = waysTried(turns, calls[0]?.step ?? last.step);
  const places = settingsTried(calls);
  const tried = [
    ...(places.length === 0 ? [] : [`${places.join(', ')} did not help`]),
    ...(vain.length === 0
      ? []
      : [`${counted(about.length || vain.length, 'look')} ${found} (${looks.slice(0, SHOWN).join(', ')})`]),
    ...ways,
  ];
  const rest = tried.length === 0 ? '' : `; ${tried.join('; ')}`;
  const called = namesProgram(commandOf(last.input), name) ? null : calledIn(turns, name);
  const there = called === null ? '' : `; ${called} calls it`;
  const instead =
    called === null ? '' : ` Look first whether ${called} can call what is installed under another name.`;
  const without = 'Do the work without it and say that it was not run, or ask a person to install it.';
  return {
    cause: `${name} is not found (${quote(last.errorLine)})${there}${rest}`,
    startHere:
      ways.length > 0 || about.length > 0
        ? `Do not call ${name} or look for it again. ${without}`
        : `Do not call ${name} again${vain.length > 0 ? ', nor search for something in its place' : ''}. Install it, if that is allowed, ` +
          `or use what is there (the wrapper of the project, CI).${instead} ${without}`,
    failureClass: 'missing_dependency',
  };
}

/** The line of a file, of those that were read, that runs the program; null if none was shown. */
function calledIn(turns: readonly RecordedTurn[], name: string): string | null {
  const runs = new RegExp(`(?:^|[|;&(]\\s*)[@-]?${name.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')}\\s+[\\w./$-]`);
  for (const turn of turns.filter((each) => fileShown(each) !== null))
    for (const [at, shown] of turn.output.split('\n').entries()) {
      const line = shownLine(shown);
      if (runs.test(line)) return `${placeShown(turn, shown, at)} (\`${quote(line)}\`)`;
    }
  return null;
}

const SETTING = /\b([A-Z][A-Z0-9]*_[A-Z0-9_]+=[^\s;&]+)/g;

/** The settings with which the failing calls were made. */
function settingsTried(calls: readonly RecordedTurn[]): readonly string[] {
  return [...new Set(calls.flatMap(({ input }) => commandOf(input).match(SETTING) ?? []))].slice(0, SHOWN);
}

/** The library, as the error names it or as its own advice does, and packages that have it. */
const LIBRARY = oneOf(
  /\bmake sure you (?:also )?have (?:the )?(?:development )?(?:packages?|headers?|library) (?:of |for )?([\w.+-]{2,40}) installed/i,
  /\bNo package '([\w.+-]{2,60})' found|\bPackage '?([\w.+-]{2,60})'?,? (?:was )?not found in the pkg-config search path/i,
  /\bcannot find -l([\w.+-]{2,60})|\bfatal error: '?([\w+-]{2,60})\/[\w./+-]{1,80}\.h'?(?:: no such file| file not found)/i,
);
const FOR_EXAMPLE = /\bfor example,? ([^\n]{3,120}?)(?:\.\s|\.?$)/im;

/** A library of the system, with its headers, is not there: installing it is a matter of the machine. */
export const missingLibrary: FindReason = ({ turns, failure: { turn, turns: members, first } }) => {
  const outputs = members.map((member) => member.output);
  const told = outputs.find((output) => LIBRARY.test(output)) ?? '';
  const name = groupIn(LIBRARY, told);
  if (name === undefined) return null;
  const example = FOR_EXAMPLE.exec(told)?.[1];
  const packages = example === undefined ? '' : ` (${quote(example)})`;
  const tried = waysTried(turns, first.step);
  const line = told.split('\n').find((each) => LIBRARY.test(each)) ?? turn.errorLine;
  return {
    cause: [`the development files of ${name} are not installed (${quote(line)})`, ...tried].join('; '),
    startHere:
      tried.length === 0
        ? `Install them${packages} if that is allowed, or ask a person to. Other versions and settings of the build do not help.`
        : `A person has to install the development files of ${name}${packages}: the run may not. Until then choose what does ` +
          'not need them.',
    failureClass: 'missing_dependency',
  };
};
