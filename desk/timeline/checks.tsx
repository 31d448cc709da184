/** `Checks`: the lane of checks that passed or failed. */
import type { RunJson } from '../../src/core/view/run-json.ts';
import { ms } from '../time.ts';
import type { TimeScale } from './time-scale.ts';
import { fits, LANES } from './lanes.ts';

/** A mark with its margin. */
const HALF = 8;

/** Checks that would touch are one mark; a failure is never hidden by a pass. */
export function Checks({ run, scale }: { readonly run: RunJson; readonly scale: TimeScale }) {
  const y = LANES.checks;
  // A check ends a preparation, and a failed one begins a wait: its mark stands before that edge, not on it.
  const edges = scale.folds.flatMap(({ left, right }) => [left, right]);
  const beside = (x: number) => (edges.find((edge) => Math.abs(edge - x) < HALF) ?? x + HALF) - HALF;
  const marks: { x: number; passed: boolean; count: number; text: string }[] = [];
  for (const { at, passed, command, purpose } of run.checks) {
    const time = ms(at);
    if (time === null) continue;
    const x = beside(scale.x(time));
    const before = marks.at(-1);
    const text = `${command} ${passed ? 'passed' : 'failed'}${purpose === 'baseline' ? ' before the work' : ''}`;
    if (before !== undefined && x - before.x < 14)
      marks[marks.length - 1] = {
        x: before.x,
        passed: before.passed && passed,
        count: before.count + 1,
        text: `${before.text}; ${text}`,
      };
    else marks.push({ x, passed, count: 1, text });
  }
  let wordsEnd = scale.x(scale.from);
  return (
    <g class="lane-checks">
      {marks.map(({ x, passed, count, text }, index) => {
        const words = count > 1 ? `${count} checks` : passed ? 'passed' : 'failed';
        const next = Math.min(marks[index + 1]?.x ?? scale.x(scale.to), ...edges.filter((edge) => edge > x));
        const last = Math.max(wordsEnd, ...edges.filter((edge) => edge < x));
        const isAfter = fits(words, next - x - 2);
        const isBefore = !isAfter && fits(words, x - last - 2);
        wordsEnd = x + (isAfter ? words.length * 6.4 + 9 : 9);
        return (
          <g key={x} class={passed ? 'pass' : 'fail'}>
            <title>{text}</title>
            <path
              d={passed ? 'M0 5.5 3.5 9 10 1.5' : 'M1 1 9 9M9 1 1 9'}
              transform={`translate(${x - 5} ${y + 5})`}
              fill="none"
              stroke-width="2"
            />
            {/* At an edge or at the end of the line the words stand before their mark. */}
            {(isAfter || isBefore) && (
              <text x={isAfter ? x + 9 : x - 9} y={y + 14} text-anchor={isAfter ? 'start' : 'end'}>
                {words}
              </text>
            )}
          </g>
        );
      })}
    </g>
  );
}
