/** `runCreated`, `workBegun`, `commandFailed`: lead from a new run to its workspace; a failed command is asked about. */
import { commandDeed } from '../vocabulary/events/command.ts';
import type { FactOf } from '../vocabulary/events/event.ts';
import { oneLine, quoteFenced } from '../text/quote-fenced.ts';
import { ask, failureOf } from './question/ask.ts';
import { optionFor, ownWords } from '../vocabulary/questions/resolution.ts';
import { escalate, incidentFor, observed } from './recovery/incident.ts';
import type { Turn } from './turn.ts';

export function runCreated(turn: Turn): void {
  if (turn.state.life.type !== 'queued') workBegun(turn);
}

export function workBegun(turn: Turn): void {
  turn.command({ type: 'prepare_workspace' });
}

/** A command failed because of the machine. Mayday does not guess: the question tells the person exactly what happened. */
export function commandFailed(
  turn: Turn,
  { command, code, message, advice }: FactOf<'command_failed'>,
): void {
  if (code === 'SETUP_FAILED') return askAboutSetup(turn, message, advice);
  const does = advice.find(([label]) => label === 'do');
  const failed = `Mayday could not ${commandDeed(command)}: ${quoteFenced(message, turn.mark)} (${code}).`;
  ask(turn, {
    kind: code.toLowerCase(),
    text: `${failed}${does ? ` What helps: ${oneLine(does[1]).replace(/\.$/, '')}.` : ''} Try again?`,
    whyNow: 'the run cannot go on before this is mended; the work is kept',
    options: [optionFor('retry'), optionFor('abandon')],
    evidence: advice.filter((line) => line !== does).map(([label, text]) => `${label}: ${text}`),
    failure: { code: 'environment', returnsTo: null, evidence: [`${message} (${code})`] },
  });
}

/** Nothing is started in a tree that is known to be unusable. */
function askAboutSetup(turn: Turn, message: string, advice: FactOf<'command_failed'>['advice']): void {
  const evidence = advice.flatMap(([label, text]) => (label === 'happened' ? text.split('\n') : []));
  const incident = incidentFor(turn, 'environment', turn.state.attempts.length, turn.at);
  const explained = observed(turn, incident, 'environment', message, evidence);
  const why = 'nothing works in a tree without its set-up';
  escalate(turn, explained, null, why);
  ask(turn, {
    kind: 'environment',
    text: `Nothing was started, because ${quoteFenced(message, turn.mark)}. Mend it on this machine, or go on without set-up?`,
    whyNow: why,
    options: [
      ownWords('retry', ['I mended it: go on', 'the set-up runs again; an agent starts only when it passes']),
      {
        id: 'skip_setup',
        label: 'go on without set-up',
        effect: 'this run has no set-up from now on; the checks are required as before',
      },
      optionFor('abandon'),
    ],
    evidence,
    failure: failureOf(explained),
  });
}
