/** `notChosen`: the ways out of an incident that were not taken, each with the rule that kept it back: for a person who asks why. */
import { counted } from '../../text/counted.ts';
import type { Incident, RunState } from '../../state/run-state.ts';
import { isWaitedFor, rungs, type Rung } from './ladder.ts';

export interface WayNotTaken {
  readonly option: string;
  readonly reason: string;
}

/** Empty while nothing is decided: then every way is still open. */
export function notChosen(state: RunState, incident: Incident): readonly WayNotTaken[] {
  const { recoveries, outcome } = incident;
  const question = state.questions.findLast((asked) => asked.incident === incident.id)?.question;
  if (recoveries.length === 0 && question === undefined) return [];
  const left = rungs(incident, state.options.classes?.[incident.class]).filter(
    (rung) => !recoveries.some((taken) => isOfRung(taken, rung)),
  );
  const notYet =
    outcome === 'resolved'
      ? 'not needed: the run got on before'
      : question !== undefined
        ? `you are asked first: ${question.whyNow}`
        : 'comes next if this does not help';
  const ways: WayNotTaken[] = [];
  if (!isWaitedFor(incident.class) && !recoveries.some(({ strategy }) => strategy === 'wait'))
    ways.push({ option: 'wait', reason: 'this does not pass by itself' });
  for (const rung of left) ways.push({ option: wordsOf(rung), reason: notYet });
  if (state.options.fallbacks.length === 0)
    ways.push({ option: 'another agent', reason: 'no other agent is named for this run (--fallback)' });
  else if (!recoveries.some(({ strategy }) => strategy === 'reassign'))
    ways.push({ option: 'another agent', reason: notYet });
  if (question === undefined)
    ways.push({
      option: 'ask you',
      reason:
        outcome === 'resolved' || left.length === 0
          ? notYet
          : `${counted(left.length, 'other step comes', 'other steps come')} first`,
    });
  return ways;
}

function isOfRung({ strategy, phase, freshSession }: Incident['recoveries'][number], rung: Rung): boolean {
  return strategy === rung.strategy && phase === rung.phase && freshSession === rung.fresh;
}

function wordsOf({ fresh, phase }: Rung): string {
  if (fresh) return 'a fresh agent session with a brief';
  return phase === 1 ? 'resume from the checkpoint' : 'resume with what failed';
}
