/** `LifeLegend`: how a line of life is read. */
import { StateWord } from '../marks.tsx';

const MARKS: readonly (readonly [mark: string, means: string])[] = [
  ['moved', 'thick: the work moves'],
  ['alive', 'thin: alive, nothing moved'],
  ['solid', 'bracket above: an incident, until the run gets on again'],
  ['own', 'grey: no agent works, Mayday prepares or checks'],
  ['wait', 'hatched: waits, costs nothing'],
  ['needs', 'filled:'],
  ['asked', 'pale: it needed a person, who answered'],
  ['tick', 'tick below: a checkpoint, the work can be brought back to it'],
  ['delivered', 'green end: delivered, proven by your checks; brown: delivered, not proven'],
];

export function LifeLegend() {
  return (
    <ul class="legend life-legend">
      {MARKS.map(([mark, means]) => (
        <li key={mark}>
          <i class={mark} />
          <span>
            {means} {mark === 'needs' && <StateWord word="needs_you" />}
          </span>
        </li>
      ))}
    </ul>
  );
}
