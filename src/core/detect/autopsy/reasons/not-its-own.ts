/**
 * `redBefore`: a test was red before the first edit, and the task does not name it. `otherFolder`: the call runs in a folder that has not
 * what it asks for, and the record shows the folder that has it.
 */
import { groupIn } from '../../../text/group-in.ts';
import { oneOf } from '../../../text/one-of.ts';
import { commandOf } from '../../call-kind.ts';
import { callText } from '../../detector.ts';
import { changes } from '../../staleness.ts';
import { editOf } from '../../edit-target.ts';
import { failingNames } from '../../failing-names.ts';
import { editsFile, editsWithin } from '../repeated-turns.ts';
import { editedPaths } from '../side-effects.ts';
import { type FindReason, thenRun, errorSaid } from './find-reason.ts';

/** The task is about something that fails. */
const MENDS = /\b(?:fix\w*|fail\w*|red|broken|breaks?|repair\w*|bugs?|mend\w*|flaky|regression|crash\w*)\b/i;
const OTHERS_PASS = /\b[1-9]\d* (?:passed|passing|ok|succeeded)\b|^(?:ok|✓|✔|PASS)\b|\.\.\. ok$/m;
/** How runners leave one test out. */
const LEAVES_OUT: readonly (readonly [RegExp, (name: string) => string])[] = [
  [/\bcargo test\b/, (name) => ` -- --skip ${name}`],
  [/\bpytest\b/, (name) => (name.includes('::') ? ` --deselect ${name}` : ` -k 'not ${name}'`)],
  [/\bgo test\b/, (name) => ` -skip '^${name}$'`],
];

export const redBefore: FindReason = (record) => {
  const { turns, failure, task } = record;
  const { turn, first, last } = failure;
  const firstEdit = turns.find(changes);
  const [name = ''] = failingNames(turn.output);
  if (editsFile(turn) || firstEdit === undefined || first.step > firstEdit.callStep || name === '')
    return null;
  const edited = editedPaths(editsWithin(turns, 0, last.callStep));
  const words = name.split(/[^\w]+/).filter((word) => word.length > 3);
  const isAsked = MENDS.test(task) || words.some((word) => task.includes(word));
  const isTouched = edited.some((path) => turn.output.includes(path.slice(path.lastIndexOf('/') + 1)));
  const isSame = failure.turns.every(
    ({ output }) => failingNames(output).join() === failingNames(turn.output).join(),
  );
  if (isAsked || isTouched || !isSame || !OTHERS_PASS.test(turn.output)) return null;
  const command = callText(turn);
  const rest = LEAVES_OUT.find(([runner]) => runner.test(command))?.[1](name);
  return [
    `${name} was red before the first edit (call ${turns.indexOf(first) + 1}; the first edit is call ${turns.indexOf(firstEdit) + 1}), ` +
      'and the task does not name it: this run did not break it, and the edits ' +
      `(${edited.slice(0, 3).join(', ')}) do not touch it: ${errorSaid(record)}`,
    `Do not edit for it. Run the rest${rest === undefined ? ' without it' : ` (\`${command}${rest}\`)`}, finish what the task asks for, ` +
      `and say that ${name} was red before (\`git stash; ${command}; git stash pop\` shows it).`,
  ];
};

const NO_SCRIPT = oneOf(
  /\bmissing script:? ["'`]?([\w:-]+)|\bno rule to make target ["'`‘]?([\w./-]+)|\bcommand ["'`]([\w:-]+)["'`] not found/i,
  /\b(?:task|script|target) ["'`]?([\w:-]+)["'`]? (?:is |was )?(?:not found|not defined|missing)/i,
  /\bunknown (?:task|script|target):? ["'`]?([\w:-]+)/i,
);
const MANIFESTS =
  'package.json|Cargo.toml|go.mod|pom.xml|Makefile|pyproject.toml|composer.json|Gemfile|mix.exs|build.gradle'.replaceAll(
    '.',
    '\\.',
  );
const NO_MANIFEST = oneOf(
  new RegExp(
    `\\b(?:could not|cannot|can't|unable to) (?:find|read|locate|open)\\b.{0,60}?\\b(${MANIFESTS})\\b`,
    'i',
  ),
  new RegExp(
    `\\b(?:no|no such file.{0,80}|does not contain an?) ["'\`]?(${MANIFESTS})\\b|\\b(${MANIFESTS})\\b.{0,20}\\bnot found`,
    'i',
  ),
);
const IN_FOLDER = new RegExp(`^(.+)/(?:${MANIFESTS})$`);

export const otherFolder: FindReason = (record) => {
  const { turns, failure } = record;
  const { turn, last } = failure;
  const [script, manifest] = [groupIn(NO_SCRIPT, turn.output), groupIn(NO_MANIFEST, turn.output)];
  if (editsFile(turn) || (script === undefined && manifest === undefined)) return null;
  const sets = new RegExp(
    `^\\W{0,8}(?:\\d+\\W+)?["']?${script?.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')}["']?\\s*:`,
    'm',
  );
  const command = commandOf(turn.input);
  for (const look of turns.filter(({ step }) => step < last.callStep)) {
    const path = look.kind === 'read' || look.kind === 'edit' ? editOf(look.given)?.path : undefined;
    const listed = look.output.match(/[\w.@+-]*(?:\/[\w.@+-]+)+/g) ?? [];
    const has =
      script === undefined
        ? [path ?? '', ...(look.failed ? [] : listed)].find(
            (each) => each.endsWith(`/${manifest}`) && IN_FOLDER.test(each),
          )
        : path !== undefined && IN_FOLDER.test(path) && sets.test(look.output)
          ? path
          : undefined;
    const folder = IN_FOLDER.exec(has ?? '')?.[1];
    if (has === undefined || folder === undefined || command.includes(folder)) continue;
    return [
      `\`${callText(turn)}\` runs in a folder that has no ${script === undefined ? manifest : `"${script}"`}: ${errorSaid(record)}. ` +
        `${script === undefined ? 'It stands' : `"${script}" stands`} in ${has} (\`${callText(look)}\`, call ${turns.indexOf(look) + 1})`,
      `Run it there: \`cd ${folder} && ${callText(turn)}\`; ${thenRun(record).replace(/^then run `[^`]*` once\. ?/, '')}`.replace(
        /; $/,
        '.',
      ),
    ];
  }
  return null;
};
