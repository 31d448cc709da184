/** `HeldRuns`: the runs that one answer lets go on: since when each is held, where its work is safe, what it cost. */
import { moneyNote } from '../../src/core/view/agent-act.ts';
import type { LineDocument } from '../../src/http/line-document.ts';
import { follow } from '../navigation/address.ts';
import { now } from '../store.ts';
import { moment, ms } from '../time.ts';

interface Shown {
  readonly lines: readonly LineDocument[];
  readonly all: number;
  /** The run that asks: nothing holds it but its own question. */
  readonly asker: string;
}

export function HeldRuns({ lines, all, asker }: Shown) {
  return (
    <div class="held stack compact" tabIndex={0}>
      <table>
        <thead>
          <tr>
            <th>Held since</th>
            <th>Run</th>
            <th>Agent</th>
            <th>Safe at</th>
            <th class="number">Cost</th>
          </tr>
        </thead>
        <tbody>
          {inOrder(lines, asker).map((line) => (
            <tr key={line.run_id}>
              <td data-head="Held since">
                {line.run_id === asker && <span class="second">asks since</span>} {heldSince(line)}
              </td>
              <td data-head="Run" class="first">
                <a href={`/runs/${line.run_id}`} onClick={follow}>
                  {line.title} <code>{line.run_id}</code>
                </a>
              </td>
              <td data-head="Agent">{line.agent}</td>
              <td data-head="Safe at">
                {line.checkpoints.length === 0
                  ? 'not begun, nothing to lose'
                  : `checkpoint ${line.checkpoints.at(-1)?.number}`}
              </td>
              <td class="number" data-head="Cost">
                {line.cost_usd > 0 ? `$${line.cost_usd.toFixed(2)}` : '–'}{' '}
                {line.cost_usd > 0 && <span class="second">{moneyNote([line.agent])}</span>}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      {all > lines.length && <p class="second">and {all - lines.length} more runs</p>}
    </div>
  );
}

/** The run that asks, then the others as they came to be held. */
function inOrder(lines: readonly LineDocument[], asker: string): readonly LineDocument[] {
  const place = (line: LineDocument) =>
    line.run_id === asker ? 0 : (waitsSince(line) ?? Number.MAX_SAFE_INTEGER);
  return lines.toSorted((a, b) => place(a) - place(b));
}

function waitsSince({ waits }: LineDocument): number | null {
  return ms(waits.findLast(({ to }) => to === null)?.from);
}

function heldSince(line: LineDocument): string {
  const since = waitsSince(line);
  return since === null ? '–' : moment(since, now.value);
}
