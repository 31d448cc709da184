/** The judge of the promises P1 to P6: reads only what lies on disk, and shares no code with Mayday. */
import type { Box } from '../e2e/box.ts';
import { evidence, eventsOf, journal, type Line } from './disk.ts';
import type { Story } from './stories.ts';

type Event = ReturnType<typeof eventsOf>[number];

/** Everything that is wrong, in words. `before` is the journal as it lay on disk right after the crash; `log` is what the agent itself noted. */
export function broken(box: Box, story: Story, before: readonly Line[], log: string): string[] {
  const events = eventsOf(box);
  return [
    ...lost(before, journal(box)),
    ...overlaps(log),
    ...attempts(events, log),
    ...endings(box, story, events),
    ...story.wrong(box, events),
  ];
}

function lost(before: readonly Line[], after: readonly Line[]): string[] {
  return [
    ...before
      .filter(({ body }, index) => after[index]?.body !== body)
      .map(({ seq, type }) => `P1: event ${seq} (${type}) is gone or changed`),
    ...after.flatMap(({ seq }, index) =>
      seq === index + 1 ? [] : [`P1: event ${index + 1} has number ${seq}`],
    ),
  ];
}

/** At most one live attempt, and no attempt started twice, by the agent's own notes. */
function overlaps(log: string): string[] {
  const live = new Set<string>();
  const seen = new Set<string>();
  const problems: string[] = [];
  for (const line of log.split('\n').filter(Boolean)) {
    const [word = '', attempt = ''] = line.split(' ');
    if (word === 'start') {
      if (seen.has(attempt)) problems.push(`P2: attempt ${attempt} was started twice`);
      if (live.size > 0) problems.push(`P2: attempt ${attempt} began while ${[...live].join(', ')} lived`);
      seen.add(attempt);
      live.add(attempt);
    } else live.delete(attempt);
  }
  return problems;
}

/** What really ran is on record, once, and nothing else is. */
function attempts(events: readonly Event[], log: string): string[] {
  const ran = log.split('\n').filter((line) => line.startsWith('start ')).length;
  const started = events.filter(({ type }) => type === 'attempt_started').length;
  const ended = events.filter(({ type }) => type === 'attempt_ended').length;
  return ran === started && ran === ended
    ? []
    : [`P6: ${ran} processes ran, ${started} starts and ${ended} ends are on record`];
}

function endings(box: Box, story: Story, events: readonly Event[]): string[] {
  const problems: string[] = [];
  const ends = events.filter(({ type }) => type === 'ended');
  const asked = events.filter(({ type }) => type === 'question_asked').length;
  const answered = events.filter(({ type }) => type === 'question_answered').length;
  if (ends.length === 0 && asked <= answered)
    problems.push('P3: neither ended nor waiting with an open question');
  if (ends.length > 1) problems.push(`P3: ended ${ends.length} times`);
  if (ends[0]?.['state'] !== 'delivered')
    return [...problems, `not delivered: ${ends.length === 0 ? 'waiting' : JSON.stringify(ends[0])}`];
  const decided = events.findLast(({ type }) => type === 'delivery_decided');
  const proof = evidence(box).filter(({ kind }) => kind === 'check');
  if (!proof.some(({ payload }) => payload['passed'] === true && payload['tree'] === decided?.['tree']))
    problems.push('P4: what was delivered has no passing check in the ledger');
  const deliveries = events.filter(({ type }) => type === 'work_delivered');
  if (deliveries.length !== 1) problems.push(`delivered ${deliveries.length} times`);
  const there = new Set(story.delivered(box, (deliveries[0]?.['ref'] ?? '') as string));
  for (const file of story.files) if (!there.has(file)) problems.push(`P5: ${file} was not delivered`);
  return problems;
}
