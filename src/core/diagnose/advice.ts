/** `adviceFor`: what to do now about a failure; `plan` is empty where only a person can mend it. `adviceOfClass`: without its output. */
import type { Advice } from '../vocabulary/classes/class-rule.ts';
import { FAILURE_CLASSES, type FailureClass } from '../vocabulary/classes/failure-class.ts';
import { type CauseFacts, factsOf } from './facts.ts';
import type { RootCause } from './root-cause.ts';

const NO_ROOT: RootCause = { sentence: '', missing: null, paths: [], place: '', call: '' };
/** The advice of a class alone, without a word of the output: it may stand in instructions to an agent. */
export function adviceOfClass(failureClass: FailureClass): string {
  const { transient } = FAILURE_CLASSES[failureClass];
  const { plan, steps } = adviceFor(
    failureClass,
    NO_ROOT,
    factsOf(null, []),
    '',
    transient,
    'the place where it failed',
  );
  return plan || steps.join(' ');
}

export function adviceFor(
  failureClass: FailureClass,
  root: RootCause,
  facts: CauseFacts,
  command: string,
  isTransient: boolean,
  /** Where to look if no file is named. */
  there: string,
): Advice {
  const again = command === '' ? 'run the same command again' : `run \`${command}\` again`;
  if (root.missing !== null) {
    const file = facts.file === '' ? 'the file' : facts.file;
    return {
      plan: `Add \`${root.missing.line}\` at the top of ${file}, then ${again}.`,
      steps: [`Add \`${root.missing.line}\` to ${file}.`],
      actions: [`add \`${root.missing.line}\` to ${file}`, again],
      escalation: 'the same import error came back',
    };
  }
  const { advice } = FAILURE_CLASSES[failureClass];
  if (advice === undefined)
    return {
      plan: 'Try once more and keep the whole output; then ask a model or a person.',
      steps: ['Read the whole output.'],
      actions: [again],
      escalation: 'nothing in the output names a cause',
    };
  return advice({
    isTransient,
    where: root.place || there,
    isPlaced: root.place !== '',
    again,
    host: facts.host || 'the service',
    isLocal: LOCAL.test(facts.host),
    path: facts.path || `what ${there} names`,
    message: facts.message || `see ${there}`,
    thing: facts.thing || `what ${there} names`,
    test: named(facts.test.replace(/^test (?=\S+ \S)/, '')),
    conflicts: root.paths,
  });
}

const LOCAL = /^(?:localhost\b|127\.|\[?::1\b)/;

/** With a space before it. A name of several words would run into the sentence. */
function named(test: string): string {
  return test === '' ? '' : test.includes(' ') ? ` "${test}"` : ` ${test}`;
}
