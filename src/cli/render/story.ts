/** `tell`: the lines of the story that one event adds; the same live and afterwards. `ending`: the last line. */
import { counted } from '../../core/text/counted.ts';
import { firstLine, lastSentence } from '../../core/text/first-line.ts';
import type { Blocker } from '../../core/vocabulary/blockers/blocker-rule.ts';
import { blockerHeadline } from '../../core/vocabulary/blockers/blocker-evidence.ts';
import { commandDeed } from '../../core/vocabulary/events/command.ts';
import type { RunEvent } from '../../core/vocabulary/events/event.ts';
import { parkedAttempt, type RunState } from '../../core/state/run-state.ts';
import { isDeliveredInPart, unsavedWords } from '../../core/gates/unsaved-work.ts';
import { isProven, notProven } from '../../core/gates/delivery-proof.ts';
import { NOT_PROVEN } from '../../core/vocabulary/proof.ts';
import { missionState } from '../../core/vocabulary/mission.ts';
import { isolationLine, isolationOf, isolationWords } from '../../core/vocabulary/isolation.ts';
import { forgeryWords } from '../../core/vocabulary/events/word.ts';
import { readableQuotes } from '../../core/text/quote-fenced.ts';
import { fetchCommand, deliveredTo } from '../../core/view/delivered-work.ts';
import { opinionLine, opinionSays } from '../../core/view/opinions-json.ts';
import { proofLines } from '../../core/view/proof-json.ts';
import { plain } from './plain.ts';
import { clockTime, duration } from './time.ts';

/** `state` is the state after the event. Returns no line where a person needs none. */
export function tell(event: RunEvent, state: RunState): string[] {
  const at = (text: string) => `${clockTime(event.at).padEnd(8)}${plain(text)}`;
  const under = (label: string, text: string) => `          ${label.padEnd(7)}${plain(text)}`;
  switch (event.type) {
    case 'run_created':
      return [`mayday  run ${state.runId} · ${plain(firstLine(state.task.text))}`];
    case 'workspace_prepared': {
      const branch = event.branch ?? 'HEAD';
      const base =
        event.includesDirty === true
          ? `${branch} with your uncommitted changes`
          : `${branch}@${event.baseCommit?.slice(0, 7) ?? ''}`;
      const from = event.baseCommit === null ? '' : ` from ${base}`;
      const setup =
        event.setup === null ? '' : ` · setup ${event.setup.command} (${duration(event.setup.durationMs)})`;
      return [
        `        ${PLACES[event.kind]} ${event.path}${from}${setup}`,
        ...event.warnings.map((warning) => `        ! ${plain(warning)}`),
      ];
    }
    case 'checks_finished':
      return event.results
        .filter(({ variant }) => variant === 'candidate')
        .map(({ command, passed, timedOut, exitCode }) => {
          const word = passed ? 'passes' : timedOut ? 'timed out' : `fails (exit ${exitCode})`;
          return event.purpose === 'baseline'
            ? `        check ${plain(command)}: ${word} before we start`
            : at(`${passed ? '✓' : '!'} check ${command}: ${word}`);
        });
    case 'attempt_started': {
      const attempt = state.attempts.at(-1);
      const version = event.agentVersion === null ? '' : ` ${event.agentVersion}`;
      const how =
        event.attempt === 1 ? '' : attempt?.resumed ? ' · same conversation' : ' · fresh start with a brief';
      const isolation = attempt === undefined ? null : isolationOf([attempt]);
      // Old journals do not know; the first attempt tells it for all.
      const open =
        event.attempt > 1 || event.homeHidden === undefined || isolation === null
          ? []
          : isolationWords(isolation, false).open;
      return [
        at(
          `${event.attempt === 1 ? '▸' : '✓ resumed:'} ${event.agent}${version} · attempt ${event.attempt}${how}`,
        ),
        ...(state.options.asUser === undefined || event.attempt > 1
          ? []
          : [under('user', `the agent runs as ${state.options.asUser}`)]),
        ...open.map((what) => under('not contained:', ` ${what} (mayday doctor)`)),
      ];
    }
    case 'signal_raised':
      return [
        at(
          `${event.signal.severity === 'critical' ? '!' : '·'} ${event.signal.type.replaceAll('_', ' ')}: ${event.signal.reason}`,
        ),
      ];
    case 'nudge_decided':
      return [at('→ Mayday tells the agent so, and lets it go on')];
    case 'nudge_heard':
      return [at('· the agent took the message')];
    case 'attempt_ended': {
      const { exitCode, signal, endedBy } = event.exit;
      if (exitCode === 0) return [];
      return [
        at(
          [
            endedBy === 'person' ? '· the agent ended' : '! the agent ended',
            signal === null ? `with exit code ${exitCode ?? 'unknown'}` : `by ${signal}`,
            ...(endedBy === 'mayday' ? ['(stopped by Mayday)'] : []),
            ...(endedBy === 'person' ? ['(stopped by a person)'] : []),
          ].join(' '),
        ),
      ];
    }
    case 'agent_told':
      return [at(`· the agent ${event.kind === 'note' ? 'notes' : 'says'}: ${firstLine(event.text)}`)];
    case 'agent_declared_gone':
      return [at(`· ${event.by} said that the agent of attempt ${event.attempt} is gone`)];
    case 'checkpoint_taken':
      return [
        `        ✓ checkpoint ${event.checkpoint.number}${event.checkpoint.state === 'complete' ? '' : ` (${event.checkpoint.state})`}`,
      ];
    case 'incident_diagnosed': {
      const incident = state.incidents.find(({ id }) => id === event.incident);
      // A blocker that is an incident of its own has told its cause.
      if (state.delivery.blockers.some(({ code }) => code === incident?.class)) return [];
      const { rootCause, failureType, evidence } = event.diagnosis;
      if (failureType === 'waiting_for_input') return [under('asks', rootCause)];
      // A cause that only repeats how the agent ended needs its last words.
      const said = failureType === 'crashed' ? evidence.at(-1)?.text : undefined;
      return [
        under('cause', rootCause),
        ...(said === undefined || rootCause.includes(said) ? [] : [under('said', said)]),
      ];
    }
    case 'opinion_given': {
      const says = opinionSays(event.outcome);
      return [at(`· ${opinionLine(event.outcome)}`), ...(says === '' ? [] : [under('says', `“${says}”`)])];
    }
    case 'recovery_decided':
      return event.recovery.strategy === 'escalate' ? [] : [under('did', event.recovery.reason)];
    case 'waiting':
      // In place, the agent has worked on the person's own files.
      return [
        at(`… ${waitingText(event, state)}${state.workspace?.kind === 'worktree' ? ' · nothing lost' : ''}`),
      ];
    case 'incident_resolved':
      return event.outcome === 'resolved' ? [at(`✓ progress again: ${event.proof}`)] : [];
    case 'gate_passed':
      return [
        at(`${event.waived === true ? '!' : state.task.checks.length === 0 ? '·' : '✓'} ${event.reason}`),
      ];
    case 'command_failed':
      return [at(`! Mayday could not ${commandDeed(event.command)}: ${event.message} (${event.code})`)];
    case 'taken_over':
      return [
        at(
          event.host === undefined
            ? '· another keeper watches now'
            : `· host ${event.host.name} ${event.host.isLost ? 'was lost' : 'gave it away'}; another host goes on`,
        ),
      ];
    case 'blocked':
      return (
        event.blockers
          // The check itself has told that it fails, a failure its cause.
          .filter((found) => found.code !== 'check_failed' && !isTold(found, state))
          .map((blocker) => at(`! ${blockerHeadline(blocker)}`))
      );
    case 'work_delivered':
      return [
        ...(event.warnings ?? []).map((warning) => at(`! ${warning}`)),
        ...(event.notes ?? []).map((note) => at(`· ${note}`)),
      ];
    case 'forgery_refused':
      return [at(`! suspicious: ${forgeryWords(event)}; nothing was done on it`)];
    case 'word_came_late':
      return [at(`· ${event.word.replaceAll('_', ' ')} by ${event.by} came too late and changed nothing`)];
    case 'question_answered': {
      // An open question stands at the end; here is what became of it.
      const asked = state.questions.find(({ question }) => question.id === event.question)?.question;
      const chosen = asked?.options.find(({ id }) => id === event.option)?.label ?? event.option;
      const note = event.note === '' ? '' : ` · ${firstLine(event.note)}`;
      return [
        // What led to it stands above.
        at(`? ${lastSentence(asked?.text ?? event.question)}`),
        under('answer', `${event.by}: ${readableQuotes(chosen)}${note}`),
      ];
    }
    case 'noted':
      return [at(`· ${event.text}`)];
    default:
      return [];
  }
}

/** The words of a failure stand above already: as its cause, or as what Mayday could not do. */
function isTold(found: Blocker, { incidents, life }: RunState): boolean {
  if (found.source !== 'said') return false;
  const [first] = found.said;
  const isCause = incidents.some(({ diagnosis }) => diagnosis?.rootCause === first);
  return isCause || (life.type === 'waiting' && life.failed !== null);
}

const PLACES = { worktree: 'worktree', 'in-place': 'in place:', plain: 'in place, no repository:' } as const;

/** `isShown`: it stands at the end of `mayday show`, which needs no word that it exists. `isMerged`: the person has taken the work. */
export function ending(state: RunState, { isShown = false, isMerged = false } = {}): string[] {
  const { life, runId } = state;
  if (life.type !== 'ended') return [];
  const rescued = state.incidents.filter(({ outcome }) => outcome === 'resolved').length;
  const incidents =
    state.incidents.length === 0
      ? ''
      : ` · ${counted(state.incidents.length, 'incident')}, ${rescued} rescued`;
  const files = state.delivered === null ? '' : ` · ${counted(state.delivered.files.length, 'file')}`;
  const where = deliveredTo(state);
  const isUnproven = life.state !== 'abandoned' && !isProven(state);
  const isolation = isolationOf(state.attempts);
  return [
    '',
    `${isUnproven ? NOT_PROVEN : life.state}  ${life.state === 'abandoned' ? plain(life.reason) : `${where}${files}${incidents}`}`,
    ...(isUnproven ? notProven(state).map((reason) => `           not proven: ${plain(reason)}`) : []),
    ...(life.state === 'abandoned' ? [] : proofLines(state).map((line) => `           ${plain(line)}`)),
    ...(isolation === null || life.state === 'abandoned' ? [] : [`           ${isolationLine(isolation)}`]),
    ...(isDeliveredInPart(state) ? [`           without: ${plain(unsavedWords(state))}`] : []),
    ...oneRow([
      ...(life.state === 'unverified' ? ['give --check COMMAND next time'] : []),
      ...(state.delivered?.ref && life.state !== 'abandoned'
        ? [isMerged ? 'merged already' : fetchCommand(state)]
        : []),
      ...(life.state === 'abandoned' && state.attempts.length > 0 ? [`mayday diff ${runId}`] : []),
      ...(isShown ? [] : [`mayday show ${runId}`]),
      ...(life.state === 'abandoned' ? [`mayday rm ${runId}`] : []),
    ]),
    ...state.missions
      .filter((mission) => missionState(mission) === 'owes_enrichment')
      .map(
        ({ id }) =>
          `           what did the rescue teach? mayday missions close ${id} --lesson ID | --spec TEXT | --reason TEXT`,
      ),
  ];
}

function oneRow(calls: readonly string[]): string[] {
  return calls.length === 0 ? [] : [`           ${calls.join('      ')}`];
}

/** Why the run waits, until when, and what ends the wait. A pause of the run itself was told by its decision. */
function waitingText({ at, until, reason }: Extract<RunEvent, { type: 'waiting' }>, state: RunState): string {
  // A planned attempt that waits is kept from starting by the first of the holds.
  const hold = parkedAttempt(state) === undefined ? undefined : state.holds[0];
  if (hold === undefined || hold.holder === state.runId)
    return until === null ? `waiting: ${reason}` : backAt(until, at);
  const held = `held: ${reason}; run ${hold.holder} met it first (mayday holds)`;
  if (until === null) return `waiting · ${held}`;
  return until <= at ? `waiting for another run to try first · ${held}` : `${backAt(until, at)} · ${held}`;
}

function backAt(until: number, now: number): string {
  return until - now < 60_000 ? `resumes in ${duration(until - now)}` : `waiting until ${clockTime(until)}`;
}
