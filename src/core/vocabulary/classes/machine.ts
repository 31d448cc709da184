/** `MACHINE_CLASSES`: the failure classes of the machine that the agent works on, and of the end of its process. */
import {
  askToMend,
  askToStart,
  type ClassRule,
  NOT_IN_OUTPUT,
  START_AGAIN,
  TOLD,
  tryAgain,
} from './class-rule.ts';

// biome-ignore format: the short columns of a row stand together
export const MACHINE_CLASSES = {
  missing_dependency: {
    sign: 'module, package, command or library not found',
    definition:
      'something of third parties is not there: a module, package, system header, library, command, interpreter, or a ' +
        'version of it that cannot be had',
    transient: false, recoverable: false, firstPhase: 3, strategy: 'escalate', returnTo: 'build',
    scope: 'host', category: 'environment', concern: 'environment', isOutside: true, inDiagnostics: true, isShareable: true,
    rungs: [],
    question: {
      asks: 'Install it on this machine, or should the agent do without?',
      retry: tryAgain('I installed it: go on'),
      revise: ['do it without that', TOLD],
      isTheirs: true,
    },
    advice: ({ thing, where, isPlaced, again }) => ({
      plan: '',
      steps: [
        `Install ${thing} in the way this project installs things (manifest, lock file, image).`,
        `If it is a wrong name or version, correct it where it is asked for${isPlaced ? ` (${where})` : ''}.`,
        `Then ${again}.`,
      ],
      actions: [`install ${thing} or correct its name`, again],
      escalation: `${thing} is not available on this machine, and adding dependencies is a person's decision`,
    }),
    hypotheses: [
      ['it is declared but not installed', 'it stands in the manifest; the install command brings it'],
      ['the name or version is wrong', 'the registry does not know it'],
    ],
  },
  environment: {
    sign: 'wrong version, missing variable, port taken, sandbox unusable',
    definition:
      'the machine is not set up for it: wrong version, a variable, lock file or configuration file (package.json, ' +
        'CMakeLists.txt, POM) that the tool itself needs is missing, an option of an absent plugin, port in use, daemon not ' +
        'running, locale, unknown model name, a database that is locked, corrupt or absent',
    transient: false, recoverable: false, firstPhase: 3, strategy: 'escalate', returnTo: null,
    scope: 'host', category: 'environment', concern: 'environment', isOutside: true, inDiagnostics: true, isShareable: true,
    rungs: [],
    question: askToMend('Mend it on this machine, then go on?', 'I mended it: go on'),
    advice: ({ message, again }) => ({
      plan: `Correct the option or wait for the lock, then ${again}.`,
      steps: [`Put the machine right: ${message}.`, `Then ${again}.`],
      actions: ['put the machine right', again],
      escalation: 'the machine or its configuration is at fault, not the work',
    }),
    hypotheses: [['the shell of the agent differs from yours', 'the same command works in your own shell']],
  },
  resource_exhausted: {
    sign: 'out of memory, disk full, too many files',
    definition:
      'the machine ran out: memory (137 and Killed without a deadline), disk, inodes, handles, threads, connections, allowed file size',
    transient: false, recoverable: false, firstPhase: 1, strategy: 'wait', returnTo: null,
    scope: 'host', category: 'environment', concern: 'environment', isOutside: true, inDiagnostics: true, isShareable: true,
    meetsEveryAgent: true,
    rungs: ['retry'],
    question: askToMend('Make room on this machine, then go on?', 'there is room now: go on'),
    advice: ({ again }) => ({
      plan: '',
      steps: [
        'Look at what is full: df -h, df -i, free -m, ulimit -a, connection counts.',
        'Free it or raise the limit.',
        `Then ${again}.`,
      ],
      actions: ['df -h; free -m; ulimit -a', 'free space or raise the limit'],
      escalation: 'the machine ran out of something; retrying makes it worse',
    }),
    hypotheses: [
      ['this program needs too much', 'its peak usage alone reaches the limit'],
      ['others use it up', 'it works when nothing else runs'],
    ],
  },
  interrupted: {
    sign: 'SIGINT, SIGTERM, SIGHUP, 130, 143',
    definition:
      'somebody or something stopped it: SIGINT, SIGTERM, SIGHUP, KeyboardInterrupt, cancelled',
    transient: true, recoverable: true, firstPhase: 1, strategy: 'resume', returnTo: 'build',
    scope: 'session', category: 'environment', concern: 'environment', reason: 'Interrupted (SIGINT)', isOutside: true,
    isShareable: true, meetsEveryAgent: true, isPatient: true,
    pastBy: 'progress',
    rungs: ['retry', 'retry', 'fresh'],
    hint: 'Go on where the files stand, and save progress often: the process may be ended again.',
    question: askToStart('Who or what ends it? Start it once more when that is over, or stop?'),
    advice: () => ({
      plan: 'Resume from the last checkpoint, unless a person stopped it on purpose.',
      steps: ['Find out who stopped it.'],
      actions: ['resume from the checkpoint'],
      escalation: 'it was stopped again and again',
    }),
    hypotheses: [['a person or a shutdown stopped it', 'shell history, system log']],
  },
  crashed: {
    sign: 'the agent process itself died',
    transient: true, recoverable: true, firstPhase: 1, strategy: 'resume', returnTo: 'build',
    scope: 'session', category: 'environment', concern: 'environment', isShareable: true, isObserved: true,
    rungs: ['retry', 'retry', 'fresh'],
    question: ({ hasWorked }) => askToStart(hasWorked ? START_AGAIN : `Does it start at all on this machine? ${START_AGAIN}`),
    hypotheses: NOT_IN_OUTPUT,
  },
  frozen: {
    sign: 'the agent process is stopped (SIGSTOP, job control)',
    transient: true, recoverable: true, firstPhase: 1, strategy: 'resume', returnTo: 'build',
    scope: 'session', category: 'environment', concern: 'environment', isShareable: true, isSilence: true, isObserved: true,
    pastBy: 'progress',
    rungs: ['retry', 'retry', 'fresh'],
    question: askToStart(),
    hypotheses: NOT_IN_OUTPUT,
  },
} as const satisfies Readonly<Record<string, ClassRule>>;
