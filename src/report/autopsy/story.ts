/** `tellStory`: an autopsy as a story. It says nothing that the record does not prove; an opinion of a model stands apart. */
import { counted } from '../../core/text/counted.ts';
import type { AgentSession } from '../../agents/sessions/session-stores.ts';
import type { Autopsy } from '../../core/detect/autopsy/autopsy.ts';
import type { StoryOpinion } from '../../core/detect/autopsy/story-opinion.ts';
import { callText, quote } from '../../core/detect/detector.ts';
import { closingWords } from '../../core/detect/autopsy/run-end.ts';
import { type SideEffect, sideEffects } from '../../core/detect/autopsy/side-effects.ts';
import { oneLine } from '../../core/text/quote-fenced.ts';
import { opinionLine } from '../../core/view/opinions-json.ts';
import type { TranscriptEntry } from '../../core/vocabulary/transcript.ts';
import { costText, durationText, idText } from './amounts.ts';
import { checkTold, lastCheckTold, newsTold } from './check-told.ts';
import { repeatsTold, wastedTurns } from './repeated-told.ts';
import { firstMet, type Timeline, timeline } from './timeline.ts';
import { type CallPlaces, placesOf, spentSince } from './turns.ts';

export interface Story {
  /** The agent, how long, how many turns, what it cost, how it ended. */
  readonly heading: readonly string[];
  readonly summary: string;
  readonly timeline: Timeline;
  readonly facts: readonly (readonly [label: string, text: string, aside?: string])[];
  readonly brief: string | null;
  readonly resumeCommand: string | null;
}

const LEFT = 8;
const ENDED: Readonly<Record<Autopsy['endedBy'], string>> = {
  person: 'ended by you',
  error: 'ended by an error',
  limit: 'ended at its limit',
  result: 'ended by itself',
  'gave up': 'gave up',
  'cut off': 'cut off',
};

export function tellStory(session: AgentSession, found: Autopsy): Story {
  const at = placesOf(session.entries, found.turns);
  const { cwd } = session.facts;
  // A path inside the project is read faster without what all of them begin with.
  const short = (text: string) => (cwd ? text.replaceAll(`${cwd}/`, '') : text);
  return {
    heading: heading(session, found, at),
    summary: short(summary(session, found, at)),
    timeline: timeline(found, at).map(([when, what]) => [when, short(what)]),
    facts: facts(session, found).map(([label, text, aside]) =>
      aside === undefined ? [label, short(text)] : [label, short(text), aside],
    ),
    brief: found.next.brief,
    resumeCommand: session.resumeCommand,
  };
}

function heading(
  { title, facts: { sessionId, usage, damagedLines }, entries }: AgentSession,
  found: Autopsy,
  { turns }: CallPlaces,
): readonly string[] {
  const id = sessionId === null ? '' : ` session ${idText(sessionId)}`;
  const ms = passedMs(entries);
  return [
    `${title}${id}`,
    ...(ms > 0 ? [durationText(ms)] : []),
    `${counted(turns, 'turn')}, ${counted(found.turns.length, 'call')}`,
    ...(usage === null ? [] : [costText(usage)]),
    ENDED[found.endedBy],
    ...(damagedLines === 0 ? [] : [`${counted(damagedLines, 'damaged line')} skipped`]),
  ];
}

function passedMs(entries: readonly TranscriptEntry[]): number {
  const times = entries.map((entry) => entry.at).filter((at) => at > 0);
  return times.length < 2 ? 0 : (times.at(-1) as number) - (times[0] as number);
}

function summary({ entries }: AgentSession, found: Autopsy, at: CallPlaces): string {
  switch (found.state) {
    case 'stuck':
      return stuck(entries, found, at);
    case 'failed':
      return failed(entries, found);
    case 'finished':
      return found.question === null
        ? `It finished, by its own word. ${checkTold(entries, found)}`
        : `It ended with a question that nobody answered: ${quote(found.question)}`;
    case 'progressing':
      return underWay(entries, found);
    case 'unknown':
      return shortSummary(found);
  }
}

function stuck(entries: readonly TranscriptEntry[], found: Autopsy, at: CallPlaces): string {
  const { repeats, overIn, firstStuckStep } = found;
  const step = firstStuckStep ?? 0;
  const [call, turn] = at.of(step);
  const since = call <= 1 ? 'from its first call on' : `from call ${call} (turn ${turn}) on`;
  const met = firstMet(found)?.callStep ?? step;
  return [
    `It was stuck ${since}. That took ${lostCalls(entries, found, step)}.`,
    ...(repeats === null ? [] : [sentence(repeatsTold(repeats))]),
    ...(met < step ? [`That came first in call ${at.of(met)[0]}.`] : []),
    ...(overIn === null ? [] : [`It got over that in call ${at.of(overIn.callStep)[0]}.`]),
    ...falseClaim(entries, found),
  ].join(' ');
}

function failed(entries: readonly TranscriptEntry[], found: Autopsy): string {
  const { endedBy, repeats, rootCause } = found;
  const before = repeats === null ? [] : [sentence(repeatsTold(repeats))];
  switch (endedBy) {
    case 'limit':
      return ['Its limit of money, turns or time ended it before it was done.', ...before].join(' ');
    case 'gave up':
      return ['It gave up.', ...before].join(' ');
    case 'result':
      return ['It ended by itself.', ...before, ...falseClaim(entries, found)].join(' ');
    default:
      return repeats === null && rootCause !== null
        ? `${newsTold(found.turns, '')}. The last failure: ${rootCause}`
        : ['It ended before it was done.', ...before].join(' ');
  }
}

function underWay(entries: readonly TranscriptEntry[], found: Autopsy): string {
  if (found.question !== null) return `It asked, and nobody answered: ${quote(found.question)}`;
  const open = found.inFlight.at(-1);
  const during = open === undefined ? '' : `, in the middle of \`${quote(open.input)}\``;
  if (found.repeats !== null)
    return `It was not getting on when the record ends${during}. ${sentence(repeatsTold(found.repeats))}`;
  if (found.warning !== null) return `It was in doubt when the record ends${during}: ${found.warning.reason}`;
  return `${newsTold(found.turns, ` when the record ends${during}`)}. ${checkTold(entries, found)}`;
}

function sentence(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;
}

/** "24 of 38 calls, 7 min and 60k tokens": what went by from `step` until it got over the trouble, or to the end. */
function lostCalls(entries: readonly TranscriptEntry[], found: Autopsy, step: number): string {
  const { turns, overIn } = found;
  const calls = wastedTurns(found).length;
  const ms = passedMs(entries.slice(step, overIn?.callStep));
  const spent = overIn === null ? spentSince(entries, step) : null;
  const parts = [
    calls === turns.length ? `all ${counted(calls, 'call')}` : `${calls} of ${counted(turns.length, 'call')}`,
    ...(ms > 0 ? [durationText(ms)] : []),
    ...(spent === null ? [] : [spent]),
  ];
  return parts.length === 1 ? (parts[0] as string) : `${parts.slice(0, -1).join(', ')} and ${parts.at(-1)}`;
}

function falseClaim(entries: readonly TranscriptEntry[], { endedBy, lastCheck }: Autopsy): readonly string[] {
  if (endedBy !== 'result' || lastCheck?.failed !== true) return [];
  const said = closingWords(entries).trim();
  return [...(said === '' ? [] : [`At its end it said: "${quote(said)}"`]), 'Its last check is red.'];
}

function facts(session: AgentSession, found: Autopsy): Story['facts'] {
  const isTrouble = found.class !== null || found.repeats !== null;
  const needsPerson = found.needsPerson ? ["not the agent's to fix"] : [];
  const aside = [...(found.class === null ? [] : [found.class]), ...needsPerson].join(' · ');
  const since = found.repeats?.first.callStep ?? found.firstStuckStep;
  const left = !isTrouble || since === null ? '' : leftBehind(found, since);
  const isKnown = found.lastCheck === null || found.repeats?.turns.includes(found.lastCheck) === true;
  const check = isTrouble && !isKnown ? lastCheckTold(found) : null;
  const next = [found.next.startHere, session.resumeCommand].filter((text) => text !== null);
  const row = (label: string, text: string | null, under = ''): Story['facts'] =>
    text === null || text === '' ? [] : [under === '' ? [label, text] : [label, text, under]];
  return [
    ...(isTrouble ? row('Cause', found.rootCause ?? 'not proven', aside) : []),
    ...row('Check', check),
    ...row('Left', left),
    ...(found.opinion === undefined ? [] : [opinionRow(found.opinion)]),
    ...(isTrouble ? row('Next', next.join('\n')) : []),
  ];
}

const EFFECT: Readonly<Record<SideEffect['kind'], string>> = {
  edited: 'edited',
  ran: 'ran',
  started: 'started in the background',
};

function leftBehind(found: Autopsy, since: number): string {
  const effects = sideEffects(found.turns.filter(({ callStep }) => callStep >= since));
  const told = effects
    .slice(0, LEFT)
    .map(({ kind, what, count }) => `${EFFECT[kind]} ${what}${count === 1 ? '' : ` (${count} times)`}`);
  return [...told, ...(effects.length > LEFT ? [`and ${effects.length - LEFT} more`] : [])].join('; ');
}

/** A record that is too short for a story still shows the call that failed last. */
function shortSummary({ turns }: Autopsy): string {
  const turn = turns.findLast((one) => one.failed);
  const last = turn === undefined ? '' : ` Last, \`${callText(turn)}\` failed: ${quote(turn.errorLine)}`;
  return `The record is too short to say how the run went.${last}`;
}

function opinionRow(opinion: StoryOpinion): Story['facts'][number] {
  const { stuck: is, cause, next_step } = opinion.answer;
  const lines = [
    `${is === 'stuck' ? 'cause' : is.replace('_', ' ')}: ${oneLine(cause)}`,
    ...(next_step === '' ? [] : [`next: ${oneLine(next_step)}`]),
  ];
  return ['Opinion', lines.join('\n'), `${opinionLine({ type: 'answered', opinion })}; not proven`];
}
