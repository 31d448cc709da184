/**
 * `adviceByError`: what to do first about an error that repeats, by its words, by what its output tells besides, and by what the run did;
 * and who can do it.
 */
import { groupIn } from '../../../text/group-in.ts';
import { oneOf } from '../../../text/one-of.ts';
import { commandOf } from '../../call-kind.ts';
import { quote } from '../../detector.ts';
import { STARTS } from '../unreachable-server.ts';
import type { FailureRecord } from './find-reason.ts';
import { NARROWED } from './never-ends.ts';

export interface FirstAdvice {
  readonly text: string;
  /** Null where the diagnosis knows better. */
  readonly by: 'agent' | 'person' | null;
}

/** Null if the words of the error tell nothing. */
export function adviceByError(record: FailureRecord): FirstAdvice | null {
  const { turn } = record.failure;
  const isPart = record.failure.turns.some(({ input }) => NARROWED.test(commandOf(input)));
  if (turn.ended === 'timed out') return { text: isPart ? HANGS : LATE, by: null };
  const rule = BY_ERROR.find(({ says }) => says.test(turn.errorLine));
  if (rule === undefined) return null;
  const advice = typeof rule.advice === 'string' ? rule.advice : rule.advice(record);
  return typeof advice === 'string' ? { text: advice, by: rule.by ?? null } : advice;
}

const LATE =
  'The command does not end in time. Run a smaller part of it, with a limit of its own, and measure where the time goes.';

const HANGS =
  'A part of it does not end either. Find out what it waits for: read all that it prints, and let it dump its stack before it is ended.';

interface AdviceRule {
  readonly says: RegExp;
  readonly advice: string | ((record: FailureRecord) => string | FirstAdvice);
  readonly by?: 'agent' | 'person';
}

const MISSING =
  'The program or module is not there. Do not call it again: use what is installed, or say that it has to be installed.';

/** A name that begins like a path, or with the mark of an alias. */
export const LOCAL_MODULE = /\bcannot (?:find|resolve) (?:module |package )?['"](?:[.~#]|@\/|\/)/i;

export const ALREADY_THERE = /\bunique constraint|\bduplicate (?:key|entry)|\balready exists\b|\bEEXIST\b/i;

/** By the error that repeats, the most telling first. */
// biome-ignore format: the short columns of a row stand together
const BY_ERROR: readonly AdviceRule[] = [
  { says: /' is not a package\b/,
    advice:
      'Another file of that name hides the package. Print where it comes from (`import NAME; print(NAME.__file__)`), and rename that file.',
  },
  { says: /\b[A-Z]+_[A-Z_]+ (?:is |was )?(?:not (?:defined|set) correctly|set to an? (?:invalid|wrong))/,
    advice: 'The variable is set, to something that is not there. Print it, list what it names, and set it to what is installed.' },
  { says: LOCAL_MODULE,
    advice:
      'The name is one of this project, no package: look how the program that runs resolves it, and write a path that it can follow.' },
  { says: /\bcommand not found|unknown (?:tool|command)|is not recognized as|no module named|cannot find module|JAVA_HOME/i,
    advice: MISSING },
  { says: /\/bin\/[\w.+-]+: no such file/i, advice: MISSING },
  { says: /\b(?:missing script|no rule to make target|unknown (?:task|target|script|subcommand))\b/i,
    advice: 'There is no such script or target. List the ones that there are, and call one of them.' },
  { says: /\b(?:not unique|multiple (?:matches|occurrences)|found \d+ matches|more than once)\b/i,
    advice: 'The text to replace is not unique. Add the lines before and after it until it is.' },
  { says: oneOf(
      /\b(?:string to replace|old_?str(?:ing)?|search (?:text|block)|context).{0,40}not found|did not (?:match|appear|apply)|no match for/i,
      /\bno replacement was|(?:expected lines|hunk).{0,40}(?:failed|not|in )/i,
      /\bfailed to find (?:expected|context)|patch (?:failed|does not apply)/i,
    ),
    advice:
      'The text to replace is not in the file as written. Print those lines with their white space (`cat -A`), and copy them exactly.' },
  { says: /\bformatter would have|\bwould (?:be )?reformat|\bcode style issues|\bnot (?:properly )?formatted\b|needs formatting/i,
    advice: 'Do not format by hand: let the formatter write the file (`--write`, `--fix`, `format`), then run the check once.' },
  { says: ALREADY_THERE,
    advice: 'What it makes is there from an earlier run. Remove that first (the file, the table, the row), or skip what is there.' },
  { says: /\b(?:EADDRINUSE|address already in use|port .{0,20}(?:in use|taken|allocated))\b/i,
    advice: 'Another process holds the port. Find it (`ss -ltnp`), end it if it is yours, or use another port.', by: 'agent' },
  { says: oneOf(
      /\b(?:state lock|lock (?:file|is held)|is locked|could not (?:get|open) lock|unable to (?:lock|acquire))\b/i,
      /\bdeadlock (?:found|detected)\b|\block (?:wait )?timeout\b|\bcould not obtain lock\b/i,
    ),
    advice: heldBy, by: 'person' },
  { says: /\b(?:rate limit|too many requests|quota|429)\b/i, advice: limitedUntil },
  { says: /\b(?:connection refused|failed to connect|ECONNREFUSED|ERR_CONNECTION\w*|could not connect|cannot connect)\b/i,
    advice: nothingListens },
  { says: /\b(?:merge conflict|CONFLICT|could not apply)\b/,
    advice: 'Both sides changed the same lines. Open each file in conflict and keep what both need, before you go on.', by: 'agent' },
  { says: /\bcircular (?:import|dependency)|partially initialized module\b/i,
    advice: 'The modules import each other. Move what both need into a third file; another order of the imports does not help.' },
  { says: /\b(?:SyntaxError|invalid syntax|syntax error|unexpected (?:indent|EOF))|^\W{0,3}[EF]\d{3} /i,
    advice: 'What is written does not parse. Look at the language of the file and at the lines around, then write the whole block anew.' },
  { says: /\b(?:database|role|schema|table|relation|column|bucket|topic|queue|index|namespace)\b.{0,80}\b(?:does not|doesn't) exist/i,
    advice: 'What is asked for is not there under that name. List what is there; then ask for the right name, or make it first.' },
  { says: /\b(?:no such file|does not exist|cannot find)\b|[\w"'`’)]:? not found\b/i,
    advice: 'It is not where the calls look for it. List the folder, or search the tree by a part of the name, before opening anything.' },
  { says: /\b(?:permission|denied|not permitted|not allowed|requires approval|not in the allowed)\b/i, by: 'person',
    advice:
      'It is not allowed, and asking again does not change that. A person has to allow it; until then do without it, or stop and say so.' },
];

const OWNER = /^\W{0,4}(?:who|owner|holder|(?:held|locked) by|process|pid)\s*[:=]\s*(\S.{0,80})$/im;
const DETAIL = /^\W{0,4}((?:lock )?(?:id|created|since|expires|operation|host))\s*[:=]\s*(\S.{0,60})$/gim;
const RESET = oneOf(
  /\b(?:reset|retry|try again)s? (?:in|at|after)[: ]+([\d][\w:.+-]{0,30}(?: (?:s|sec|m|min|h|hours?|minutes?|seconds?|UTC|GMT)\b)?)/i,
  /\b(?:retry-after|x-ratelimit-reset)[: ]+(\d[\w:.+-]{0,30})/i,
);
const PROGRESS =
  /\b(?:fetched|processed|downloaded|imported|migrated|uploaded|copied|done|read|wrote)[: ]+\d+ ?(?:of|\/) ?\d+/i;
/** What a machine offers to all, not what a project starts for itself. */
const OF_MACHINE =
  /\bdaemon\b|\.sock\b|\b(?:postgres\w*|mysql\w*|redis|mongo\w*|rabbitmq|kafka|docker|containerd)\b/i;

/** A session of a database that began something and does not end it. */
const OPEN_SESSION = /^.*\bidle in transaction\b.*$/im;

function printed({ failure }: FailureRecord): string {
  return failure.turns.map((turn) => turn.output).join('\n');
}

/** Who holds a lock is asked only if the output does not say it. */
function heldBy(record: FailureRecord): string {
  const output = printed(record);
  const open = record.turns.findLast((turn) => OPEN_SESSION.test(turn.output));
  if (open !== undefined) {
    const row = quote(OPEN_SESSION.exec(open.output)?.[0].trim().replace(/\s+/g, ' ') ?? '');
    return (
      `A session that is open holds the lock: call ${record.turns.indexOf(open) + 1} shows it (${row}). ` +
      'Ask its owner to end it, and do not try again until then: a longer time-out does not help.'
    );
  }
  const owner = OWNER.exec(output)?.[1]?.trim();
  const details = [
    ...new Set([...output.matchAll(DETAIL)].map(([, name, value = '']) => `${name} ${value.trim()}`)),
  ];
  const told = details.length === 0 ? '' : ` (${details.slice(0, 3).map(quote).join(', ')})`;
  return owner === undefined
    ? `Something else holds the lock${told}. Find out who, and whether it still lives; ask for its release, do not try again until then.`
    : `${quote(owner)} holds the lock${told}. Ask whether that still works; if it does, wait for it; ` +
        'if it is dead, a person releases the lock. Do not try again until then.';
}

function limitedUntil(record: FailureRecord): string {
  const output = printed(record);
  const reset = groupIn(RESET, output);
  const reached = PROGRESS.exec(output)?.[0];
  const wait =
    reset === undefined ? 'Wait until the limit is reset' : `Wait once until the limit is reset (${reset})`;
  const keep =
    reached === undefined
      ? ''
      : ` Keep what there is (${reached}) and go on from there, not from the beginning.`;
  return `The service limits the calls. ${wait}, or call it with an account that is allowed more.${keep}`;
}

/** The log of a server can be read only if the run started it. */
function nothingListens({ turns, failure }: FailureRecord): FirstAdvice {
  const isStarted = turns.some(
    ({ step, input }) => step < failure.last.callStep && STARTS.test(commandOf(input).trim()),
  );
  if (isStarted)
    return {
      text: 'Nothing listens there: the server did not start. Read the log of the server from its first error on, and mend that first.',
      by: 'agent',
    };
  return OF_MACHINE.test(failure.turn.errorLine)
    ? {
        text: 'Nothing listens there, and no call of the run started it: a person has to start it here. Do without it until then.',
        by: 'person',
      }
    : {
        text: 'Nothing listens there, and no call of the run started it. Start it, see in its log that it runs, and only then ask it.',
        by: 'agent',
      };
}
