/** `peersPage`, `recordPeerCells`: the measured cells as a page with medians. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { table } from '../docs/table.ts';
import { CONTESTANTS, NOT_RUN, PEER_AGENTS } from './contestants.ts';
import { type Figure, howMeasured, measured, median } from './measured.ts';
import type { PeerCell } from './peer-cell.ts';
import { readmeTable, withTable } from './readme-table.ts';
import { DATA, recordedPeerCells, withPasses } from './recorded-cells.ts';
import { recordedRules, rulesSection } from './rules-section.ts';
import { FACTOR, SILENCE_MS, TROUBLES, type Trouble } from './troubles.ts';

const ROOT = resolve(import.meta.dirname, '../..');
export const README = join(ROOT, 'README.md');
export const PEERS_PAGE = join(ROOT, 'docs/peers.md');
export function writePeersPage(): void {
  const cells = recordedPeerCells();
  writeFileSync(PEERS_PAGE, peersPage(cells));
  writeFileSync(README, readmeWith(cells));
}

/** The README as it should be. */
export function readmeWith(cells: readonly PeerCell[]): string {
  return withTable(readFileSync(README, 'utf8'), readmeTable(cells, recordedRules()));
}

export function recordPeerCells(cells: readonly PeerCell[]): void {
  const all = withPasses(recordedPeerCells(), cells);
  writeFileSync(DATA, all.map((cell) => `${JSON.stringify(cell)}\n`).join(''));
  writePeersPage();
}

export function peersPage(cells: readonly PeerCell[]): string {
  const contestants = CONTESTANTS.map(({ name, title, package: pack, claims, commandLine }) => [
    name,
    pack === null ? title : `${title} ${pack.version}`,
    claims,
    [...new Set(PEER_AGENTS.map((agent) => `\`${commandLine[agent]}\``))].join('<br>'),
  ]);
  const beforehand = CONTESTANTS.flatMap(({ name, setUp }) =>
    setUp === undefined
      ? []
      : [
          `Before the clock starts, ${name} is set up:\n\n${shellBlock([...new Set(Object.values(setUp))].join('\n'))}`,
        ],
  );
  const closing = CONTESTANTS.flatMap(({ name, closing: line }) =>
    line === undefined
      ? []
      : [
          `The agents of ${name} must close their ticket themselves. Where the model says that it is done, it also runs:\n\n${shellBlock(line)}`,
        ],
  );
  const cannot = CONTESTANTS.flatMap(({ name, cannot: why = {} }) =>
    PEER_AGENTS.flatMap((agent) =>
      why[agent] === undefined ? [] : [`* ${name} never gets to work with ${agent}: it ${why[agent]}.`],
    ),
  );
  const all = PEER_AGENTS.length * CONTESTANTS.length * TROUBLES.length;
  const seen = new Set(cells.map(({ agent, contestant, trouble }) => `${agent} ${contestant} ${trouble}`))
    .size;
  return `<!-- made from bench/peers.jsonl and bench/rules.json, which \`npm run bench:peers -- --record\` and \`--record\` of the two evals write -->

# Side by side with what people use instead

The same task, the same agents (${agentsOf(cells).join(', ')}), the same scripted model and the same trouble for every contestant. Each cell has a repository, a home and a
model server of its own, and a limit of time, at which the whole of it is asked to end. The model behaves well after any restart, with or without its history; it
needs no words that only one contestant would say. ${seen === all ? `All ${all} cells are measured.` : `Of ${all} cells, ${seen} are measured; the others say "not measured".`}
${howMeasured(cells)}

* Every length of time is shortened by ${FACTOR}: the limit for silence is ${SILENCE_MS / 1000} s for every contestant that has one (Mayday, and the CLI with its
  own options). All else of Mayday is at its defaults, which are made for patience: its first pause before the restart of what crashed is 10 s. Lengths
  of time that are fixed in a contestant stay as they are: Paperclip suspects a silent run after an hour.
* Acted: from the trouble to the first act against it that is seen from outside: a start or request that is not the trouble any more, an end that is
  not a success, or a question to a person. Noticed: the same, but for Mayday the time in its journal, which comes before the act; a loop also knows before it
  has paused and started again, and does not tell when. Compare "acted". Requests: those spent in the trouble until it was noticed.
* Delivered: the file is where the contestant leaves its result. Said: what its exit code says of it; "question" is a question to a person, which
  the bench answers at once in the row about questions.
* Lost: the file that was written before the trouble is gone. Tokens: bytes of all requests, divided by 4.
* Processes left: still alive 5 s after the end, or after the cell was asked to end at its limit. Where Mayday was cut off, these are the keeper and its
  agent: a run goes on when its terminal is gone, until it is told to stop.

${table(['name', 'contestant', 'what it claims', 'command line'], contestants)}

${cannot.join('\n')}

${[...beforehand, ...closing].join('\n\n')}

${TROUBLES.map((trouble) => section(trouble, cells)).join('\n\n')}

${rulesSection(recordedRules())}

## Looked at, not run

${table(
  ['tool', 'version', 'why'],
  NOT_RUN.map(({ name, version, why }) => [name, version, why]),
)}
`;
}

const HEAD = [
  'agent',
  'contestant',
  'noticed after',
  'in requests',
  'acted after',
  'resumed with history',
  'delivered',
  'said',
  'took',
  'lost',
  'false stops',
  'tokens',
  'processes left',
  'measured',
];

function section({ name, title, isHonest }: Trouble, cells: readonly PeerCell[]): string {
  const here = cells.filter(({ trouble }) => trouble === name);
  const agents = agentsOf(here);
  if (agents.length === 0) return `## ${title}\n\nNot measured.`;
  const row = (agent: string, contestant: string): readonly string[] => {
    const own = here.filter((cell) => cell.agent === agent && cell.contestant === contestant);
    if (own.length === 0) return [agent, contestant, ...HEAD.slice(3).map(() => ''), 'not measured'];
    return [
      agent,
      contestant,
      isHonest ? '-' : seconds(median(own, 'noticed_s'), 'not noticed'),
      isHonest ? '-' : number(median(own, 'noticed_requests')),
      isHonest ? '-' : seconds(median(own, 'acted_s'), 'never'),
      yes(own.map((cell) => cell.resumed_with_history)),
      yes(own.map((cell) => cell.delivered)),
      [...new Set(own.map(({ said, ended }) => (said === 'nothing' ? ended : said)))].join(', '),
      seconds(median(own, 'seconds'), '-'),
      number(median(own, 'lost_files')),
      number(median(own, 'false_stops')),
      number(median(own, 'tokens')),
      number(median(own, 'processes_left')),
      measured(own),
    ];
  };
  const rows = agents.flatMap((agent) => CONTESTANTS.map((contestant) => row(agent, contestant.name)));
  const compared = agents.map(
    (agent) => `**${agent}:** ${comparison(here.filter((cell) => cell.agent === agent))}`,
  );
  return `## ${title}\n\n${table(HEAD, rows)}\n\n${compared.join('\n\n')}`;
}

function agentsOf(cells: readonly PeerCell[]): readonly string[] {
  return [...new Set(cells.map(({ agent }) => agent))].toSorted();
}

const COMPARED: readonly { readonly figure: Figure; readonly words: string }[] = [
  { figure: 'acted_s', words: 'acted sooner (s)' },
  { figure: 'seconds', words: 'done sooner (s)' },
  { figure: 'tokens', words: 'fewer tokens' },
  { figure: 'lost_files', words: 'less lost' },
  { figure: 'false_stops', words: 'fewer false stops' },
  { figure: 'processes_left', words: 'fewer processes left' },
];

/** Only a contestant that delivered can be better in anything else, unless none did. */
function comparison(cells: readonly PeerCell[]): string {
  const of = (contestant: string): readonly PeerCell[] =>
    cells.filter((cell) => cell.contestant === contestant);
  const own = of('mayday');
  if (own.length === 0) return 'Mayday is not measured here.';
  const others = CONTESTANTS.filter(({ name }) => name !== 'mayday' && of(name).length > 0);
  if (others.length === 0) return 'no other contestant is measured here.';
  const delivers = (some: readonly PeerCell[]): number =>
    some.filter(({ delivered }) => delivered).length / some.length;
  const better = others.flatMap(({ name }) => {
    const other = of(name);
    if (delivers(other) < delivers(own)) return [];
    const more = delivers(other) > delivers(own) ? ['delivered more often'] : [];
    const figures = COMPARED.flatMap(({ figure, words }) => {
      const [theirs, ours] = [median(other, figure), median(own, figure)];
      return theirs !== null && ours !== null && theirs < ours ? [`${words}: ${theirs} against ${ours}`] : [];
    });
    const reasons = [...more, ...figures];
    return reasons.length === 0 ? [] : [`* ${name}: ${reasons.join('; ')}`];
  });
  if (better.length === 0)
    return 'no measured contestant that delivered as often is better than Mayday in any column.';
  return `better than Mayday, among those that delivered at least as often:\n\n${better.join('\n')}`;
}

function yes(facts: readonly (boolean | null)[]): string {
  const known = facts.filter((fact) => fact !== null);
  if (known.length === 0) return '-';
  const count = known.filter(Boolean).length;
  return known.length === 1 ? (count === 1 ? 'yes' : 'no') : `${count} of ${known.length}`;
}

function seconds(value: number | null, otherwise: string): string {
  return value === null ? otherwise : `${value.toFixed(1)} s`;
}

function number(value: number | null): string {
  return value === null ? '-' : String(value);
}

/** The test of the docs runs what a reader can run. */
function shellBlock(lines: string): string {
  return `<!-- not run: needs the tool, which the bench installs -->\n\`\`\`sh\n${lines}\n\`\`\``;
}
