/**
 * `askAboutUnable`: asks about a check that cannot even start, before any agent starts. The question shows the configuration line that
 * mends it.
 */
import type { CannotRun } from '../../vocabulary/work.ts';
import { nameOrQuote } from '../../text/quote-fenced.ts';
import { ask, failureOf } from './ask.ts';
import { escalate, incidentFor, observed } from '../recovery/incident.ts';
import { ownWords } from '../../vocabulary/questions/resolution.ts';
import type { Turn } from '../turn.ts';
import type { Unable } from '../unable-check.ts';

export function askAboutUnable(turn: Turn, { command, cannotRun, outputTail }: Unable): void {
  const program = nameOrQuote(cannotRun.program, turn.mark);
  const folder = cannotRun.folder === null ? null : nameOrQuote(cannotRun.folder, turn.mark);
  const cause = `the check \`${command}\` cannot run: ${program} ${cannotRun.isThere ? 'cannot be executed' : 'is not there'}`;
  const evidence = outputTail.trimEnd().split('\n').slice(-3);
  const incident = incidentFor(turn, 'environment', 0, turn.at);
  const explained = observed(turn, incident, 'environment', cause, evidence);
  const why = 'it would fail after the work too; nothing was spent yet';
  escalate(turn, explained, null, why);
  const named = { ...cannotRun, program, folder };
  const lines = mendingLines(named);
  ask(turn, {
    kind: 'environment',
    text: `No agent was started, because ${cause}. ${advice(named, lines)} What should happen?`,
    whyNow: why,
    options: [
      ownWords('retry', [
        'it can run now: look again',
        'the check is run again; the agent starts once it can run',
      ]),
      ownWords('revise_work', [
        'start the agent all the same',
        'the agent works and is told so; the check is still required for the delivery',
      ]),
      ownWords('abandon', [
        lines.length > 0 ? 'end this run; I write the line and start it again' : 'end this run',
        'nothing was done and nothing was spent',
      ]),
    ],
    recommended: lines.length > 0 ? 'abandon' : 'retry',
    evidence: [...lines.map((line) => `mayday.yaml: ${line}`), ...evidence],
    failure: failureOf(explained),
  });
}

function mendingLines({ folder, inCheckout, setup }: CannotRun): string[] {
  const copy = folder !== null && inCheckout ? [`copy: [${folder}]`] : [];
  return [...copy, ...(setup === null ? [] : [`setup: ${setup}`])];
}

function advice({ program, isThere, folder, inCheckout }: CannotRun, lines: readonly string[]): string {
  if (isThere && folder === null)
    return `Give it the right to be executed and commit that (\`chmod +x\`), or name the program that reads it in the check.`;
  const line = lines.map((each) => `\`${each}\``).join(' or ');
  if (folder === null) {
    const or =
      line === '' ? 'name a `setup:` command in mayday.yaml that does' : `put ${line} into mayday.yaml`;
    return `Install ${program} where checks find it, or ${or}.`;
  }
  const where = inCheckout
    ? `${folder} is ignored by git: your checkout has it, a fresh workspace does not.`
    : `${folder} is ignored by git, so no work can bring it.`;
  return `${where} ${line === '' ? 'Name a `setup:` command in mayday.yaml that makes it.' : `Put ${line} into mayday.yaml.`}`;
}
