/**
 * `tellStory`: an autopsy as a story: where progress ended, what was tried how often, what stayed the same, what that cost, why, what to
 * do next, and what it left behind. It counts calls, not lines.
 */
import { counted } from '../../core/text/counted.ts';
import type { AgentSession } from '../../agents/sessions/session-stores.ts';
import type { Autopsy } from '../../core/detect/autopsy/autopsy.ts';
import { callText, quote } from '../../core/detect/detector.ts';
import { changes } from '../../core/detect/staleness.ts';
import { occurrences } from '../../core/detect/autopsy/repeated-turns.ts';
import { closingWords } from '../../core/detect/autopsy/run-end.ts';
import { sameLines } from '../../core/detect/autopsy/same-lines.ts';
import { editedPath, type SideEffect, sideEffects } from '../../core/detect/autopsy/side-effects.ts';
import type { RecordedTurn } from '../../core/detect/autopsy/recorded-turn.ts';
import type { TranscriptEntry } from '../../core/vocabulary/transcript.ts';
import { costText, durationText, idText } from './amounts.ts';
import { checkTold, newsTold } from './check-told.ts';
import { failing, sameIn, thingRepeated, wastedTurns, where, whose } from './repeated-told.ts';
import { lastFailureFacts, shortSummary } from './short-record.ts';
import { stepAfter } from './step-after.ts';
import { type CallPlaces, placesOf, spentSince } from './turns.ts';

export interface Story {
  /** The agent, how long, how many turns, what it cost, how it ended. */
  readonly heading: readonly string[];
  readonly summary: string;
  readonly timeline: readonly (readonly [when: string, what: string])[];
  readonly facts: readonly (readonly [label: string, text: string, aside?: string])[];
  readonly brief: string | null;
  readonly resumeCommand: string | null;
}

/** A story is read in a minute: so many other calls and effects are named. */
const TRIED = 3;
/** With these a harness ends a run. */
const OF_HARNESS = /^(?:exit_\w+|submit|finish)$/;
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
    facts: facts(session, found, at).map(([label, text, aside]) =>
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
  const step = found.firstStuckStep ?? 0;
  const [call, turn] = at.of(step);
  const met = firstMet(found)?.callStep ?? step;
  const went = `${lostCalls(entries, found, step)} ${where(found).replace(/\.+$/, '')}.`;
  const over = found.overIn === null ? '' : ` It got over that in call ${at.of(found.overIn.callStep)[0]}.`;
  const after = `${over}${falseClaim(entries, found)}`;
  const since = call <= 1 ? 'From its first call on' : `From call ${call} (turn ${turn}) on`;
  const first = met < step ? ` It met that first in call ${at.of(met)[0]}.` : '';
  return `${since}, ${went}${first}${after}`;
}

function failed(entries: readonly TranscriptEntry[], found: Autopsy): string {
  const { endedBy, lastCheck, repeats, rootCause } = found;
  if (endedBy === 'limit') {
    const before = repeats === null ? '' : ` Before that: ${failing(repeats)}.`;
    return `It was not done when its limit of money, turns or time ended it.${before}`;
  }
  if (endedBy === 'result' && lastCheck?.failed === false)
    return `It said that it was done, but ${rootCause}.`;
  const ended = endedBy === 'gave up' ? 'gave up' : 'ended with its last check failing';
  if (repeats !== null) return `It ${ended}: ${failing(repeats)}.${falseClaim(entries, found)}`;
  return rootCause === null
    ? 'It ended before it was done.'
    : `${newsTold(found.turns, '')}. The last failure: ${rootCause}`;
}

function underWay(entries: readonly TranscriptEntry[], found: Autopsy): string {
  if (found.question !== null) return `It asked, and nobody answered: ${quote(found.question)}`;
  const open = found.inFlight.at(-1);
  const during = open === undefined ? '' : `, in the middle of \`${quote(open.input)}\``;
  if (found.warning !== null) return `It was in doubt when the record ends${during}: ${found.warning.reason}`;
  if (found.repeats !== null)
    return `It was not getting on when the record ends${during}: ${failing(found.repeats)}.`;
  return `${newsTold(found.turns, ` when the record ends${during}`)}. ${checkTold(entries, found)}`;
}

/** "24 of 38 calls, 7 min and 60k tokens": what went by from `step` until it got over the trouble, or to the end. */
function lostCalls(entries: readonly TranscriptEntry[], found: Autopsy, step: number): string {
  const { turns, overIn } = found;
  const calls = wastedTurns(found).length;
  const ms = passedMs(entries.slice(step, overIn?.callStep));
  const spent = overIn === null ? spentSince(entries, step) : null;
  const parts = [
    calls === turns.length ? counted(calls, 'call') : `${calls} of ${counted(turns.length, 'call')}`,
    ...(ms > 0 ? [durationText(ms)] : []),
    ...(spent === null ? [] : [spent]),
  ];
  return parts.length === 1 ? (parts[0] as string) : `${parts.slice(0, -1).join(', ')} and ${parts.at(-1)}`;
}

/** What the agent said at its end although its last check is red. */
function falseClaim(entries: readonly TranscriptEntry[], { endedBy, lastCheck }: Autopsy): string {
  if (endedBy !== 'result' || lastCheck?.failed !== true) return '';
  const said = closingWords(entries).trim();
  const words = said === '' ? '' : ` with the words "${quote(said)}"`;
  return ` It ended all the same${words}; \`${callText(lastCheck)}\` failed the last time it ran.`;
}

function timeline(found: Autopsy, at: CallPlaces): Story['timeline'] {
  const lines: { readonly step: number; readonly when: string; readonly what: string }[] = [];
  const add = (step: number, what: string, until = '') =>
    lines.push({ step, when: `${until === '' ? 'call ' : ''}${at.of(step)[0]}${until}`, what });
  const { lastChange, repeats, firstStuckStep } = found;
  const label = `last change${firstStuckStep === null ? '' : ' before that'}`;
  if (lastChange !== null)
    add(lastChange.callStep, `${label}: ${editedPath(lastChange) ?? callText(lastChange)}`);
  const { gotOver } = found;
  if (gotOver !== null)
    add(
      gotOver.fromStep,
      `stuck: ${effort(gotOver.turns, { turns: found.turns, repeats: gotOver.groups[0] ?? null })}; then it got over that`,
      `-${at.of(gotOver.turns.at(-1)?.callStep ?? gotOver.fromStep)[0]}`,
    );
  if (firstStuckStep !== null) {
    const first = firstMet(found) ?? wastedTurns(found)[0];
    if (first !== undefined) add(first.callStep, firstTime(first, repeats));
    const wasted = wastedTurns(found);
    const last = wasted.at(-1)?.callStep ?? firstStuckStep;
    add(firstStuckStep, effort(wasted, found), `-${at.of(last)[0]}`);
    if (found.overIn !== null) add(found.overIn.callStep, `\`${callText(found.overIn)}\` gets over that`);
  } else if (repeats !== null) {
    const { first, last } = repeats;
    add(first.callStep, firstTime(first, repeats));
    if (last !== first)
      add(last.callStep, `the same ${thingRepeated(repeats)} again, ${repeats.count} times in all`);
  }
  return lines.sort((a, b) => at.of(a.step)[0] - at.of(b.step)[0]).map(({ when, what }) => [when, what]);
}

/** The first call of the record that met what the story is about. */
function firstMet({ turns, repeats }: Autopsy): RecordedTurn | null {
  return repeats === null ? null : (occurrences(turns, repeats)[0] ?? null);
}

function firstTime(turn: RecordedTurn, repeats: Autopsy['repeats']): string {
  const isFailure = turn.failed && repeats?.kind !== 'look';
  return `\`${callText(turn)}\`${isFailure ? ` fails: ${quote(turn.errorLine)}` : ', for the first time'}`;
}

/** What was done while it was stuck, in one line; each call counts once. */
function effort(part: readonly RecordedTurn[], found: Pick<Autopsy, 'turns' | 'repeats'>): string {
  const { repeats } = found;
  const same = new Set(sameIn(part, found));
  const others = part.filter((turn) => !same.has(turn) && !OF_HARNESS.test(turn.input));
  const edits = others.filter(changes);
  const failed = others.filter((turn) => turn.failed);
  const sameTexts = new Set([...same].map(callText));
  const tried = [
    ...Map.groupBy(
      others.filter((turn) => !changes(turn)),
      callText,
    ),
  ]
    .filter(([text]) => !sameTexts.has(text))
    .sort(([, a], [, b]) => b.length - a.length);
  const named = tried
    .slice(0, TRIED)
    .map(([text, same]) => `\`${text}\`${same.length === 1 ? '' : ` (${same.length})`}`);
  return [
    ...(repeats === null ? [] : [`the same ${thingRepeated(repeats)} ${repeats.count} times in all`]),
    ...(edits.length === 0
      ? []
      : [counted(edits.length, same.size > 0 && [...same].some(changes) ? 'other edit' : 'edit')]),
    ...(failed.length === 0 ? [] : [`${counted(failed.length, 'other call')} failed`]),
    ...(named.length === 0 ? [] : [`also tried: ${named.join(', ')}${tried.length > TRIED ? ', …' : ''}`]),
  ].join('; ');
}

function facts(session: AgentSession, found: Autopsy, at: CallPlaces): Story['facts'] {
  const lines: [string, string, string?][] = [];
  const all = found.repeats === null ? [] : sameLines(found.repeats.turns);
  // The line of the failure stands above.
  const same = all.length === 1 ? all : all.filter((line) => line !== found.repeats?.turn.errorLine);
  if (same.length > 0) lines.push(['Same', same.map((line) => `| ${quote(line)}`).join('\n')]);
  if (found.class !== null) {
    // The category of a habit is a guess; of a diagnosis it was read.
    const { diagnosis } = found;
    const category =
      diagnosis?.failureType === found.class ? diagnosis.category.replaceAll('_', ' ') : undefined;
    lines.push([
      'Cause',
      found.rootCause ?? 'I cannot tell',
      [found.class, ...(category === undefined ? [] : [category]), ...whose(found)].join(' · '),
    ]);
    const resume = session.resumeCommand === null ? '' : `\nthen:  ${session.resumeCommand}`;
    lines.push(['Next', `${stepAfter(found)}${resume}`]);
    const since = found.repeats?.turns[0]?.callStep ?? found.firstStuckStep;
    const left = since === null ? '' : leftBehind(found, since);
    if (left !== '') lines.push(['Left', left]);
  }
  lines.push(...lastFailureFacts(found));
  if (found.suspect !== undefined)
    lines.push([
      'Suspect',
      `turn ${at.of(found.suspectedStep ?? 0)[1]}, says a model: ${found.suspect.reason}`,
    ]);
  return lines;
}

const EFFECT: Readonly<Record<SideEffect['kind'], string>> = {
  edited: 'edited',
  ran: 'ran',
  started: 'started in the background',
};

/** What the calls since the trouble began left in the tree and on the machine. */
function leftBehind(found: Autopsy, since: number): string {
  const effects = sideEffects(found.turns.filter(({ callStep }) => callStep >= since));
  const told = effects
    .slice(0, LEFT)
    .map(({ kind, what, count }) => `${EFFECT[kind]} ${what}${count === 1 ? '' : ` (${count} times)`}`);
  return [...told, ...(effects.length > LEFT ? [`and ${effects.length - LEFT} more`] : [])].join('; ');
}
