/** `storyOf`: what happened in a run, in order, from its public document. Words of the core; only the order is made here. */
import type { RunJson } from '../../src/core/view/run-json.ts';
import type { WayNotTaken } from '../../src/core/decide/recovery/not-chosen.ts';
import { wordText } from '../../src/core/view/state-word.ts';
import { rescueTimes } from '../../src/core/view/rescue-times.ts';
import { ms } from '../time.ts';

export type IncidentShown = RunJson['incidents'][number];

export interface Told {
  readonly at: number;
  /** Whose mark stands before it. */
  readonly word: string;
  readonly text: string;
  readonly more: string;
  /** The incident whose decision can be explained. */
  readonly incident?: IncidentShown;
  /** What else a person could have answered. */
  readonly others?: readonly WayNotTaken[];
}

export function storyOf(run: RunJson): readonly Told[] {
  const told: Told[] = [];
  const tell = (at: string | null, line: Omit<Told, 'at' | 'more'> & { readonly more?: string }) => {
    const time = ms(at);
    if (time !== null) told.push({ more: '', ...line, at: time });
  };
  for (const { number, agent, agent_version, resumed, started_at } of run.attempts) {
    const more = [agent_version ?? '', resumed ? 'same conversation' : ''].filter(Boolean).join(', ');
    tell(started_at, { word: 'working', text: `attempt ${number}, ${agent}`, more });
  }
  // A check is told before the incident that it opens in the same moment.
  for (const { at, command, passed, purpose } of run.checks) {
    const worked = run.attempts.findLast(
      ({ ended_at }) => ended_at !== null && at !== null && ended_at <= at,
    );
    const when =
      purpose === 'baseline' || !worked
        ? 'before the agent began'
        : `on the work of attempt ${worked.number}`;
    tell(at, {
      word: passed ? 'delivered' : 'failed',
      text: `${command} ${passed ? 'passed' : 'failed'}`,
      more: when,
    });
  }
  for (const incident of run.incidents) {
    const { class: failure, root_cause, detected_at, verified_at, proof } = incident;
    const words = failure.replaceAll('_', ' ');
    tell(detected_at, {
      word: 'rescuing',
      text: `${words}: ${root_cause ?? 'cause not known yet'}`,
      incident,
    });
    const moments = {
      detected: ms(detected_at),
      resumed: ms(incident.resumed_at),
      verified: ms(verified_at),
    };
    tell(verified_at, {
      word: 'delivered',
      text: `progress again: ${proof ?? ''}`,
      more: timesTold(rescueTimes(moments)),
    });
  }
  for (const { from, to, reason, for: what } of run.waits)
    if (what !== 'person')
      tell(from, {
        word: 'waiting',
        text: heldBy(run, reason),
        more: to === null && run.held_by !== null ? run.why : '',
      });
  for (const { asked_at, text, answer, options } of run.questions) {
    tell(asked_at, { word: 'needs_you', text });
    if (answer === null) continue;
    const taken = options.find(({ id }) => id === answer.option);
    tell(answer.at, {
      word: 'working',
      text: `${answer.by} answered: ${taken?.label ?? answer.option.replaceAll('_', ' ')}`,
      more: answer.note,
      others: options
        .filter((option) => option !== taken)
        .map(({ label, effect }) => ({ option: label, reason: effect })),
    });
  }
  if (run.state === 'delivered' || run.state === 'unverified' || run.state === 'abandoned')
    // The head of the page says the rest.
    tell(run.updated_at, { word: run.word, text: wordText(run.word) });
  return told.toSorted((a, b) => a.at - b.at);
}

/** The page of a cause counts from before the trouble was noticed. */
function timesTold(times: readonly string[]): string {
  return times.length === 0 ? '' : `${times.join(', ')}, from when it was noticed`;
}

/** What another run met is not told as if this one had met it. */
function heldBy({ run_id, holds }: RunJson, reason: string): string {
  const owner = holds.find((hold) => hold.reason === reason)?.owner;
  return owner === undefined || owner === run_id ? reason : `held, because ${owner} met this: ${reason}`;
}
