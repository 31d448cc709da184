/** `twoRewriters`: two programs that rewrite the same file against each other, so that one of them always complains. */
import { commandOf } from '../../call-kind.ts';
import { oneOf } from '../../../text/one-of.ts';
import type { RecordedTurn } from '../recorded-turn.ts';
import { mostFrequent } from '../repeated-turns.ts';
import type { FindReason } from './find-reason.ts';

const FORMATTER = oneOf(
  /\b(?:black|isort|ruff|yapf|autopep8|docformatter|prettier|eslint|biome|stylelint|tslint|dprint|gofmt|goimports|gofumpt|gci)\b/g,
  /\b(?:rustfmt|clang-format|rubocop|standardrb|ktlint|ktfmt|spotless|google-java-format|php-cs-fixer|phpcbf|pint|shfmt)\b/,
  /\b(?:swiftformat|swiftlint|scalafmt|end-of-file-fixer|trailing-whitespace|pretty-format-\w+|markdownlint|taplo|buf format)\b/,
);
const HOOK_CHANGED = /hook id: ([\w.-]+)\s+(?:- (?:exit code|duration): \S+\s+)*- files were modified/g;
/** A line in which a hook or a runner of hooks says which of them failed. */
const COMPLAINT = /\bfailed\b|✖|✗|\bwould (?:be )?reformat|\bcode style issues|hook id:/i;
const ONLY_CHECKS = /--(?:check|diff|dry-run|list-different)\b|\s-[ld]\b/;
const FILE = /(?:[\w.@+-]*\/)*[\w@+-][\w.@+-]*\.\w{1,5}\b/g;
const SETTINGS = /(?:rc|\.(?:json|ya?ml|toml|cfg|ini|md|lock))$/;
/** As often each of the two must complain. */
const COMPLAINTS = 2;

// biome-ignore format: a table
const AGREE: readonly (readonly [RegExp, string])[] = [
  [/^(?=.*isort)(?=.*(?:black|ruff))/, 'isort: `profile = "black"`'],
  [/^(?=.*(?:eslint|stylelint|tslint))(?=.*(?:prettier|biome|dprint))/,
    'ESLint: `eslint-config-prettier`, or the same value for this rule in both configurations'],
  [/^(?=.*rubocop)(?=.*(?:prettier|standardrb))/, 'RuboCop: switch the cops of the layout off'],
];

export const twoRewriters: FindReason = ({ turns, failure }) => {
  const complaints = turns.flatMap((turn) =>
    turn.failed ? complainers(turn).map((name) => ({ turn, name })) : [],
  );
  const often = [...Map.groupBy(complaints, ({ name }) => name)]
    .filter(([name, all]) => all.length >= COMPLAINTS && turns.some((turn) => writes(turn, name)))
    .sort(([, a], [, b]) => b.length - a.length);
  const [one, two] = often.map(([name]) => name);
  if (one === undefined || two === undefined) return null;
  const failing = [...new Set(complaints.map(({ turn }) => turn))];
  if (!failing.some((turn) => failure.turns.includes(turn))) return null;
  const [file] = mostFrequent(
    failing.flatMap(({ output }) => [...new Set(output.match(FILE))].filter((path) => !SETTINGS.test(path))),
  );
  const both = `${one} and ${two}`;
  const how = AGREE.find(([pair]) => pair.test(both))?.[1];
  return [
    `${both} rewrite ${file ?? 'the same file'} against each other: what one writes, the other changes back (${failing.length} calls)`,
    [
      'Do not format again, and do not edit by hand: no text suits both. Make their configurations agree',
      `${how === undefined ? '(one takes the style of the other, or only one of them keeps the rule)' : `(${how})`}, then format once;`,
      'if the configuration is not yours to change, ask.',
    ].join(' '),
  ];
};

/** By what the output says failed; otherwise the last one that the command line runs. */
function complainers({ input, output }: RecordedTurn): readonly string[] {
  const lines = output.split('\n').filter((line) => COMPLAINT.test(line));
  const named = new Set([
    ...[...output.matchAll(HOOK_CHANGED)].map(([, id = '']) => id),
    ...lines.flatMap((line) => line.match(FORMATTER) ?? []),
  ]);
  if (named.size > 0) return [...named];
  return commandOf(input).match(FORMATTER)?.slice(-1) ?? [];
}

function writes({ input, output }: RecordedTurn, name: string): boolean {
  const parts = `${commandOf(input)}\n${output}`.split(/&&|\|\||[;|\n]/);
  const isRun = parts.some(
    (part) => new RegExp(`(?:^|\\s)${name}\\s+(?:-|[\\w./])`).test(part) && !ONLY_CHECKS.test(part),
  );
  return isRun || [...output.matchAll(HOOK_CHANGED)].some(([, id]) => id === name);
}
