/** `chosenCells`: the cells that `--only` keeps; a text says what is wrong with it. */
import { CONTESTANTS, type Contestant, PEER_AGENTS, type PeerAgent } from './contestants.ts';
import { TROUBLES, type Trouble } from './troubles.ts';

export interface ChosenCell {
  readonly agent: PeerAgent;
  readonly contestant: Contestant;
  readonly trouble: Trouble;
}

export function chosenCells(only: string): readonly ChosenCell[] | string {
  const names = only.split(',').filter((name) => name !== '');
  const agents = PEER_AGENTS.map((name) => ({ name }));
  const known = [...agents, ...CONTESTANTS, ...TROUBLES].map(({ name }) => name);
  const unknown = names.filter((name) => !known.includes(name));
  if (unknown.length > 0)
    return `bench:peers: no agent, contestant or trouble is called ${unknown.join(', ')}; there are ${known.join(', ')}`;
  const contestants = kept(CONTESTANTS, names);
  return kept(TROUBLES, names).flatMap((trouble) =>
    contestants.flatMap((contestant) =>
      kept(agents, names).map(({ name: agent }) => ({ agent, contestant, trouble })),
    ),
  );
}

/** All of them where none is named. */
function kept<Row extends { readonly name: string }>(
  rows: readonly Row[],
  names: readonly string[],
): readonly Row[] {
  const named = rows.filter(({ name }) => names.includes(name));
  return named.length === 0 ? rows : named;
}
