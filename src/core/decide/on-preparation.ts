/**
 * `runCreated`, `workBegun`, `workspacePrepared`, `commandFailed`: lead from a new run to its first attempt, and ask a person when a
 * command failed.
 */
import { commandDeed } from '../vocabulary/events/command.ts';
import type { FactOf } from '../vocabulary/events/event.ts';
import { oneLine, quoteFenced } from '../text/quote-fenced.ts';
import { ask, flag } from './question/ask.ts';
import { optionFor } from '../vocabulary/questions/resolution.ts';
import { incidentFor, observed } from './recovery/incident.ts';
import { beginWork } from './on-explore.ts';
import type { Turn } from './turn.ts';

export function runCreated(turn: Turn): void {
  if (turn.state.life.type !== 'queued') workBegun(turn);
}

export function workBegun(turn: Turn): void {
  turn.command({ type: 'prepare_workspace' });
}

export function workspacePrepared(turn: Turn, { setup }: FactOf<'workspace_prepared'>): void {
  if (setup !== null && setup.exitCode !== 0) {
    const incident = incidentFor(turn, 'environment', 0, turn.at);
    const cause = `the set-up command \`${setup.command}\` ended with exit code ${setup.exitCode} before any agent ran`;
    const tail = setup.outputTail.split('\n').slice(-5);
    const explained = observed(turn, incident, 'environment', cause, tail);
    return flag(turn, explained, 'the workspace is not usable');
  }
  beginWork(turn);
}

/** A command failed because of the machine. Mayday does not guess: the question tells the person exactly what happened. */
export function commandFailed(
  turn: Turn,
  { command, code, message, advice }: FactOf<'command_failed'>,
): void {
  const does = advice.find(([label]) => label === 'do');
  const failed = `Mayday could not ${commandDeed(command)}: ${quoteFenced(message, turn.mark)} (${code}).`;
  ask(turn, {
    kind: code.toLowerCase(),
    text: `${failed}${does ? ` What helps: ${oneLine(does[1]).replace(/\.$/, '')}.` : ''} Try again?`,
    whyNow: 'the run cannot go on before this is mended; the work is kept',
    options: [optionFor('retry'), optionFor('abandon')],
    recommended: 'retry',
    evidence: advice.filter((line) => line !== does).map(([label, text]) => `${label}: ${text}`),
    failure: { code: 'environment', returnsTo: null, evidence: [`${message} (${code})`] },
  });
}
