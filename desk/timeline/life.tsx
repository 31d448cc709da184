/** `Life`: the lane of attempts, of what the run waited for between them, and of what Mayday did for it. `needsPerson`: now. */
import { ownStretches } from '../../src/http/life-pieces.ts';
import { answerTo } from '../store.ts';
import { ms } from '../time.ts';
import { fits, LANES, type LaneShown } from './lanes.ts';

export function Life({ run, scale, now }: LaneShown) {
  const y = LANES.life;
  return (
    <g class="lane-life">
      {ownStretches(run, now).map(({ from, to, does }) => {
        const [left, right] = [scale.x(from), scale.x(to)];
        const word = does === 'checks' ? didBetween(run, from, to) : does;
        const text = `Mayday ${word}`;
        const label = [text, word].find((words) => fits(words, right - left));
        return (
          <g key={from} class="own">
            <title>{text}</title>
            <rect x={left} y={y + 2} width={Math.max(right - left, 1)} height="20" />
            {label !== undefined && (
              <text x={left + 6} y={y + 16}>
                {label}
              </text>
            )}
          </g>
        );
      })}
      {run.attempts.flatMap(({ number, agent, resumed, started_at, ended_at }) => {
        const from = ms(started_at);
        if (from === null) return [];
        const [left, right] = [scale.x(from), scale.x(ms(ended_at) ?? now)];
        const text = `attempt ${number} · ${resumed ? 'same conversation' : agent}`;
        const room = right - left;
        return [
          <g key={number} class={ended_at === null ? 'attempt running' : 'attempt'}>
            <title>{text}</title>
            <rect x={left} y={y + 2} width={Math.max(room, 2)} height="20" />
            {fits(text, room) ? (
              <text x={left + 6} y={y + 16}>
                {text}
              </text>
            ) : fits(String(number), room) ? (
              <text x={left + 6} y={y + 16}>
                {number}
              </text>
            ) : null}
          </g>,
        ];
      })}
      {run.waits.map((wait) => {
        const [left, right] = [scale.x(ms(wait.from) ?? now), scale.x(ms(wait.to) ?? now)];
        const kind =
          wait.for !== 'person' ? 'wait' : wait.to === null && needsPerson(run) ? 'needs' : 'asked';
        const words = kind === 'wait' ? 'waits' : kind === 'needs' ? 'needs you' : 'asked you';
        return (
          <g key={wait.from} class={kind}>
            <title>{wait.reason}</title>
            <rect x={left} y={y + 2} width={Math.max(right - left, 2)} height="20" />
            {kind === 'wait' && fits(words, right - left) && (
              <rect class="plate" x={left + 2} y={y + 4} width={words.length * 6.4 + 8} height="16" />
            )}
            {fits(words, right - left) && (
              <text x={left + 6} y={y + 16}>
                {words}
              </text>
            )}
          </g>
        );
      })}
    </g>
  );
}

/** A question that this person answered needs them no more. */
export function needsPerson({ word, questions }: LaneShown['run']): boolean {
  const open = questions.find(({ state }) => state === 'open');
  return word === 'needs_you' && (open === undefined || answerTo(open.id) === undefined);
}

/** After an attempt Mayday saves what it left, and checks it where the agent says that it is done. */
function didBetween(run: LaneShown['run'], from: number, to: number): string {
  const isIn = ({ at }: { readonly at: string | null }) => {
    const time = ms(at);
    return time !== null && time >= from && time <= to;
  };
  if (run.checks.some(isIn)) return 'checks';
  return run.checkpoints.some(isIn) ? 'saves' : 'looks';
}
