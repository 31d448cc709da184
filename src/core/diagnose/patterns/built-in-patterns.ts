/** `BUILT_IN_PATTERNS`: three failures that every fleet of agents meets. They depend on what the attempt left behind. */
import type { Pattern } from './pattern.ts';

export const BUILT_IN_PATTERNS: readonly Pattern[] = [
  {
    id: 'delivery-failed-work-complete',
    title: 'The pull request failed although the code is complete',
    when: {
      // biome-ignore format: words stand together
      classes: [
        'git_error', 'auth_failure', 'network_failure', 'rate_limited', 'overloaded', 'permission_denied', 'timeout',
      ],
      commands: [/\bgh pr\b|\bglab mr\b|\bhub pull-request\b|\bgit push\b/],
      work: 'complete',
    },
    recovery:
      'Keep the work as it is: commit or keep the branch, repair only the delivery (login, remote, network), ' +
      'then push and open the pull request again. Do not run the agent again.',
    prevention: 'Check the login and the remote before the run starts, and deliver to a branch first.',
  },
  {
    id: 'tests-fail-work-complete',
    title: 'Tests fail although the implementation is complete',
    when: { classes: ['test_failure'], work: 'complete' },
    recovery:
      'Do not start over: resume with the failing tests and their evidence only; correct the code or, if the ' +
      'task changed that behaviour, the test; then run the same check again.',
    prevention:
      'Give the check command in the task, so that the agent runs it before it says that it is done.',
  },
  {
    id: 'partial-files',
    title: 'Only a part of the files was created before the attempt ended',
    when: {
      // biome-ignore format: words stand together
      classes: [
        'interrupted', 'timeout', 'crashed', 'budget_exhausted', 'context_overflow', 'resource_exhausted',
        'rate_limited', 'network_failure', 'overloaded',
      ],
      work: 'partial',
    },
    recovery:
      'Resume from the checkpoint with the list of what is done and what is missing; create only the missing parts, then run the checks.',
    prevention: 'Ask for a checkpoint after each part, and keep tasks small enough for one attempt.',
  },
];
