/** `BUILD_BLOCKERS`: the blockers of finished work: its scope, its proof, its content. */
import type { BlockerAsked, BlockerCode, BlockerRules, BlockerWords } from './blocker-rule.ts';
import { changeText, type LeftProcess } from '../events/compose-facts.ts';
import { type ChangedJudge, opinionText, type UnrelatedFile } from '../proof.ts';
import type { CheckResult } from '../work.ts';
import { changedLine, checkStatus, failureLines, listed, listedPaths, policyLine } from './words.ts';

const WITHOUT_IT = 'the agent goes on from the checkpoint and is told so; a note adds your advice';

/** What an agent left outside its work, by the source of the blocker: the question, and the label of the answer "yes". */
const LEFT_BEHIND: Readonly<Partial<Record<string, readonly [asks: string, yes: string]>>> = {
  git: [
    'Your own git would run it next; Mayday does not. Is it as you want it now?',
    'yes: I put it back, or it is meant; your reason in a note',
  ],
  refs: ['Was that you, or is it as you want it now?', 'yes, or I put it back; your reason in a note'],
  processes: ['Are they yours?', 'yes, or I ended them; your reason in a note'],
  judges: ['Is that meant?', 'yes, the work may change that; your reason in a note'],
  unrelated: ['Do they belong to the work?', 'yes, they do; your reason in a note'],
};

// biome-ignore format: the short columns of a row stand together
export const BUILD_BLOCKERS = {
  scope_exceeded: {
    says: 'the change leaves the scope', isAskedFirst: true, matter: 'a change outside the scope',
    stage: 'build', returnsTo: 'explore', concern: 'scope', category: 'constraint_conflict', kind: 'scope',
    resolutions: ['expand_scope', 'revise_work', 'split_work', 'abandon'],
    key: ['paths'],
    case: ({ paths: [first = ''] }) => first,
    details: ({ paths }) => paths.slice(1),
    question: (asked) => (asked.found.source === 'submodule' ? inSubmodule(asked) : outsideScope(asked)),
  },
  missing_verification: {
    says: 'behaviour changed and no passing check is recorded after the last change',
    stage: 'build', returnsTo: 'build', concern: 'verification', category: 'missing_context',
    resolutions: ['add_verification', 'waive_with_reason', 'abandon'],
    toAgent: 'always', isAboutProof: true,
    key: ['rule', 'says', 'command', 'now', 'before'],
    case: (found) => {
      if (found.source === 'policy') return policyLine(found);
      const ran = found.now === null ? 'the runner does not say how many tests ran' : `${found.now} tests ran`;
      return `${found.command}: ${ran}, ${found.before} before the work`;
    },
    details: (found) =>
      found.source === 'policy'
        ? [`nothing that matches ${found.wanted.join(', ')} changed along`]
        : ['fewer tests than before prove less than before'],
  },
  check_failed: {
    says: 'a required check fails',
    stage: 'build', returnsTo: 'build', concern: 'verification', category: 'missing_context',
    resolutions: ['revise_work', 'waive_with_reason', 'retry', 'abandon'],
    toAgent: 'always', isAboutProof: true,
    key: ['command', 'timedOut', 'exitCode'],
    case: checkStatus,
    details: failureLines,
  },
  check_not_recorded: {
    says: 'a required check has no record',
    stage: 'build', returnsTo: 'build', concern: 'verification', category: 'missing_context', isAboutProof: true,
    resolutions: ['retry', 'waive_with_reason', 'abandon'],
    key: ['command'],
    case: ({ command }) => command,
    details: (found) => {
      if (found.source === 'policy') return [policyLine(found)];
      if (found.source === 'task') return [];
      return disturbance(found.files, found.outside);
    },
    question: ({ what, details: [why] }) => ({
      text: `${what} has no record for this work${why === undefined ? '' : ` (${why})`}. Run it?`,
      labels: { retry: ['run it', 'it becomes a check of this run; the gate is asked again'] },
    }),
  },
  touch_point_unrecorded: {
    says: 'what needs a record was touched without one (a named path, your git, a branch, the workspace after the agent ended)',
    stage: 'build', returnsTo: 'build', concern: 'policy', category: 'constraint_conflict',
    resolutions: ['record_judgment', 'revise_work', 'abandon'],
    key: ['rule', 'says', 'paths', 'links', 'refs', 'processes', 'files', 'judges', 'unrelated'],
    case: (found) => {
      switch (found.source) {
        case 'policy':
          return policyLine(found);
        case 'change':
          return changedLine(found);
        case 'links':
          return `links that leave the tree: ${found.links.join(', ')}`;
        case 'refs':
          return `changed in your repository while the agent worked: ${listedPaths(found.refs.map(changeText))}`;
        case 'processes':
          return `the agent ended, and these still work in its workspace: ${found.processes.map(processLine).join(', ')}`;
        case 'judges':
          return `what judges the work is not as it was: ${found.judges.map(judgeLine).join(', ')}`;
        case 'unrelated':
          return unrelatedLine(found.unrelated);
        case 'git':
          return `git configuration or hooks of your repository changed while the agent worked: ${found.files.join(', ')}`;
      }
    },
    details: (found) => {
      if (found.source === 'policy') return [changedLine(found)];
      if (found.source === 'refs')
        return found.refs.map(({ name, was, undo = `git update-ref ${name} ${was}` }) => `undo: ${undo}`);
      if (found.source === 'judges') return found.judges.flatMap(opinionLine);
      return found.source === 'git' ? found.undo : [];
    },
    question: ({ found: { source }, what, details }) => {
      const left = what === '' ? undefined : LEFT_BEHIND[source];
      if (left === undefined) return { text: `The work touches what needs a record: ${what}. Is that meant?` };
      const [asks, yes] = left;
      const undo = details.length === 0 ? '' : ` ${details.slice(0, 3).join('; ')}.`;
      const effect = 'recorded as your judgment of exactly this work; the gate is asked again';
      return { text: `${what}.${undo} ${asks}`, labels: { record_judgment: [yes, effect] } };
    },
  },
  work_too_vague: {
    says: 'the work is too vague to deliver',
    stage: 'build', returnsTo: 'build', concern: 'code', category: 'ambiguous_spec', toAgent: 'always',
    resolutions: ['revise_work', 'answer_question', 'abandon'],
    key: [],
    case: () => 'conflict markers are left in the work',
    details: ({ markers }) => markers,
  },
  work_not_saved: {
    says: 'part of the work is in no checkpoint, and a delivery would lack it',
    stage: 'build', returnsTo: 'build', concern: 'environment', category: 'environment',
    resolutions: ['retry', 'revise_work', 'waive_with_reason', 'abandon'],
    key: ['attempt', 'checkpoint', 'files', 'more'],
    case: (found) =>
      found.source === 'attempt'
        ? `what attempt ${found.attempt} left could not be saved; checkpoint ${found.checkpoint} is older`
        : `not in the checkpoint, and so not in what would be delivered: ${missingWords(found)}`,
    details: (found) =>
      found.source === 'attempt' ? [found.problem] : found.files.map(({ path, why }) => `${path}: ${why}`),
    question: ({ what, details }) => ({
      text: `Part of the work could not be saved: ${what} (${details.slice(0, 3).join('; ')}). What should happen?`,
      labels: {
        retry: [
          'I made it readable or small enough, or moved it away: save the work again',
          'the workspace is saved again and the gate asked again; no agent is started',
        ],
        revise_work: ['let the agent do without it', WITHOUT_IT],
        waive_with_reason: [
          'deliver without it, your reason in a note',
          'recorded as your word for exactly this work, then delivered; what is missing is named wherever the delivery is told',
        ],
      },
    }),
  },
  empty_change: {
    says: 'nothing was changed',
    stage: 'build', returnsTo: 'build', concern: 'code', category: 'missing_context', toAgent: 'at_gates',
    resolutions: ['revise_work', 'waive_with_reason', 'abandon'],
    // At the gate there is nothing to name: the code says everything.
    key: [],
    case: ({ source }) => (source === 'gate' ? '' : 'no file differs from the base'),
    details: () => [],
    question: () => ({ text: 'Nothing was changed. Is there nothing to do?' }),
  },
} as const satisfies Partial<BlockerRules<BlockerCode>>;

export function missingWords({
  files,
  more,
}: {
  readonly files: readonly { readonly path: string }[];
  readonly more: number;
}): string {
  return listedPaths(
    files.map(({ path }) => path),
    more,
  );
}

const JUDGE_REASONS = {
  protected: 'you protect it',
  check_line: 'a check line names it',
  loaded: 'what judges names it, or the check finds it by itself',
  test: 'a test',
  configuration: 'a setting that the check reads',
  no_longer_read: 'the check read it before the work, and no longer does',
  opinion: '',
} as const satisfies Record<ChangedJudge['why'], string>;

function judgeLine({ path, why, by, opinion }: ChangedJudge): string {
  return `${path} (${opinion === undefined ? JUDGE_REASONS[why] : opinionText(by, opinion)})`;
}

function opinionLine({ by, opinion }: ChangedJudge): string[] {
  return opinion === undefined ? [] : [`the opinion of ${by}: ${opinion.says}`];
}

function unrelatedLine(files: readonly UnrelatedFile[]): string {
  const by = [...new Set(files.map((file) => file.by))].join(', ');
  return `in the opinion of ${by} the task does not explain ${listedPaths(files.map(({ path }) => path))}`;
}

function processLine({ pid, command }: LeftProcess): string {
  return `process ${pid} (${command})`;
}

function outsideScope({ evidence, scope }: BlockerAsked): BlockerWords {
  const paths = listedPaths(evidence);
  const [was, is] = evidence.length === 1 ? ['was', 'is'] : ['were', 'are'];
  return {
    text: `${paths} ${was} changed, but ${is} outside the scope ${scope.join(', ')}. Expand the scope to include ${paths}?`,
    labels: {
      expand_scope: [
        `expand the scope to ${paths} and go on`,
        'the gate is asked again with the wider scope',
      ],
      revise_work: ['do it without leaving the scope', WITHOUT_IT],
    },
  };
}

function inSubmodule({ evidence, resolutions }: BlockerAsked): BlockerWords {
  const isOne = evidence.length === 1;
  const rest = resolutions.includes('split_work')
    ? `Deliver the rest without ${isOne ? 'it' : 'them'}?`
    : 'Do the task without it?';
  return {
    text:
      `${listedPaths(evidence)} ${isOne ? 'lies' : 'lie'} in a submodule, which is another repository: ` +
      `a commit here cannot hold the change. ${rest}`,
    labels: {
      split_work: [
        'deliver the rest without the submodule',
        'checked and delivered without it; its changes stay in the checkpoint',
      ],
      revise_work: ['let the agent do it without changing the submodule', WITHOUT_IT],
    },
  };
}

type Outside = NonNullable<CheckResult['outside']>;
const NOTHING: Outside = { before: [], during: [] };

function disturbance(files: readonly string[], { before, during }: Outside = NOTHING): string[] {
  const inTree = files.filter((path) => !before.includes(path) && !during.includes(path));
  const told = [
    ...(inTree.length > 0 ? [`its tree was disturbed while it ran: ${listed(inTree)}`] : []),
    ...(before.length > 0 ? [`outside its tree, after the run began, this changed: ${listed(before)}`] : []),
    ...(during.length > 0 ? [`outside its tree, while it ran, this changed: ${listed(during)}`] : []),
  ];
  return [
    `${told.join('; ')}; the result does not count`,
    inTree.length > 0
      ? 'that was not so before the work; look for a process that outlived the agent, or for a check that rewrites its own files'
      : 'an update (nvm, brew, npm -g) does that: if you made one, run the check; if not, put it back first',
  ];
}
