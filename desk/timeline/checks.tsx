/** `Checks`: the lane of checks that passed or failed. */
import type { RunJson } from '../../src/core/view/run-json.ts';
import { ms } from '../time.ts';
import type { TimeScale } from './time-scale.ts';
import { fits, LANES } from './lanes.ts';

/** Checks that would touch are one mark; a failure is never hidden by a pass. */
export function Checks({ run, scale }: { readonly run: RunJson; readonly scale: TimeScale }) {
  const y = LANES.checks;
  const marks: { x: number; passed: boolean; count: number; text: string }[] = [];
  for (const { at, passed, command, purpose } of run.checks) {
    const time = ms(at);
    if (time === null) continue;
    const x = scale.x(time);
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
  return (
    <g class="lane-checks">
      {marks.map(({ x, passed, count, text }, index) => {
        const room = (marks[index + 1]?.x ?? scale.x(scale.to)) - x;
        const before = x - (marks[index - 1]?.x ?? scale.x(scale.from));
        const words = count > 1 ? `${count} checks` : passed ? 'passed' : 'failed';
        return (
          <g key={x} class={passed ? 'pass' : 'fail'}>
            <title>{text}</title>
            <path
              d={passed ? 'M0 5.5 3.5 9 10 1.5' : 'M1 1 9 9M9 1 1 9'}
              transform={`translate(${x - 5} ${y + 5})`}
              fill="none"
              stroke-width="2"
            />
            {fits(words, room - 2) ? (
              <text x={x + 9} y={y + 14}>
                {words}
              </text>
            ) : (
              // At the end of the line the words stand before their mark.
              index === marks.length - 1 &&
              fits(words, before / 2) && (
                <text x={x - 9} y={y + 14} text-anchor="end">
                  {words}
                </text>
              )
            )}
          </g>
        );
      })}
    </g>
  );
}
