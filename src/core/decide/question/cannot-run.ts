/** `askAboutUnable`: asks about a check that cannot even start, before any agent starts, with the line that mends it. */
import type { BarredPath, CannotRun } from '../../vocabulary/work.ts';
import { nameOrQuote } from '../../text/quote-fenced.ts';
import { ask, failureOf } from './ask.ts';
import { escalate, incidentFor, observed } from '../recovery/incident.ts';
import { ownWords } from '../../vocabulary/questions/resolution.ts';
import type { Turn } from '../turn.ts';
import type { Unable } from '../unable-check.ts';
import { LOOK_AGAIN } from './class-question.ts';

export function askAboutUnable(turn: Turn, { command, cannotRun, outputTail }: Unable): void {
  const program = nameOrQuote(cannotRun.program, turn.mark);
  const folder = cannotRun.folder === null ? null : nameOrQuote(cannotRun.folder, turn.mark);
  const { barred } = cannotRun;
  const named: CannotRun = {
    ...cannotRun,
    program,
    folder,
    ...(barred === undefined ? {} : { barred: namedBarred(barred, turn.mark) }),
  };
  const cause = `the check \`${command}\` cannot run: ${whyNot(named)}`;
  const evidence = outputTail.trimEnd().split('\n').slice(-3);
  const incident = incidentFor(turn, 'environment', 0, turn.at);
  const explained = observed(turn, incident, 'environment', cause, evidence);
  const why = 'it would fail after the work too; nothing was spent yet';
  escalate(turn, explained, null, why);
  const lines = mendingLines(named);
  ask(turn, {
    kind: 'environment',
    text: `No agent was started, because ${cause}. ${advice(named, lines)} What should happen?`,
    whyNow: why,
    options: [
      ownWords('retry', [LOOK_AGAIN, 'the check is run again; the agent starts once it can run']),
      ownWords('revise_work', [
        'start the agent all the same',
        'the agent works and is told so; the check is still required for the delivery',
      ]),
      ownWords('abandon', [
        lines.length > 0 ? 'end this run; I write the line and start it again with --trust' : 'end this run',
        'nothing was done and nothing was spent',
      ]),
    ],
    preferred: lines.length > 0 ? 'abandon' : 'retry',
    evidence: [...lines.map((line) => `mayday.yaml: ${line}`), ...evidence],
    failure: failureOf(explained),
  });
}

/** Both `copy` and `setup` need it. */
const TRUST = 'A changed mayday.yaml needs --trust once.';

function whyNot({ program, isThere, barred }: CannotRun): string {
  if (barred === undefined) return `${program} ${isThere ? 'cannot be executed' : 'is not there'}`;
  const { path, needs } = barred;
  const led =
    program === path ? '' : `, and ${program} needs ${[program, path].includes(needs) ? 'it' : needs}`;
  const deed = path === needs ? 'execute' : 'enter';
  return `${whoIsBarred(barred)} may not ${deed} ${path}${led}`;
}

function namedBarred({ user, path, needs }: BarredPath, mark: string): BarredPath {
  return { user, path: nameOrQuote(path, mark), needs: nameOrQuote(needs, mark) };
}

function whoIsBarred({ user }: BarredPath): string {
  return user === null ? 'the user of Mayday' : `the user “${user}”`;
}

/** Lines of the configuration help where something is missing, not where a user lacks a right. */
function mendingLines({ folder, inCheckout, setup, barred }: CannotRun): string[] {
  if (barred !== undefined) return [];
  const copy = folder !== null && inCheckout ? [`copy: [${folder}]`] : [];
  return [...copy, ...(setup === null ? [] : [`setup: ${setup}`])];
}

function advice(
  { program, isThere, folder, inCheckout, barred }: CannotRun,
  lines: readonly string[],
): string {
  if (barred !== undefined) {
    const other = barred.user === null ? '' : ', or start again as another user (--as-user)';
    const anew = barred.needs === program ? '' : ` and make ${program} anew with it`;
    return `Install it outside of people's homes, where ${whoIsBarred(barred)} may execute it${anew}${other}.`;
  }
  if (isThere && folder === null)
    return `Give it the right to be executed and commit that (\`chmod +x\`), or name the program that reads it in the check.`;
  const line = lines.map((each) => `\`${each}\``).join(' or ');
  if (folder === null) {
    const or =
      line === '' ? 'name a `setup:` command in mayday.yaml that does' : `put ${line} into mayday.yaml`;
    return `Install ${program} where checks find it, or ${or}. ${TRUST}`;
  }
  const where = inCheckout
    ? `${folder} is ignored by git: your checkout has it, a fresh workspace does not.`
    : `${folder} is ignored by git, so no work can bring it.`;
  const how =
    line === '' ? 'Name a `setup:` command in mayday.yaml that makes it.' : `Put ${line} into mayday.yaml.`;
  return `${where} ${how} ${TRUST}`;
}
