/** `blockerEvidence`: a blocker in words, the case first. `blockerCase`: what names the case; stored approvals and judgments are found by it. */
import type { Blocker, FailedCheck } from './blocker.ts';
import type { LeftProcess, MovedRef } from './compose-facts.ts';

/** Longer lists are cut in a sentence. */
const SHOWN = 5;
const SHOWN_PATHS = 8;

export function blockerEvidence(blocker: Blocker): readonly string[] {
  if (blocker.source === 'said') return blocker.said;
  // Nothing to name: the code says it all.
  if (blocker.code === 'empty_change' && blocker.source === 'gate') return [];
  return [blockerCase(blocker), ...details(blocker)];
}

/** Kept in the approvals, judgments and ledgers of every journal: another wording would be another case. */
export function blockerCase(blocker: Blocker): string {
  if (blocker.source === 'said') return blocker.said[0] ?? '';
  if (blocker.source === 'policy' && blocker.code !== 'check_not_recorded') return policyLine(blocker);
  switch (blocker.code) {
    case 'scope_missing':
      return 'the agent looked and proposed nothing';
    case 'scope_stale':
      return blocker.gone[0] ?? '';
    case 'scope_exceeded':
      return blocker.paths[0] ?? '';
    case 'decision_pending':
    case 'decision_conflict':
    case 'judgment_missing':
      return blocker.question;
    case 'approval_missing':
      return `proposed scope: ${blocker.scope.join(', ')}`;
    case 'missing_verification': {
      const { command, now, before } = blocker;
      const ran = now === null ? 'the runner does not say how many tests ran' : `${now} tests ran`;
      return `${command}: ${ran}, ${before} before the work`;
    }
    case 'check_failed':
    case 'verification_outdated':
      return `${blocker.command}: ${statusOf(blocker)}`;
    case 'check_not_recorded':
      return blocker.command;
    case 'touch_point_unrecorded':
      return touched(blocker);
    case 'work_too_vague':
      return 'conflict markers are left in the work';
    case 'work_not_saved':
      return unsaved(blocker);
    case 'empty_change':
      return blocker.source === 'gate' ? '' : 'no file differs from the base';
    case 'change_conflict':
      if (blocker.source === 'merged_check')
        return `${blocker.command}: exit ${blocker.exitCode} on the merged result, though it passes without the target's changes`;
      return `${other(blocker)} conflicts in ${blocker.paths.join(', ')}`;
  }
}

type Found<C extends Blocker['code'], S = string> = Extract<Blocker, { code: C; source: S }>;
type Known = Exclude<Blocker, { source: 'said' }>;

function details(blocker: Known): readonly string[] {
  switch (blocker.code) {
    case 'scope_missing':
    case 'empty_change':
      return [];
    case 'scope_stale':
      return blocker.gone.slice(1);
    case 'scope_exceeded':
      return blocker.paths.slice(1);
    case 'decision_pending':
      if (blocker.source === 'task') return ['open in the task'];
      if (blocker.source === 'repository') return [`open in ${blocker.file}`];
      return [
        blocker.options.length > 0 ? `the agent asks: ${blocker.options.join(' or ')}` : 'the agent asks',
      ];
    case 'approval_missing':
      if (blocker.source === 'policy') return [`paths: ${blocker.paths.join(', ')}`];
      return [
        ...blocker.checks.map((check) => `proposed check: ${check}`),
        ...(blocker.summary === '' ? [] : [blocker.summary]),
      ];
    case 'missing_verification':
      return blocker.source === 'policy'
        ? [`nothing that matches ${blocker.wanted.join(', ')} changed along`]
        : ['fewer tests than before prove less than before'];
    case 'check_failed':
      return failureLines(blocker);
    case 'verification_outdated':
      return [
        `it passes only with what the work changed in ${list(blocker.judges)}`,
        ...failureLines(blocker),
      ];
    case 'check_not_recorded':
      if (blocker.source === 'policy') return [policyLine(blocker)];
      return blocker.source === 'task'
        ? []
        : [
            `its tree was disturbed while it ran: ${list(blocker.files)}; the result does not count`,
            'that was not so before the work; look for a process that outlived the agent, or for a check that rewrites its own files',
          ];
    case 'touch_point_unrecorded':
      if (blocker.source === 'policy') return [changedLine(blocker)];
      if (blocker.source === 'refs')
        return blocker.refs.map(({ name, was }) => `undo: git update-ref ${name} ${was}`);
      return blocker.source === 'git' ? blocker.undo : [];
    case 'work_too_vague':
      return blocker.markers;
    case 'work_not_saved':
      return blocker.source === 'attempt'
        ? [blocker.problem]
        : blocker.files.map(({ path, why }) => `${path}: ${why}`);
    case 'decision_conflict':
      return [
        blocker.sides
          .map(
            ({ answer, file, by }) =>
              `"${answer}" (${file === null ? 'this run' : by === null ? file : `${file}, ${by}`})`,
          )
          .join(' and '),
      ];
    case 'policy_violated':
      return blocker.found;
    case 'change_conflict':
      return blocker.source === 'merged_check'
        ? blocker.output
        : [`this run: ${blocker.task}`, ...blocker.theirs.map((line) => `${other(blocker)}: ${line}`)];
    case 'judgment_missing':
      return [blocker.source === 'policy' ? changedLine(blocker) : `open in ${blocker.file}`];
    case 'approval_required':
      return [changedLine(blocker)];
  }
}

function policyLine({ rule, says }: { readonly rule: string; readonly says: string }): string {
  return `policy ${rule}: ${says}`;
}

function changedLine({ paths }: { readonly paths: readonly string[] }): string {
  return `changed: ${paths.join(', ')}`;
}

function touched(blocker: Exclude<Found<'touch_point_unrecorded'>, { source: 'policy' | 'said' }>): string {
  switch (blocker.source) {
    case 'change':
      return changedLine(blocker);
    case 'links':
      return `links that leave the tree: ${blocker.links.join(', ')}`;
    case 'refs':
      return `moved or deleted in your repository while the agent worked: ${blocker.refs.map(movedLine).join(', ')}`;
    case 'processes':
      return `the agent ended, and these still work in its workspace: ${blocker.processes.map(processLine).join(', ')}`;
    case 'git':
      return `git configuration or hooks of your repository changed while the agent worked: ${blocker.files.join(', ')}`;
  }
}

function movedLine({ name, was, is }: MovedRef): string {
  return `${name} (${was.slice(0, 12)} ${is === null ? 'is gone' : `-> ${is.slice(0, 12)}`})`;
}

function processLine({ pid, command }: LeftProcess): string {
  return `process ${pid} (${command})`;
}

function unsaved(blocker: Exclude<Found<'work_not_saved'>, { source: 'said' }>): string {
  return blocker.source === 'attempt'
    ? `what attempt ${blocker.attempt} left could not be saved; checkpoint ${blocker.checkpoint} is older`
    : `not in the checkpoint, and so not in what would be delivered: ${missingWords(blocker)}`;
}

/** `big.bin, core.1 and 3 more` */
export function missingWords({
  files,
  more,
}: Pick<Found<'work_not_saved', 'checkpoint'>, 'files' | 'more'>): string {
  const left = files.length - SHOWN_PATHS + more;
  const shown = files.slice(0, SHOWN_PATHS).map(({ path }) => path);
  return `${shown.join(', ')}${left > 0 ? ` and ${left} more` : ''}`;
}

function other({ source, name }: Found<'change_conflict', 'target' | 'run'>): string {
  return source === 'run' ? `run ${name}` : name;
}

function statusOf({ timedOut, exitCode }: FailedCheck): string {
  return timedOut ? 'timed out' : `exit ${exitCode}`;
}

function failureLines({ flaky, before, output }: FailedCheck): readonly string[] {
  return [
    ...(flaky === null ? [] : [`flaky: ${flaky.passed} of ${flaky.runs} runs on the same tree passed`]),
    ...(before === null ? [] : [BEFORE[before]]),
    ...output,
  ];
}

/** Still required, but not the agent's doing. */
const BEFORE = {
  same_output: 'it failed before the work with exactly the same output: not caused by this change',
  other_output: 'it failed before the work too',
} as const;

function list(names: readonly string[]): string {
  const shown = [...new Set(names)];
  const more = shown.length > SHOWN ? ` and ${shown.length - SHOWN} more` : '';
  return `${shown.slice(0, SHOWN).join(', ')}${more}`;
}
