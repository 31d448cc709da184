/** `SUPPLY_CLASSES`: the failure classes of what an agent needs from outside: accounts, permissions, network, model, budget. */
import { askToMend, askToStart, type ClassRule, NOT_IN_OUTPUT, TOLD, tryAgain } from './class-rule.ts';
import { optionFor } from '../questions/resolution.ts';

// biome-ignore format: the short columns of a row stand together
export const SUPPLY_CLASSES = {
  auth_failure: {
    sign: '401, expired login, missing credential',
    definition:
      'who asks is not accepted: 401, 403 of a remote service, 407, a missing, bad or expired key or login, SSH key or host ' +
        'key, database login',
    transient: false, recoverable: false, firstPhase: 3, strategy: 'escalate', returnTo: null,
    scope: 'account', category: 'environment', concern: 'environment', reason: 'Permission error', isOutside: true,
    stopsDownloads: true, disproves: ['network'],
    pastBy: 'progress',
    rungs: [],
    question: ({ said, withheld }) => ({
      kind: 'login',
      text: `The login is refused: ${said}. ${withheld.length > 0 ? 'Pass it, or log in again' : 'Log in again'}, then go on?`,
      options: [
        ...(withheld.length === 0 ? [] : [{
          id: 'pass_env' as const,
          label: `pass ${withheld.join(', ')} to the agent and go on`,
          effect: 'the agent of this run sees it from now on; the value is taken from the shell in which you answer',
        }]),
        { id: 'retry', label: 'I have logged in again: go on', effect: 'the run resumes in the same agent session' },
        optionFor('abandon'),
      ],
    }),
    advice: ({ host }) => ({
      plan: '',
      steps: [
        `Check the login or key for ${host}: is it set, current and allowed to do this?`,
        'Log in again or put a fresh key where the tool reads it (never into the code).',
        'Resume the run; nothing else has to change.',
      ],
      actions: [`renew the credentials for ${host}`, 'resume the run'],
      escalation: `${host} refuses the credentials; only a person may renew them`,
    }),
    hypotheses: [
      ['the credential has expired or was revoked', 'the same call with a fresh login works'],
      ['the credential is valid but may not do this', 'a harmless call with it works'],
    ],
  },
  permission_denied: {
    sign: 'EACCES, denied tool, read-only',
    definition:
      'the local system or a sandbox forbids it: file rights, read-only file system, kernel or database privilege, a tool or ' +
        'path that the agent may not use',
    transient: false, recoverable: false, firstPhase: 3, strategy: 'escalate', returnTo: 'explore',
    scope: 'session', category: 'constraint_conflict', concern: 'scope', reason: 'Permission error', isOutside: true,
    isShareable: true, isSharedByName: true,
    rungs: [],
    question: ({ cause, deniedTools }) =>
      deniedTools.length === 0
        ? {
            asks: 'Grant exactly that, or should the agent do without?',
            retry: tryAgain('I granted it: go on'),
            revise: ['do it without that', TOLD],
            isTheirs: true,
          }
        : {
            kind: 'permission',
            text: `The agent may not do that: ${cause}. Allow exactly that, do it without, or stop?`,
            options: [
              {
                id: 'allow',
                label: `allow ${deniedTools.join(', ')} and go on`,
                effect: 'recorded as your permission for this run only; the agent goes on in its session',
              },
              optionFor('revise_work'),
              optionFor('waive_with_reason'),
              optionFor('abandon'),
            ],
          },
    advice: ({ path }) => ({
      plan: '',
      steps: [
        `Decide whether the work should touch ${path}.`,
        'If yes, grant exactly that (owner, mode, mount, sandbox rule); if no, choose another place.',
        'Resume the run.',
      ],
      actions: [`ls -ld ${path}`, 'grant access or change the target'],
      escalation: `access to ${path} is a person's decision`,
    }),
    hypotheses: [
      ['the file belongs to another user', 'ls -l shows another owner'],
      ['a sandbox or mount forbids it', 'the same write works outside the sandbox'],
    ],
  },
  network_failure: {
    sign: 'refused, DNS, reset, dropped stream',
    definition:
      'a host is not reached or the connection breaks: refused, not resolved, not connected in time, reset, cut off, TLS or ' +
        'certificate trouble',
    transient: true, recoverable: true, firstPhase: 1, strategy: 'wait', returnTo: null,
    scope: 'host', category: 'environment', concern: 'environment', isOutside: true, stopsDownloads: true, hold: 'network',
    pastBy: 'progress',
    rungs: [],
    question: askToMend('Is the way there mended?', 'it can be reached again: go on'),
    advice: ({ host, isLocal, again, isTransient }) => ({
      plan: isLocal
        ? `Start what should listen at ${host} on this machine, then try again; waiting helps only while it starts.`
        : `Wait and try again with growing pauses; check that ${host} is up and reachable from this machine.`,
      steps: isTransient
        ? [
            `Check from this machine that ${host} is up and can be reached: name, port, proxy, VPN.`,
            `When it answers, ${again}.`,
          ]
        : [
            `Check the certificate of ${host} and the trust store or proxy of this machine.`,
            'Install the right certificate; do not switch verification off.',
          ],
      actions: [`check that ${host} is reachable`, again],
      escalation: isTransient
        ? `${host} cannot be reached from this machine`
        : `the certificate of ${host} is not trusted here; retrying cannot change that`,
    }),
    hypotheses: [
      ['{host} is down', 'curl or nc to {host} from this machine fails too'],
      ['this machine has no network', 'another host cannot be reached either'],
    ],
  },
  rate_limited: {
    sign: '429, usage limit with a reset time',
    definition:
      'too many requests for now: 429, a 403 that names a rate limit, a usage limit that resets by itself',
    transient: true, recoverable: true, firstPhase: 1, strategy: 'wait', returnTo: null,
    scope: 'account', category: 'environment', concern: 'environment', reason: 'Model API error', isOutside: true,
    stopsDownloads: true, tellsReset: true, isPatient: true, hold: 'limit', disproves: ['network', 'login'],
    pastBy: 'progress',
    rungs: [],
    question: askToMend('Wait for the reset or raise the limit, then go on?', 'the limit is over: go on'),
    advice: () => ({
      plan: 'Wait until the limit resets, then resume once; hold other runs of the same account meanwhile.',
      steps: ['Wait for the reset.'],
      actions: ['wait for the reset', 'resume once'],
      escalation: 'the limit does not reset by itself',
    }),
    hypotheses: [['other runs use the same account', 'the limit stays away when they pause']],
  },
  overloaded: {
    sign: '5xx, 529',
    definition:
      'a remote service fails: 500 to 504, 520 to 529, maintenance, no capacity',
    transient: true, recoverable: true, firstPhase: 1, strategy: 'wait', returnTo: null,
    scope: 'account', category: 'environment', concern: 'environment', reason: 'Model API error', isOutside: true,
    stopsDownloads: true, tellsReset: true, hold: 'overload', disproves: ['network', 'login'],
    pastBy: 'progress',
    rungs: [],
    question: askToMend('Is the service well again?', 'the service is well again: go on'),
    advice: ({ host }) => ({
      plan: `Wait with growing pauses and probe ${host} once in a while; use a fallback (mirror, model) if one is allowed.`,
      steps: [`Check the status page of ${host}.`],
      actions: ['wait and probe', 'use a fallback if one is allowed'],
      escalation: 'the service stayed down longer than the waiting horizon',
    }),
    hypotheses: [['the provider has an outage', 'its status page or a single probe says so']],
  },
  context_overflow: {
    sign: 'prompt too long, compaction failed',
    definition:
      'the prompt or the request is larger than the model takes, or compaction failed',
    transient: false, recoverable: true, firstPhase: 2, strategy: 'restart', returnTo: 'build',
    scope: 'session', category: 'capability_gap', concern: 'code', reason: 'Model API error', isOutside: true,
    disproves: ['network', 'login', 'limit', 'overload'],
    pastBy: 'progress',
    rungs: ['fresh', 'fresh'],
    hint: 'The last conversation grew too long. Read large files in parts, keep the output of commands short, finish one part at a time.',
    question: askToStart('A smaller piece of the task, or a fresh conversation once more?'),
    advice: () => ({
      plan:
        'Start a fresh session with a short brief (task, state, next step) instead of the whole history; ' +
        'read large files in parts.',
      steps: ['Shorten the request.'],
      actions: ['fresh session with a brief', 'read large files in parts'],
      escalation: 'the request stays too large',
    }),
    hypotheses: [['one huge tool result fills it', 'the largest result in the transcript is near the limit']],
  },
  session_corrupt: {
    sign: 'the same 400 for ever, unreadable session',
    definition:
      'the stored conversation of an agent cannot be read or is refused again and again',
    transient: false, recoverable: true, firstPhase: 2, strategy: 'restart', returnTo: 'build',
    scope: 'session', category: 'environment', concern: 'environment', reason: 'Model API error', isShareable: true,
    pastBy: 'progress',
    rungs: ['fresh', 'fresh'],
    question: askToStart('Begin a fresh conversation once more, or stop?'),
    hypotheses: NOT_IN_OUTPUT,
  },
  budget_exhausted: {
    sign: 'tokens, money, turns or time used up',
    definition:
      'what was paid for or granted is used up: credits, a spending cap, insufficient quota, 402, the allowed turns, iterations or retries',
    transient: false, recoverable: false, firstPhase: 3, strategy: 'escalate', returnTo: 'build',
    scope: 'session', category: 'capability_gap', concern: 'policy', isOutside: true, tellsReset: true,
    pastBy: 'progress',
    rungs: [],
    question: ({ cause, budget }) => ({
      kind: 'budget',
      text: `The budget is used up: ${cause}. Raise it, narrow the task, or stop?`,
      options: [
        {
          id: 'raise_budget',
          label: 'raise it by the same amount again and go on',
          effect: `budget then: ${budget}, once more`,
        },
        {
          id: 'revise_work',
          label: 'narrow the task and go on',
          effect: 'the agent gets your note; the budget is raised by a quarter for the narrower task',
          needsNote: true,
        },
        optionFor('waive_with_reason'),
        optionFor('abandon'),
      ],
    }),
    advice: () => ({
      plan: '',
      steps: [
        'Look at what was spent and what is missing.',
        'Decide: raise the limit, narrow the task, or end the run and keep the work.',
      ],
      actions: ['raise the limit, narrow the task, or stop'],
      escalation: "spending more is a person's decision",
    }),
    hypotheses: [['the work looped', 'the transcript repeats the same calls']],
  },
} as const satisfies Readonly<Record<string, ClassRule>>;
