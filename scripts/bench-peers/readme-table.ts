/** `readmeTable`, `withTable`: the README's comparison, from the cells that every contestant has, and from the recorded rules. */
import { table } from '../docs/table.ts';
import { share } from '../eval-detect/score.ts';
import { CONTESTANTS } from './contestants.ts';
import type { PeerCell } from './peer-cell.ts';
import type { Rules } from './rules-section.ts';
import { TROUBLES } from './troubles.ts';

const BEGIN = '<!-- made by npm run bench:peers -- --record -->';
const END = '<!-- end of what is made -->';

export function withTable(readme: string, made: string): string {
  const [from, to] = [readme.indexOf(BEGIN), readme.indexOf(END)];
  return `${readme.slice(0, from)}${BEGIN}\n${made}\n${readme.slice(to)}`;
}

export function readmeTable(cells: readonly PeerCell[], { detection, diagnosis }: Rules): string {
  const common = commonCells(cells);
  const honest = new Set(TROUBLES.filter(({ isHonest }) => isHonest).map(({ name }) => name));
  const rows = CONTESTANTS.filter(isMeasured(cells)).map(({ name, title }) => {
    const own = common.filter(({ contestant }) => contestant === name);
    const [work, trouble] = [true, false].map((want) =>
      own.filter((cell) => honest.has(cell.trouble) === want),
    );
    const delivered = (some: readonly PeerCell[] = []): string =>
      share(some.filter((cell) => cell.delivered).length, some.length);
    const lies = own.filter((cell) => cell.said === 'success' && !cell.delivered).length;
    const left = own.filter((cell) => cell.processes_left > 0).length;
    return [title, delivered(trouble), delivered(work), share(lies, own.length), share(left, own.length)];
  });
  const [own, ...rules] = detection;
  const best = rules.toSorted(
    (one, other) => other.inTime - other.falseLabelled - (one.inTime - one.falseLabelled),
  )[0];
  const noticing = [own, best].flatMap((row) =>
    row === undefined
      ? []
      : [
          `${row.name}: ${row.inTime} of ${row.stuck} in time, ${row.falseLabelled + row.falseResolved} of ${row.otherLabelled + row.resolved} others stopped`,
        ],
  );
  const outputs = diagnosis.reduce((sum, row) => sum + row.outputs, 0);
  const right = (by: string): string => {
    const sum = diagnosis.reduce(
      (total, row) => total + row.outputs * (row.scores.find(({ name }) => name === by)?.accuracy ?? 0),
      0,
    );
    return `${((100 * sum) / outputs).toFixed(0)} %`;
  };
  return `
${table(['the same agents, model and troubles', 'delivered in trouble', 'honest work delivered', 'said done, was not', 'left processes'], rows)}

Public runs of stuck agents, read blind by an operator. ${noticing.join('. The best published rules, ')}. ${outputs} real outputs diagnosed: Mayday ${right('Mayday')} right, a table of keywords ${right('keywords')}.
[Every cell, how it was measured, and where a peer is better](docs/peers.md).
`;
}

/** Only agents and troubles that every contestant of the table was measured with. */
function commonCells(cells: readonly PeerCell[]): readonly PeerCell[] {
  const wanted = CONTESTANTS.filter(isMeasured(cells)).map(({ name }) => name);
  const place = ({ agent, trouble }: PeerCell): string => `${agent} ${trouble}`;
  const met = new Set(cells.map((cell) => `${place(cell)} ${cell.contestant}`));
  return cells.filter((cell) => wanted.every((name) => met.has(`${place(cell)} ${name}`)));
}

/** A contestant that is new waits for its first pass. */
function isMeasured(cells: readonly PeerCell[]): (one: { readonly name: string }) => boolean {
  return ({ name }) => cells.some(({ contestant }) => contestant === name);
}
