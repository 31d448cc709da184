/**
 * `toldByTool`: a failing program often says itself why it fails and what can be done, beside the line that only names the failure: what it
 * explains becomes the cause; of the ways out that it lists, the ones that no call tried come first. `notesIn`: what an output explains;
 * `TELLING`: from this weight on a note tells something.
 */
import { oneOf } from '../../../text/one-of.ts';
import { commandOf } from '../../call-kind.ts';
import { callText, quote, quoteWhole } from '../../detector.ts';
import { LISTED_LINE, isBanner } from '../../error-line.ts';
import type { RecordedTurn } from '../recorded-turn.ts';
import { editsFile } from '../repeated-turns.ts';
import { editedInVain, editedMeanwhile, type FailureRecord, type FindReason } from './find-reason.ts';
import { factsShown } from './facts-shown.ts';
import { factsAbout, namesOfThings, tellFacts } from './record-facts.ts';
import { waysTried } from './ways-out.ts';

/** What stands before a sentence of a program: marks of a list, of a stream, of a level. */
const BEFORE =
  /^(?:[-*•|│┃=>\s]{1,12}|remote: |(?:error|fatal|warning)(?:\[\w+\])?: |\w+ (?:error|ERR!) |E {2,}|\[(?:ERROR|WARN\w*)\]:? )+/i;
const NOTE =
  /^(?:\S{1,160}:\d+:(?:\d+:)? ?|\[[\w-]{1,20}\] )?(?:note|reason|cause|details?|caused by|warning)\b ?: */i;

/** Words with which a program explains a failure, by what they tell: each kind counts once. */
const EXPLAINS: readonly RegExp[] = [
  /\b(?:perhaps|probably|most likely|maybe)\b/i,
  /\b(?:overrid(?:es|den|ing)|shadow(?:s|ed)|hidden by|takes? precedence|actual(?:ly)?|ignored|ignoring|skipp(?:ed|ing))\b/i,
  /\b(?:exceed(?:s|ed)|too (?:old|new|large|small|long|many)|insufficient|quota|OOM\w*|out of memory|at (?:most|least))\b/i,
  oneOf(
    /\b(?:mismatch|do(?:es)?(?: not|n't) (?:satisfy|match|support|allow|permit)|differs? from|different (?:versions?|types?)|distinct)\b/i,
    /\b(?:conflicts? with|incompatible|already (?:applied|defined|registered|started|in use|been|exists))\b/i,
  ),
  oneOf(
    /\b(?:requires?|must (?:be|have|use|go|come)|(?:is|are) only \w+|only (?:if|when|works|with))\b/i,
    /\bnot (?:allowed|permitted|enabled|authorized)\b/i,
    /\b(?:protected|unauthorized|forbidden|401|403|expired|revoked|renamed|no longer|removed (?:in|from)|deprecated)\b/i,
  ),
  /\b(?:because|due to|(?:held|locked|blocked|covered|used) by|intercepts|missing from|not set)\b/i,
  /\b(?:without an?|no matching|unhandled|unmatched|not (?:registered|configured|handled)|until (?:apply|after|it))\b/i,
];
const NAMES = /[`'"‘][^`'"‘’]{2,80}[`'"’]|\d+\.\d+|\w[./]\w|\b\d+\b/;
/** Tells how to see more, and nothing about the failure. */
const TELLS_MORE = oneOf(
  /\bto see (?:an? |the )?(?:list|more|full|whole|all)\b/i,
  /\bfor more (?:info\w*|details?|help)|\blearn more\b|\brun with\b|--(?:verbose|debug|stacktrace|info|scan|explain)\b|\bon by default\b/i,
  /\bsee (?:the )?(?:docs|documentation|https?:)|\bfull (?:log|trace|output)\b|\bstack ?trace\b|BACKTRACE|\bplease report\b/i,
);
const CODE = oneOf(
  /[;{]\s*$|\w\([^)]*\)[.;:]?$|^[\w.]{1,60}\s*=\s|^(?:\/\/|\/?\*|#|<|@|\d+ +\|)/,
  /^(?:if|for|while|return|throw|raise|import|from|def|const|let|var|class|at) /,
);
/** The summary of a run. */
const COUNTS = /\b(?:tests?(?: run)?|passed|skipped|errors)\b\W{1,12}\d/i;
/** Three words; a reason that is marked as one may be a single word. */
const SENTENCE = /\S\s+\S+\s+\S|^(?:reason|cause): *\S/i;
const LONGEST = 400;
/** A word that explains and something that is named, or two words that explain. */
export const TELLING = 3;

interface ToolNote {
  readonly text: string;
  readonly weight: number;
}

/** In how many ways a line explains something. */
export function explainingKinds(line: string): number {
  return line.length > LONGEST ? 0 : EXPLAINS.filter((words) => words.test(line)).length;
}

export function notesIn(output: string): readonly ToolNote[] {
  return output
    .slice(-SCANNED_CHARS)
    .split('\n')
    .flatMap((shown, at, lines) => {
      const kinds = explainingKinds(shown);
      const said = kinds === 0 ? '' : withoutMore(shown.trim().replace(BEFORE, ''));
      const text = said.replace(NOTE, '');
      if (!SENTENCE.test(said) || isBanner(shown.trim()) || LISTED_LINE.test(shown)) return [];
      if (text === '' || CODE.test(text) || COUNTS.test(text)) return [];
      // What a line announces stands below it.
      const below = text.endsWith(':')
        ? lines.slice(at + 1, at + 3).find((line) => line.trim() !== '')
        : undefined;
      const whole = below === undefined ? text : `${text} ${below.trim().replace(BEFORE, '')}`;
      return [{ text: whole, weight: 2 * kinds + (NAMES.test(text) ? 1 : 0) + (text === said ? 0 : 1) }];
    });
}

/** Without the sentences that only tell where more is told. */
function withoutMore(text: string): string {
  return text
    .split(/(?<=[.!?]) (?=[A-Z])/)
    .filter((part) => !TELLS_MORE.test(part))
    .join(' ');
}

const SCANNED_CHARS = 20_000;
const SHOWN = 2;

/** The notes that most failing outputs have and no other output of the record, without the line that is told already. */
function sharedNotes({ turns, failure: { turn, turns: members } }: FailureRecord): readonly ToolNote[] {
  const others = turns
    .filter(({ failed, kind }) => !failed && (kind === 'run' || kind === 'test'))
    .slice(-LATEST);
  const usual = new Set(others.flatMap(({ output }) => notesIn(output).map(({ text }) => bare(text))));
  const told = bare(turn.errorLine);
  const all = members
    .slice(-LATEST)
    .flatMap(({ output }) => [...new Map(notesIn(output).map((note) => [bare(note.text), note])).entries()]);
  return [...Map.groupBy(all, ([key]) => key)]
    .filter(
      ([key, same]) =>
        same.length * 2 >= Math.min(LATEST, members.length) &&
        !usual.has(key) &&
        !told.includes(key) &&
        !key.includes(told),
    )
    .map(([, [first]]) => (first as (typeof all)[number])[1])
    .toSorted((a, b) => b.weight - a.weight);
}

const LATEST = 100;

function bare(text: string): string {
  return text.replace(/\d+/g, '0').replace(/\s+/g, ' ').trim();
}

const OPENS_LIST =
  /\b(?:ways?|solutions?|options?|following|one of|any of|alternatives?|fix(?:es)?|choose|try)\b[^.]{0,60}:$/i;
/** What failed is listed in the same form. */
const LISTS_OTHERS =
  /\b(?:fail\w*|errors?|missing|problems?|warnings?|tests?|files?|packages?|modules?|changes|unmet|found|commits?|available)\b/i;
const BULLET = /^(?:[-*•+]|\d{1,2}[.)]|\([a-z\d]\))\s+(\S.{5,240})$/;
/** As a sentence of its own: what is expected may be either of two as well. */
const EITHER = /(?:^|[.:;!] )either (\S.{4,160}?),? or (\S.{4,200}?)[.;]?$/i;

/** A sentence that tells what to do. */
const ADVISES = oneOf(
  /^(?:alternatively,? |instead,? |suggestion: |it'?s better to |(?:you|one) (?:can|could|may|might|should|need to) )/i,
  /^(?:when \S.{3,60}, )(?:it'?s better to |use |prefer )/i,
  /^(?:or )?(?:please )?(?:create(?! table| index| view)|add|increase|raise|use|set|pass|declare) \S/i,
);

/** The ways out that an output lists: below a line that announces them, as "either this or that", or as sentences of advice. */
function waysIn(output: string): readonly string[] {
  const lines = output
    .slice(-SCANNED_CHARS)
    .split('\n')
    .map((line) => line.trim().replace(BEFORE, (mark) => (/[-*•]/.test(mark) ? mark.trimStart() : '')));
  for (const [at, line] of lines.entries()) {
    const [, one, other] = EITHER.exec(line) ?? [];
    if (one !== undefined && other !== undefined) return [one, other];
    if (!OPENS_LIST.test(line) || LISTS_OTHERS.test(line)) continue;
    const rest = lines.slice(at + 1).filter((each, index) => each !== '' || index > 2);
    const end = rest.findIndex((each) => !BULLET.test(each));
    const ways = rest.slice(0, end < 0 ? undefined : end).map((each) => BULLET.exec(each)?.[1] ?? '');
    if (ways.length > 1) return ways;
  }
  const advice = lines
    .flatMap((line) => line.split(/(?<=[.;]) (?=[A-Z])|, (?=(?:or|please|use|run|try) )/))
    .filter(
      (part) =>
        ADVISES.test(part) && part.length > ADVICE_CHARS && !TELLS_MORE.test(part) && !CODE.test(part),
    );
  const bareAdvice = advice.map((part) => part.replace(OPENS_ADVICE, '').replace(/[,.;]$/, ''));
  return [...new Set(bareAdvice)].slice(0, WAYS);
}

const OPENS_ADVICE = /^(?:suggestion: |or |alternatively,? |instead,? |please )/i;
/** Shorter sentences ("use -h") advise nothing. */
const ADVICE_CHARS = 20;
const WAYS = 4;

const ANY_WORD =
  /^(?:with|that|this|from|into|have|your|when|using|explicitly|update|running|option|change\w*|make|file|files)$/;

/** The call since the failure that did what a way says: by its command line, by three of its words in an edit, or by its first word. */
function triedBy(way: string, { turns, failure: { first } }: FailureRecord): RecordedTurn | null {
  const words = (way.toLowerCase().match(/[a-z][a-z_-]{3,}/g) ?? []).filter((word) => !ANY_WORD.test(word));
  const known = commandOf(first.input).toLowerCase();
  const own = [...new Set(words.map((word) => word.slice(0, STEM_CHARS)))].filter(
    (word) => !known.includes(word),
  );
  const asked = COMMAND.exec(way)?.[1]?.toLowerCase();
  const isTried = (turn: RecordedTurn) => {
    const text = (turn.edit === null ? commandOf(turn.input) : turn.given).toLowerCase();
    if (asked !== undefined) return text.includes(/--[\w-]+/.exec(asked)?.[0] ?? asked);
    const found = own.filter((word) => text.includes(word));
    return (
      found.length > (turn.edit === null ? 1 : 2) ||
      (turn.edit === null && found.length === 1 && found[0] === own[0])
    );
  };
  return turns.find((turn) => turn.step > first.step && turn.kind !== 'read' && isTried(turn)) ?? null;
}

const STEM_CHARS = 6;
/** A command line in quotes. */
const COMMAND = /["'`]([\w.-]+ [^"'`]{3,80})["'`]/;
/** What a server answers to a login decides, whatever else is said. */
const LOGIN = /\b40[137]\b.{0,20}(?:unauthori[sz]ed|forbidden|authentication)/i;

const CUT_CHARS = 230;
/** Two words that explain and a name: so sure that no guess about the run tells more. */
const PLAIN = 5;

export const toldPlainly: FindReason = (record) =>
  (sharedNotes(record)[0]?.weight ?? 0) >= PLAIN ? toldByTool(record) : null;

export const toldByTool: FindReason = (record) => {
  const { turns, failure } = record;
  const { turn, turns: members, first, count } = failure;
  if (editsFile(turn)) return null;
  const ways = waysIn(turn.output);
  const isListed = ways.length > 1;
  const notes = sharedNotes(record).filter(({ text, weight }) => weight >= TELLING && !ADVISES.test(text));
  const [best] = notes;
  // One sentence of advice alone is told with any other reason.
  if (best === undefined && !isListed) return null;
  const said = notes.filter(({ weight }) => weight >= (best?.weight ?? 0) - 1).slice(0, SHOWN);
  const told = said.map(({ text }) => quoteWhole(text)).join(' · ');
  const paths = editedMeanwhile(record);
  const aboutNotes = factsShown(record, said.map(({ text }) => text).join('\n'));
  const facts =
    aboutNotes.length > 0
      ? aboutNotes
      : (ways.map((way) => factsAbout(record, namesOfThings(way))).find(({ length }) => length > 0) ?? []);
  const shown = facts.length === 0 ? '' : ` (${tellFacts(facts)})`;
  // A long line of a failure is cut; the output has the whole of it.
  const isCut = turn.errorLine.length >= CUT_CHARS;
  const whole = isCut ? turn.output.split('\n').find((each) => each.includes(turn.errorLine)) : undefined;
  const failed = `\`${callText(turn)}\` failed ${count} times: ${quoteWhole(whole ?? turn.errorLine).replace(/\.+$/, '')}`;
  const then = `then run \`${callText(turn)}\` once`;
  const vain = editedInVain(record) === '' ? '' : `; the edits of ${paths} did not change that`;
  const cause = `${failed}${told === '' ? '' : `. The program also says: ${told}${shown}`}`;
  const barred = waysTried(
    turns.filter((each) => !members.includes(each)),
    first.step,
  );
  if (barred.length > 0)
    return [
      `${cause}; and the run may not mend that: ${barred.join('; ')}`,
      `A person has to do what it asks for. Take back what was changed instead of it${paths === '' ? '' : ` (${paths})`}.`,
      'environment',
    ];
  if (LOGIN.test(told))
    return [
      `${cause}${vain}`,
      'The login for that address is missing or refused: a person gives it. Other versions, settings and empty caches do not help.',
      'auth_failure',
    ];
  return [
    `${cause}${vain}`,
    ways.length > 0
      ? `${wayOut(ways, record)}${shown}; ${then}.`
      : facts.length > 0
        ? `Change what that is about, in ${tellFacts(facts)}; ${then}.`
        : `Mend what it says there${paths === '' ? '' : `, not ${paths}`}; ${then}.`,
  ];
};

/** The ways that no call tried, with the line of the record that sets what they speak of. */
function wayOut(ways: readonly string[], record: FailureRecord): string {
  const tried = ways.flatMap((way) => {
    const turn = triedBy(way, record);
    return turn === null ? [] : [{ way, turn }];
  });
  const open = ways.filter((way) => !tried.some((each) => each.way === way));
  const setBy = open.flatMap((way) => {
    const words = (way.match(/[a-z]{5,}/gi) ?? []).filter((word) => !ANY_WORD.test(word));
    return factsAbout(record, words).filter(({ line }) =>
      words.some((word) => new RegExp(`\\b${word}["']?\\s*[:=]`).test(line)),
    );
  });
  const where = setBy.length === 0 ? '' : ` (${tellFacts(setBy.slice(0, 1))})`;
  const done = tried.map(({ way, turn }) => `${quote(way)} (\`${callText(turn)}\`)`).join('; ');
  const after = done === '' ? '' : `. Tried already, without success: ${done}`;
  return open.length === 0
    ? `The ways out that the program names were tried: ${done}. Say so, and look at what all of them leave as it is`
    : `The program names its ways out; not tried yet: ${open.map(quote).join('; or ')}${where}${after}. Take one of them`;
}
