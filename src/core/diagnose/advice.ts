/** What to do now, per class: the plan if it can be recovered, otherwise the steps for a person and why it is theirs. */
import type { FailureClass } from '../vocabulary/failure-class.ts';
import type { Facts } from './facts.ts';
import type { RootCause } from './root-cause.ts';

export interface Advice {
  readonly plan: string;
  readonly steps: readonly string[];
  readonly actions: readonly string[];
  readonly escalation: string;
}

const NO_ROOT: RootCause = { sentence: '', missing: null, paths: [], place: '' };
const NO_FACTS: Facts = { message: '', file: '', row: 0, test: '', host: '', path: '', groups: {} };

/** What to do, without a word of what the output says: for instructions to an agent. */
export function closedAdvice(failureClass: FailureClass): string {
  const { plan, steps } = adviceFor(failureClass, NO_ROOT, NO_FACTS, '');
  return plan || steps.join(' ');
}

export function adviceFor(
  failureClass: FailureClass,
  root: RootCause,
  facts: Facts,
  command: string,
): Advice {
  const where = root.place === '' ? 'the place the evidence names' : root.place;
  const again = command === '' ? 'run the same command again' : `run \`${command}\` again`;
  const host = facts.host === '' ? 'the service' : facts.host;
  const path = facts.path === '' ? 'the path in the evidence' : facts.path;
  const message = facts.message === '' ? 'see the evidence' : facts.message;
  const thing =
    facts.groups['module'] ??
    facts.groups['name'] ??
    (facts.path === '' ? 'what the evidence names' : facts.path);
  if (root.missing !== null) {
    const file = facts.file === '' ? 'the file' : facts.file;
    return say(
      `Add \`${root.missing.line}\` at the top of ${file}, then ${again}.`,
      [`Add \`${root.missing.line}\` to ${file}.`],
      [`add \`${root.missing.line}\` to ${file}`, again],
      'the same import error came back',
    );
  }
  switch (failureClass) {
    case 'test_failure':
      return say(
        `Read the failing test${facts.test === '' ? '' : ` ${facts.test}`} and the code at ${where}; correct the code (not the test, unless the test is wrong), then ${again}.`,
        [`Look at ${where}.`, 'Decide whether the code or the test is wrong.'],
        [`open ${where}`, again],
        'the test keeps failing',
      );
    case 'build_failure':
      return say(
        `Correct the first error at ${where}; later errors often follow from it. Then ${again}.`,
        [`Look at ${where}.`],
        [`fix the first error at ${where}`, again],
        'the build keeps failing',
      );
    case 'runtime_error':
      return say(
        `Follow the trace to ${where}, correct the cause, then ${again}.`,
        [`Look at ${where}.`],
        [`open ${where}`, again],
        'the program keeps crashing',
      );
    case 'timeout':
      return say(
        `Try once more; if it runs out again, do less in one step or raise the limit, and find what waits.`,
        ['Find what it waits for.', 'Raise the limit or split the work.'],
        [again, 'raise the limit or split the work', 'look for what waits'],
        'the limit ran out repeatedly',
      );
    case 'git_conflict':
      return say(
        '',
        [...conflictSteps(root.paths)],
        [
          ...(root.paths.length === 0
            ? ['git status']
            : root.paths.map((name) => `open ${name} and choose what stays`)),
          'git add the resolved files',
          'git commit (or git rebase --continue)',
        ],
        'only a person knows which of the two intents holds',
      );
    case 'git_error':
      return say(
        `Do what git asks for (${message}), then ${again}. Never force.`,
        ['Read what git says.', 'Check remote, branch and permissions of the repository.', `Then ${again}.`],
        ['git status', again],
        'git cannot go on with this repository or remote by itself',
      );
    case 'auth_failure':
      return say(
        '',
        [
          `Check the login or key for ${host}: is it set, current and allowed to do this?`,
          'Log in again or put a fresh key where the tool reads it (never into the code).',
          'Resume the run; nothing else has to change.',
        ],
        [`renew the credentials for ${host}`, 'resume the run'],
        `${host} refuses the credentials; only a person may renew them`,
      );
    case 'permission_denied':
      return say(
        '',
        [
          `Decide whether the work should touch ${path}.`,
          'If yes, grant exactly that (owner, mode, mount, sandbox rule); if no, choose another place.',
          'Resume the run.',
        ],
        [`ls -ld ${path}`, 'grant access or change the target'],
        `access to ${path} is a person's decision`,
      );
    case 'network_failure':
      return say(
        `Wait and try again with growing pauses; check that ${host} is up and reachable from this machine.`,
        [
          `Check the certificate of ${host} and the trust store or proxy of this machine.`,
          'Install the right certificate; do not switch verification off.',
        ],
        [`check that ${host} is reachable`, again],
        `the certificate of ${host} is not trusted here; retrying cannot change that`,
      );
    case 'rate_limited':
      return say(
        'Wait until the limit resets, then resume once; hold other runs of the same account meanwhile.',
        ['Wait for the reset.'],
        ['wait for the reset', 'resume once'],
        'the limit does not reset by itself',
      );
    case 'overloaded':
      return say(
        `Wait with growing pauses and probe ${host} once in a while; use another model or mirror if one is allowed.`,
        [`Check the status page of ${host}.`],
        ['wait and probe', 'use a fallback if one is allowed'],
        'the service stayed down longer than the waiting horizon',
      );
    case 'context_overflow':
      return say(
        'Start a fresh session with a short brief (task, state, next step) instead of the whole history; read large files in parts.',
        ['Shorten the request.'],
        ['fresh session with a brief', 'read large files in parts'],
        'the request stays too large',
      );
    case 'budget_exhausted':
      return say(
        '',
        [
          'Look at what was spent and what is missing.',
          'Decide: raise the limit, narrow the task, or stop and keep the work.',
        ],
        ['raise the limit, narrow the task, or stop'],
        "spending more is a person's decision",
      );
    case 'missing_dependency':
      return say(
        '',
        [
          `Install ${thing} in the way this project installs things (manifest, lock file, image).`,
          'If it is a wrong name or version, correct the manifest instead.',
          `Then ${again}.`,
        ],
        [`install ${thing} or correct its name`, again],
        `${thing} is not available on this machine, and adding dependencies is a person's decision`,
      );
    case 'environment':
      return say(
        `Correct the option or wait for the lock, then ${again}.`,
        [`Put the machine right: ${message}.`, `Then ${again}.`],
        ['put the machine right', again],
        'the machine or its configuration is at fault, not the work',
      );
    case 'resource_exhausted':
      return say(
        '',
        [
          'Look at what is full: df -h, df -i, free -m, ulimit -a, connection counts.',
          'Free it or raise the limit.',
          `Then ${again}.`,
        ],
        ['df -h; free -m; ulimit -a', 'free space or raise the limit'],
        'the machine ran out of something; retrying makes it worse',
      );
    case 'interrupted':
      return say(
        'Resume from the last checkpoint, unless a person stopped it on purpose.',
        ['Find out who stopped it.'],
        ['resume from the checkpoint'],
        'it was stopped again and again',
      );
    case 'tool_protocol_error':
      return say(
        'Repeat the call with the exact shape that the schema asks for; if the server sends garbage, restart it.',
        ['Compare the call with the schema.'],
        ['repeat the call in the right shape', 'restart the tool server'],
        'both sides keep disagreeing about the shape',
      );
    default:
      return say(
        'Try once more and keep the whole output; then ask the recovery agent.',
        ['Read the whole output.'],
        [again],
        'nothing in the output names a cause',
      );
  }
}

function conflictSteps(paths: readonly string[]): readonly string[] {
  const files = paths.length === 0 ? 'the files that git status lists' : paths.join(', ');
  return [
    `Open ${files} and look at both sides between <<<<<<< and >>>>>>>.`,
    'Keep what both intents need, remove the markers, run the tests.',
    'git add the files, then git commit (or git rebase --continue). To go back: git merge --abort.',
  ];
}

function say(plan: string, steps: readonly string[], actions: readonly string[], escalation: string): Advice {
  return { plan, steps, actions, escalation };
}
