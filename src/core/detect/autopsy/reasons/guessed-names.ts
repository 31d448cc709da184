/** `guessedNames`: names that are not there are tried one after the other: an attribute, an argument, an option, a symbol. */
import { firstGroupIn } from '../../../text/group-in.ts';
import { oneOf } from '../../../text/one-of.ts';
import { commandOf } from '../../call-kind.ts';
import { askedProgram } from '../../check-mark.ts';
import { quote } from '../../detector.ts';
import { outputsOf, type RecordedTurn } from '../recorded-turn.ts';
import { mostFrequent } from '../repeated-turns.ts';
import type { FindReason } from './find-reason.ts';

/** So many different names are guesses. */
const GUESSES = 3;
const MARK = /['"`‘’]?/.source;
const NAME = `${MARK}(?<name>(?:--?)?[A-Za-z_$][\\w$-]*)${MARK}`;
const OF = `${MARK}(?<of>[\\w.:<>]{2,80})${MARK}`;

/** What compilers, interpreters and command lines say of a name that they do not know. */
const UNKNOWN_NAME: readonly RegExp[] = [
  `${OF} (?:object|instance) has no attribute ${NAME}`,
  `(?:module|class|type object) ${OF} has no attribute ${NAME}`,
  `no (?:method|function or associated item|associated item|variant|field) (?:named )?${NAME} (?:found )?(?:for|on|in) [\\w ]{0,40}${OF}`,
  `could not find ${NAME} in ${OF}`,
  `Property ${NAME} does not exist on type ${OF}`,
  `has no exported member (?:named )?${NAME}`,
  `undefined method ${NAME} for`,
  `Call to undefined (?:method|function) (?:[\\w\\\\]+::)?${NAME}`,
  `${NAME} is not a function`,
  `(?:type|struct) ${OF} has no (?:field or method|member|field|property) ${NAME}`,
  `no member named ${NAME} in ${OF}`,
  `does not contain a definition for ${NAME}`,
  `value ${NAME} is not a member of ${OF}`,
  `(?:unexpected keyword argument|unknown arguments?:?|unexpected argument|argument named) \\[?${NAME}`,
  `(?:unknown|unrecognized|invalid|no such|unsupported) (?:option|flag|argument|parameter|property|field|key)s?:? ${NAME}`,
].map((source) => new RegExp(source, 'i'));

interface Guess {
  readonly turn: RecordedTurn;
  readonly name: string;
  readonly of: string | null;
}

function guessIn(turn: RecordedTurn): readonly Guess[] {
  const text = `${turn.errorLine}\n${turn.output.slice(-LOOKED_CHARS)}`;
  for (const pattern of UNKNOWN_NAME) {
    const { name, of } = pattern.exec(text)?.groups ?? {};
    if (name !== undefined) return [{ turn, name, of: of ?? null }];
  }
  return [];
}

const LOOKED_CHARS = 4_000;
/** A line of one of the outputs that tells what the name is, or what it needs. */
const TELLS = oneOf(
  /^.{0,160}\b(?:gated behind|requires? (?:the )?(?:feature|version)|did you mean|similar name|renamed|deprecated|instead)\b.{0,120}$/im,
  /^.{0,80}\b(?:available|valid|known|supported|possible) (?:options|methods|names|values|arguments|fields|choices)\b.{0,200}$/im,
);

// biome-ignore format: a table
const LISTED_BY: readonly (readonly [RegExp, string])[] = [
  [/\berror\[E\d{4}\]|\bcargo\b/, 'the version in `Cargo.lock`, and the documentation of that version with its features (`cargo doc`)'],
  [/\bAttributeError|\bTypeError: .*\(\)|\bpytest|\bpython/,
    '`pip show PACKAGE` for its version, and `python -c "import MODULE; help(MODULE.NAME)"` for what it has and takes'],
  [/\berror TS\d|\bnode_modules\b|\.tsx?\b|is not a function/,
    'the `version` in `node_modules/PACKAGE/package.json`, and its `.d.ts` files'],
  [/\.go:\d+|\bgo (?:build|test|vet|run)\b/, 'the version in `go.mod`, and `go doc PACKAGE.TYPE`'],
  [/\bNoMethodError|undefined method|\.rb\b/, '`bundle info GEM` for its version, and `OBJECT.methods.sort` in a console'],
  [/\.(?:java|kt|scala)\b|\b(?:mvn|gradle)/, 'the version that the build resolves (its list of dependencies), and `javap -cp JAR CLASS`'],
  [/undefined method \w+::|\.php\b/, '`composer show PACKAGE` for its version, and its source under `vendor/`'],
];

/** Each of the names was written by the agent, and none was there. */
export const guessedNames: FindReason = ({ turns, failure }) => {
  const guesses = turns.filter(({ failed }) => failed).flatMap(guessIn);
  const first = guesses[0]?.turn.step ?? Infinity;
  const own = guesses.filter(({ name, turn }) =>
    turns.some(({ given, callStep }) => callStep <= turn.callStep && given.includes(name)),
  );
  const names = [...new Set(own.map(({ name }) => name))];
  const failing = turns.filter(({ failed, step }) => failed && step >= first);
  const isIt = own.some(({ turn }) => failure.turns.includes(turn));
  if (names.length < GUESSES || !isIt || own.length * 2 < failing.length) return null;
  const [of] = mostFrequent(own.flatMap((guess) => guess.of ?? []));
  const last = own.at(-1)?.turn as RecordedTurn;
  const shown = names.slice(0, 5).map((name) => `\`${name}\``);
  const told = firstGroupIn(TELLS, outputsOf(failing));
  const more = told === undefined ? '' : `. One output tells more: ${quote(told)}`;
  const isOption = names.filter((name) => name.startsWith('-')).length * 2 > names.length;
  const program = askedProgram(last.input).split(/\s+/)[0] ?? '';
  const text = `${commandOf(last.input)}\n${last.output}`;
  const listed = isOption
    ? `\`${program} --help\``
    : (LISTED_BY.find(([says]) => says.test(text))?.[1] ??
      'its version, and the listing or help of that version');
  return [
    [
      `it guesses names that ${of ?? 'what is installed'} does not have: ${shown.join(', ')}${names.length > 5 ? ' and others' : ''}`,
      `(${names.length} names, each refused); a page or a memory of another version does not help${more}`,
    ].join(' '),
    `Do not try another name. Look at what is installed: ${listed}; then write one call with a name that stands there.`,
  ];
};
