/** `tellPolled`: why a state that a run asks for again and again does not change: what it waits for, and what beside it has failed. */
import { oneOf } from '../../text/one-of.ts';
import type { RecordedTurn } from './recorded-turn.ts';
import { askedProgram } from '../check-mark.ts';
import { callText, quote } from '../detector.ts';
import { lineNotYet } from '../result-text.ts';
import type { Reason } from './reasons/find-reason.ts';
import type { Repeated } from './repeated-turns.ts';

/** A row of a list of jobs: its name and that it failed. */
const FAILED_ROW = oneOf(
  /^\W{0,3}([\w.@/-]{2,60})\s+(?:fail(?:ed|ure)?|error(?:ed)?|cancell?ed)\b/i,
  /^[X✗✘×] +([\w.@/-]{2,60})\b/i,
  /^([\w.-]{2,80})\s+\d+\/\d+\s+(?:\w+:)?(?:(?:Image\w*|Crash\w*)BackOff|ErrImagePull|\w+Error|OOMKilled|Evicted)\b/i,
);
const NEEDS =
  /\b(?:waiting (?:for|on)|needs?|requires?|awaiting|blocked (?:by|on)|approval|approve|manual(?:ly)?)\b/i;
const OF_PERSON = /\b(?:approv\w+|review\w*|permission|manual(?:ly)?|confirm\w*)\b/i;
/** Who should do the work is not there. */
const AWAY = oneOf(
  /^(?!.*(?:--offline|offline (?:mode|cache|first|support))).*\boffline\b/i,
  /\bno (?:matching )?(?:runners?|agents?|workers?|nodes?) (?:available|online|match)/i,
  /\binsufficient (?:cpu|memory|capacity)\b/i,
);
const SAYS_WHY = /\b(?:failed to|error|denied|refused|not found|cannot|could not|unable to)\b/i;
const RUN_OF_GITHUB = /\/actions\/runs\/(\d+)/;

export function tellPolled({ turn, turns, last, count }: Repeated, all: readonly RecordedTurn[]): Reason {
  const pending = lineNotYet(last.output);
  const line =
    turns.map((each) => lineNotYet(each.output)).findLast((each) => /[a-z]{3}/i.test(each)) ?? pending;
  const needs = neededBy(/^\W{0,3}([\w.@/-]{2,60})/.exec(line)?.[1] ?? '', line, all);
  const failed = failedBeside(turns);
  const away = awayIn(all, last);
  const lookedInto =
    failed === null
      ? undefined
      : all.find(({ step, input }) => step > failed.turn.step && failed.isAbout(input));
  const seen = lookedInto?.output
    .split('\n')
    .find((each) => SAYS_WHY.test(each))
    ?.trim();
  const looked = lookedInto === undefined ? '' : `call ${all.indexOf(lookedInto) + 1}`;
  const into =
    lookedInto === undefined
      ? ', and no call looked into that'
      : seen === undefined
        ? ''
        : `: ${looked} shows why: ${quote(seen.replace(/\s+/g, ' '))}`;
  const since = failed === null ? '' : `${failed.name} has failed since call ${all.indexOf(failed.turn) + 1}`;
  const cause = [
    `\`${quote(askedProgram(turn.input)) || callText(turn)}\` gave the same answer ${count} times: ${quote(line)}`,
    ...(needs === null ? [] : [`it waits for what does not come by itself: ${quote(needs)}`]),
    ...(away === null ? [] : [`who should do it is not there: ${quote(away)}`]),
    ...(failed === null ? [] : [`${since} (${quote(failed.line)})${into}`]),
  ];
  const bring =
    away === null ? [] : [`Let a person bring back what is away (${quote(away)}), and ask again only then.`];
  const run = RUN_OF_GITHUB.exec(failed?.line ?? '')?.[1];
  const how = run === undefined ? 'its log' : `\`gh run view ${run} --log-failed\``;
  const next = [
    ...bring,
    ...(failed === null
      ? []
      : [
          `Read why ${failed.name} failed (${seen === undefined ? how : looked}), and mend that first: waiting does not.`,
        ]),
    ...(needs === null
      ? []
      : [
          OF_PERSON.test(needs)
            ? `Ask a person for it (${quote(needs)}).`
            : `Provide what it waits for (${quote(needs)}).`,
        ]),
  ];
  return {
    cause: cause.join('; '),
    startHere: next.length === 0 ? LOOK : `Do not ask for its state again. ${next.join(' ')}`,
  };
}

const LOOK =
  'Look at what it waits for: it may have failed, or need something that nobody provides. Do not ask for its state again.';

/** The last line of the record that says what the waiting thing needs. */
function neededBy(name: string, pending: string, all: readonly RecordedTurn[]): string | null {
  if (name === '') return null;
  const lines = all.flatMap((turn) => turn.output.split('\n'));
  const needs = lines.findLast((line) => line.includes(name) && line !== pending && NEEDS.test(line));
  return needs?.replace(/^[\s*•-]+/, '') ?? null;
}

/** The last row of a list that a call showed before, or while, the state was asked for. */
function awayIn(all: readonly RecordedTurn[], last: RecordedTurn): string | null {
  const lists = all.filter(
    ({ step, edit, failed, kind }) => step <= last.step && edit === null && !failed && kind !== 'read',
  );
  const row = lists
    .flatMap(({ output }) => output.split('\n'))
    .findLast((line) => line.length < ROW && AWAY.test(line));
  return row?.trim().replace(/\s+/g, ' ') ?? null;
}

const ROW = 160;

interface FailedBeside {
  readonly name: string;
  readonly line: string;
  /** The first look that showed it. */
  readonly turn: RecordedTurn;
  readonly isAbout: (input: string) => boolean;
}

function failedBeside(looks: readonly RecordedTurn[]): FailedBeside | null {
  for (const turn of looks)
    for (const line of turn.output.split('\n')) {
      const name = FAILED_ROW.exec(line)
        ?.slice(1)
        .find((each) => each !== undefined);
      if (name !== undefined)
        return { name, line, turn, isAbout: (input) => input.includes(name) || /--log/.test(input) };
    }
  return null;
}
