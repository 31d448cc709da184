/**
 * `tellStory`: an autopsy as a story: what was tried, where progress ended, what that cost, why, and what to do next. It counts turns, not
 * lines.
 */
import { counted } from '../../core/text/counted.ts';
import type { AgentSession } from '../../agents/session-stores.ts';
import { surestOf } from '../../core/detect/autopsy/autopsy-cause.ts';
import type { Autopsy } from '../../core/detect/autopsy/autopsy.ts';
import { callText, quote } from '../../core/detect/detector.ts';
import { changes } from '../../core/detect/detectors/staleness.ts';
import { couldRun } from '../../core/detect/autopsy/last-check.ts';
import type { Repeated } from '../../core/detect/autopsy/repeated-turns.ts';
import type { Turn } from '../../core/detect/turn.ts';
import { closedAdvice } from '../../core/diagnose/advice.ts';
import { FAILURE_CLASSES } from '../../core/vocabulary/classes/failure-class.ts';
import type { TranscriptEntry } from '../../core/vocabulary/transcript.ts';
import { costText, durationText } from './amounts.ts';
import { spentSince, turnNumbers } from './turns.ts';

export interface Story {
  /** The agent, how long, how many turns, what it cost, how it ended. */
  readonly heading: readonly string[];
  readonly summary: string;
  readonly timeline: readonly (readonly [when: string, what: string])[];
  readonly facts: readonly (readonly [label: string, text: string, aside?: string])[];
  readonly brief: string | null;
  readonly resumeCommand: string | null;
}

const SHOWN_ID_CHARS = 4;
const SUMMARY_CHARS = 2_000;
const ENDED: Readonly<Record<Autopsy['endedBy'], string>> = {
  person: 'ended by you',
  error: 'ended by an error',
  limit: 'ended at its limit',
  result: 'said it was done',
  'gave up': 'gave up',
  'cut off': 'cut off',
};

export function tellStory(session: AgentSession, found: Autopsy): Story {
  const turnAt = turnNumbers(session.entries);
  const last = session.entries.length - 1;
  const turns = last < 0 ? 0 : (turnAt[last] ?? 0);
  return {
    heading: heading(session, found, turns),
    summary: summary(session, found, turnAt, turns),
    timeline: timeline(found, turnAt, turns),
    facts: facts(session, found, turnAt),
    brief: found.next.brief,
    resumeCommand: session.resumeCommand,
  };
}

function heading(
  { title, facts: { sessionId, usage, damagedLines }, entries }: AgentSession,
  found: Autopsy,
  turns: number,
): readonly string[] {
  const id = sessionId === null ? '' : ` session ${sessionId.slice(0, SHOWN_ID_CHARS)}…`;
  const times = entries.map((entry) => entry.at).filter((at) => at > 0);
  const ms = times.length < 2 ? 0 : (times.at(-1) as number) - (times[0] as number);
  return [
    `${title}${id}`,
    ...(ms > 0 ? [durationText(ms)] : []),
    counted(turns, 'turn'),
    ...(usage === null ? [] : [costText(usage)]),
    ENDED[found.endedBy],
    ...(damagedLines === 0 ? [] : [`${counted(damagedLines, 'damaged line')} skipped`]),
  ];
}

function summary(
  { entries }: AgentSession,
  found: Autopsy,
  turnAt: readonly number[],
  turns: number,
): string {
  const { firstStuckStep, state } = found;
  switch (state) {
    case 'stuck': {
      const step = firstStuckStep ?? 0;
      const from = turnAt[step] ?? 0;
      const spent = spentSince(entries, step);
      const lost = `${turns - from + 1} turn${turns === from ? '' : 's'}${spent === null ? '' : ` and ${spent}`}`;
      const into = what(found).replace(/\.+$/, '');
      if (from <= 1) return `It never got going: ${lost} went into ${into}.`;
      const met = turnAt[found.repeats?.turns[0]?.callStep ?? -1] ?? from;
      return met < from
        ? `From turn ${from} on, ${lost} went into ${into}. It met that first in turn ${met}.`
        : `It made progress until turn ${from - 1}. After that, ${lost} went into ${into}.`;
    }
    case 'failed':
      if (found.endedBy === 'limit') {
        const before = found.repeats === null ? '' : ` Before that: ${failing(found.repeats)}.`;
        return `It was not done when its limit of money, turns or time ended it.${before}`;
      }
      if (found.endedBy === 'result' && found.lastCheck?.failed === false)
        return `It said that it was done, but ${found.rootCause}.`;
      if (found.repeats !== null)
        return `It ${found.endedBy === 'gave up' ? 'gave up' : 'ended with its last check failing'}: ${failing(found.repeats)}.`;
      return found.rootCause === null
        ? 'It ended before it was done.'
        : `It was not stuck; it failed: ${found.rootCause}`;
    case 'finished':
      if (found.question !== null)
        return `It ended with a question that nobody answered: ${quote(found.question)}`;
      return `It finished, by its own word. ${checkTold(entries, found.lastCheck)}`;
    case 'progressing': {
      if (found.question !== null) return `It asked, and nobody answered: ${quote(found.question)}`;
      const open = found.inFlight.at(-1);
      const during = open === undefined ? '' : `, in the middle of \`${quote(open.input)}\``;
      if (found.warning !== null)
        return `It was in doubt when the record ends${during}: ${found.warning.reason}`;
      return `It was making progress when the record ends${during}. ${checkTold(entries, found.lastCheck)}`;
    }
    case 'unknown':
      return 'There is too little in this record to say anything about it.';
  }
}

function failing({ turn, count }: Repeated): string {
  const times = count === 1 ? '' : ` ${count} times`;
  return `\`${callText(turn)}\` failed${times}: ${quote(turn.errorLine).replace(/\.+$/, '')}`;
}

const PASSED = /^.{0,120}\b(?:\d+ (?:pass\w*|tests?|ok)|pass(?:ed)? \d+|ok)\b.{0,80}$/im;

/** What is known about the work of a run that was not stuck. */
function checkTold(entries: readonly TranscriptEntry[], check: Turn | null): string {
  if (check === null) return 'No check was ever run, as far as the record tells: run the tests.';
  if (check.failed)
    return `Its last check ${couldRun(check) ? 'failed' : 'could not run'}: ${quote(check.errorLine)}`;
  const result = entries[check.step];
  const line = PASSED.exec(result?.type === 'tool_result' ? result.output.slice(-SUMMARY_CHARS) : '')?.[0];
  const said = line === undefined ? '' : `, ${quote(line.trim())}`;
  return `Its last check passed: \`${callText(check)}\`${said}. That does not prove the work right.`;
}

function what({ repeats }: Autopsy): string {
  if (repeats === null) return 'next to nothing new';
  const { turn } = repeats;
  if (turn.kind === 'ask') return 'the same question';
  if (turn.errorLine !== '') return `the same failure: ${quote(turn.errorLine)}`;
  return `the same call again and again: ${callText(turn)}`;
}

function timeline(found: Autopsy, turnAt: readonly number[], turns: number): Story['timeline'] {
  const lines: { readonly step: number; readonly when: string; readonly what: string }[] = [];
  const add = (step: number, what: string, until = '') =>
    lines.push({ step, when: `${until === '' ? 'turn ' : ''}${turnAt[step] ?? 0}${until}`, what });
  const { lastChange, repeats, firstStuckStep } = found;
  // A change after the failure that stayed the same was of no use.
  const isUseful =
    firstStuckStep !== null && (lastChange?.step ?? 0) < (repeats?.turns[0]?.callStep ?? Infinity);
  const label = isUseful
    ? 'last useful change'
    : `last change${firstStuckStep === null ? '' : ' before that'}`;
  if (lastChange !== null) add(lastChange.step, `${label}: ${lastChange.edit?.path ?? callText(lastChange)}`);
  const { gotOver } = found;
  if (gotOver !== null)
    add(
      gotOver.fromStep,
      `stuck: ${effort(gotOver.turns, gotOver.groups[0] ?? null)}; then it got over that`,
      `-${turnAt[gotOver.turns.at(-1)?.step ?? gotOver.fromStep] ?? 0}`,
    );
  if (firstStuckStep !== null) {
    const first = repeats?.turns[0] ?? wastedTurns(found)[0];
    if (first !== undefined) add(first.callStep, firstTime(first));
    add(firstStuckStep, effort(wastedTurns(found), repeats), `-${turns}`);
  } else if (repeats !== null) {
    const [first, last] = [repeats.turns[0] as Turn, repeats.turns.at(-1) as Turn];
    add(first.callStep, firstTime(first));
    if (last !== first)
      add(
        last.callStep,
        `the same ${first.failed ? 'failure' : 'call'} for the last time, ${repeats.count} times in all`,
      );
  }
  return lines.sort((a, b) => a.step - b.step).map(({ when, what }) => [when, what]);
}

function firstTime(turn: Turn): string {
  return `\`${callText(turn)}\`${turn.failed ? ` fails: ${quote(turn.errorLine)}` : ', for the first time'}`;
}

/** What was done while it was stuck, in one line. */
function effort(turns: readonly Turn[], repeats: Autopsy['repeats']): string {
  const edits = turns.filter(changes);
  const paths = new Set(edits.map((turn) => turn.edit?.path ?? ''));
  const [path] = paths;
  const parts = [
    ...(repeats === null
      ? []
      : [`the same ${repeats.turn.errorLine === '' ? 'call' : 'failure'} ${repeats.count} times in all`]),
    ...(edits.length === 0
      ? []
      : [`${counted(edits.length, 'edit')}${paths.size === 1 && path ? ` to ${path}` : ''}`]),
    `${turns.filter((turn) => turn.failed).length} of ${turns.length} calls failed`,
  ];
  return parts.join('; ');
}

function facts(session: AgentSession, found: Autopsy, turnAt: readonly number[]): Story['facts'] {
  const lines: [string, string, string?][] = [];
  if (found.class !== null) {
    const { diagnosis } = found;
    const rule = FAILURE_CLASSES[found.class];
    const category = diagnosis?.category ?? rule.category;
    const mendable = diagnosis?.recoverable ?? rule.recoverable;
    const whose = mendable ? 'the agent can mend it' : "not the agent's to fix";
    lines.push([
      'Cause',
      found.rootCause ?? 'I cannot tell',
      `${found.class} · ${category.replaceAll('_', ' ')} · ${whose}`,
    ]);
    // What repeated tells better what to do than the place of the last failure.
    const instructions =
      found.next.startHere ??
      diagnosis?.humanInstructions ??
      diagnosis?.suggestedActions[0] ??
      surestOf(found.signals.filter((signal) => signal.severity === 'critical'))?.suggestedAction ??
      closedAdvice(found.class);
    const resume = session.resumeCommand === null ? '' : `\nthen:  ${session.resumeCommand}`;
    lines.push(['Next', `${instructions}${resume}`]);
  }
  if (found.suspectedStep !== null && found.state !== 'unknown') {
    const turn = turnAt[found.suspectedStep] ?? 0;
    lines.push(
      found.suspect === undefined
        ? ['Suspect', `turn ${turn}, a guess`]
        : ['Suspect', `turn ${turn}, says a model: ${found.suspect.reason}`],
    );
  }
  return lines;
}

function wastedTurns(found: Autopsy): readonly Turn[] {
  return found.turns.filter((turn) => turn.callStep >= (found.firstStuckStep ?? Infinity));
}
