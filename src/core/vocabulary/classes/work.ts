/** `WORK_CLASSES`: the failure classes of the work itself: its tests, its build, its time, its repository. */
import { askTheAgent, askToMend, type ClassRule, TOLD, tryAgain } from './class-rule.ts';

// biome-ignore format: the short columns of a row stand together
export const WORK_CLASSES = {
  test_failure: {
    sign: 'a test runner reports failing tests',
    definition:
      'a test ran and failed: an assertion, an exception or a crash inside a test, a hook or a fixture; also a missed ' +
        'coverage threshold, no tests found, an unhandled error that fails the test run, a relative import that the test ' +
        'runner cannot resolve',
    transient: false, recoverable: true, firstPhase: 2, strategy: 'resume', returnTo: 'build',
    scope: 'session', category: 'missing_context', concern: 'code', inDiagnostics: true,
    pastBy: 'gate',
    rungs: ['hint', 'hint', 'fresh'],
    question: askTheAgent('How should the agent make it pass, or should it be delivered as it is?'),
    advice: ({ test, where, again }) => ({
      plan:
        `Start at ${where}: read the failing test${test} and the code that it calls; ` +
        `correct the code (not the test, unless the test is wrong), then ${again}.`,
      steps: [`Look at ${where}.`, 'Decide whether the code or the test is wrong.'],
      actions: [`open ${where}`, again],
      escalation: 'the test keeps failing',
    }),
    hypotheses: [
      ['the code is wrong', 'the failing test passes on the base commit'],
      ['the test expects old behaviour', 'the test fails on the base commit too, or the task changed that behaviour'],
    ],
  },
  build_failure: {
    sign: 'compile, type, lint or bundle errors',
    definition:
      'code, a manifest or a configuration file of the project does not compile, type-check, lint, format, bundle or parse ' +
        '(whoever meets the syntax error); an unknown make target or script name; an own file or header that the build does ' +
        'not find',
    transient: false, recoverable: true, firstPhase: 2, strategy: 'resume', returnTo: 'build',
    scope: 'session', category: 'missing_context', concern: 'code', inDiagnostics: true,
    pastBy: 'gate',
    rungs: ['hint', 'hint', 'fresh'],
    question: askTheAgent('How should the agent mend it?'),
    advice: ({ where, isPlaced, again }) => ({
      plan:
        `Correct ${isPlaced ? 'the error at' : 'what is told in'} ${where}, then ${again}.`,
      steps: [`Look at ${where}.`],
      actions: [`correct ${isPlaced ? 'the error at' : 'what is told in'} ${where}`, again],
      escalation: 'the build keeps failing',
    }),
    hypotheses: [
      ['the first error is the only one', 'correct it and build again: the others are gone'],
      ['generated or installed files are stale', 'a clean build in a fresh checkout succeeds'],
    ],
  },
  runtime_error: {
    sign: 'uncaught exception, panic or crash of the program under work',
    definition:
      'the program crashed outside a test: uncaught exception, panic, abort, segmentation fault, SQL error, a data file that ' +
        'is not there, a relative import in a plain run, a test runner or worker that dies itself',
    transient: false, recoverable: true, firstPhase: 2, strategy: 'resume', returnTo: 'build',
    scope: 'session', category: 'missing_context', concern: 'code', inDiagnostics: true,
    pastBy: 'gate',
    rungs: ['hint', 'hint', 'fresh'],
    question: askTheAgent('How should the agent mend it?'),
    advice: ({ where, isPlaced, again }) => ({
      plan: isPlaced
        ? `Follow the trace to ${where}, correct the cause, then ${again}.`
        : `Correct what is told in ${where}, then ${again}.`,
      steps: [`Look at ${where}.`],
      actions: [`open ${where}`, again],
      escalation: 'the program keeps crashing',
    }),
    hypotheses: [
      ['the input is not what the code expects', 'print the value named in the message just before the line that fails'],
      ['the code never worked', 'the same command fails on the base commit'],
    ],
  },
  timeout: {
    sign: 'a tool or the whole task ran past its limit',
    definition:
      'a deadline ran out on work or on a connection that stood: the time limit of a test (if nothing else failed), of a ' +
        'client, a statement, a lock or `timeout`',
    transient: true, recoverable: true, firstPhase: 1, strategy: 'resume', returnTo: 'build',
    scope: 'session', category: 'capability_gap', concern: 'code', reason: 'Timeout', isSilence: true, isOutside: true,
    stopsDownloads: true,
    // The half-limit rule stops after two attempts that used the time limit and left nothing new. An agent that made progress may split
    // the rest.
    rungs: ['retry', 'hint'],
    hint:
      'The time limit ran out before everything was done. Do not begin again: split what is left into small parts, ' +
      'finish and save one after the other, and leave out what the task does not need.',
    question: {
      asks: 'Give it the same time once more, or a smaller piece of the task?',
      retry: tryAgain('give it the same time once more'),
      revise: ['let the agent do a smaller piece', TOLD],
    },
    advice: ({ again, test }) => ({
      plan:
        test === ''
          ? 'Try once more; if it runs out again, find what waits, do less in one step or raise the limit.'
          : `First ${again}; if the test${test} runs out of time again, find what it waits for, or raise its limit.`,
      steps: ['Find what it waits for.', 'Raise the limit or split the work.'],
      actions: [again, 'raise the limit or split the work', 'look for what waits'],
      escalation: 'the limit ran out repeatedly',
    }),
    hypotheses: [
      ['something waits for ever', 'run it alone with a longer limit: it still does not end'],
      ['the machine is slow or busy', 'it ends with twice the limit'],
    ],
  },
  git_conflict: {
    sign: 'merge, rebase, apply or stash conflict',
    definition:
      'git stopped at conflicting content: merge, rebase, cherry-pick, revert, stash, apply, patch',
    transient: false, recoverable: false, firstPhase: 3, strategy: 'escalate', returnTo: 'compose',
    scope: 'session', category: 'constraint_conflict', concern: 'judgment', reason: 'Git/forge error', isOutside: true,
    rungs: [],
    question: {
      asks: 'Which of the two intents holds?',
      retry: tryAgain('I resolved it: go on'),
      revise: ['let the agent resolve it', 'the agent goes on from the checkpoint; say in a note which side holds'],
    },
    advice: ({ conflicts }) => ({
      plan: '',
      steps: [
        `Open ${conflicts.join(', ') || 'the files that git status lists'} and look at both sides between <<<<<<< and >>>>>>>.`,
        'Keep what both intents need, remove the markers, run the tests.',
        'git add the files, then git commit (or git rebase --continue). To go back: git merge --abort.',
      ],
      actions: [
        ...(conflicts.length === 0 ? ['git status'] : conflicts.map((name) => `open ${name} and choose what stays`)),
        'git add the resolved files',
        'git commit (or git rebase --continue)',
      ],
      escalation: 'only a person knows which of the two intents holds',
    }),
    hypotheses: [['the branch is behind', 'git log HEAD..base shows commits that touch the same lines']],
  },
  git_error: {
    sign: 'lock left behind, push rejected, worktree exists, bad object',
    definition:
      'any other refusal of git: lock file, rejected push, not a repository, dubious ownership, a branch or worktree that ' +
        'exists or is missing, dirty tree, hook, nothing to commit',
    transient: false, recoverable: true, firstPhase: 1, strategy: 'resume', returnTo: 'materialize',
    scope: 'session', category: 'environment', concern: 'sink', reason: 'Git/forge error', isShareable: true,
    meetsEveryAgent: true,
    rungs: ['retry'],
    question: askToMend('Repair it in the repository, then go on?', 'I repaired it: go on'),
    advice: ({ message, again }) => ({
      plan: `Put right what git tells (${message}), then ${again}. Never force.`,
      steps: ['Read what git says.', 'Check remote, branch and permissions of the repository.', `Then ${again}.`],
      actions: ['git status', again],
      escalation: 'git cannot go on with this repository or remote by itself',
    }),
    hypotheses: [['another git process or an earlier step left this state', "git status and the lock file's age"]],
  },
} as const satisfies Readonly<Record<string, ClassRule>>;
