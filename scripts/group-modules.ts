/**
 * `groupModules`: which modules of a bundle lie together in one file. A start pays for every file that it opens and for every byte in
 * it, needed or not: modules are put together as long as that makes all starts together cheaper.
 *
 * No two files import each other. What a group imports is loaded wherever the group is, so it has at least the same users: joining a
 * group with the next one on the way to a third never saves less than joining it with the third, and the best pair is joined first.
 */

export interface ModuleGraph {
  readonly imports: (id: string) => readonly string[];
  readonly bytes: (id: string) => number;
}

/** What is started: a program, or what a program loads when it needs it. */
export interface Start {
  readonly id: string;
  /** How often, in comparison with others. */
  readonly weight: number;
}

/** Opening, linking and running one more file takes as long as reading this much more of one. */
const FILE_BYTES = 25_000;

interface Group {
  readonly modules: readonly string[];
  readonly bytes: number;
  /** By the number of the start: 1 where it loads this group. */
  readonly users: Uint8Array;
  readonly imports: Set<Group>;
}

/** Returns the groups that several starts load. */
export function groupModules(starts: readonly Start[], graph: ModuleGraph): readonly (readonly string[])[] {
  const groups = new Set(groupsByUsers(starts, graph));
  const gains = new Map<Group, Map<Group, number>>();
  const compare = (one: Group) => {
    const row = [...groups].map((other) => [other, gainOf(one, other, starts)] as const);
    gains.set(one, new Map(row.filter(([, gain]) => gain > 0)));
  };
  for (const group of groups) compare(group);
  for (;;) {
    const best = bestPair(gains);
    if (best === null) break;
    const [one, other] = best;
    const row = gains.get(one);
    // What was joined meanwhile may have changed it.
    const gain = gainOf(one, other, starts);
    if (gain < (row?.get(other) ?? 0)) {
      row?.delete(other);
      if (gain > 0) row?.set(other, gain);
      continue;
    }
    for (const gone of best) {
      groups.delete(gone);
      gains.delete(gone);
      for (const each of gains.values()) each.delete(gone);
    }
    const joined = join(one, other, groups);
    groups.add(joined);
    for (const changed of [joined, ...behind(joined)]) compare(changed);
  }
  return [...groups].filter(({ users }) => sum(users) > 1).map(({ modules }) => modules);
}

/** Modules that the same starts need are never apart. */
function groupsByUsers(starts: readonly Start[], graph: ModuleGraph): readonly Group[] {
  const users = new Map<string, Uint8Array>();
  for (const [number, { id }] of starts.entries())
    for (const needed of neededBy(id, graph)) {
      const marks = users.get(needed) ?? new Uint8Array(starts.length);
      marks[number] = 1;
      users.set(needed, marks);
    }
  const grouped = Map.groupBy(users.keys(), (id) => (users.get(id) ?? []).join(''));
  const groups = [...grouped.values()].map((modules): Group => {
    const bytes = sum(modules.map((id) => graph.bytes(id)));
    return { modules, bytes, users: Uint8Array.from(users.get(modules[0] ?? '') ?? []), imports: new Set() };
  });
  const groupOf = new Map(groups.flatMap((group) => group.modules.map((id) => [id, group] as const)));
  for (const group of groups)
    for (const id of group.modules.flatMap((module) => graph.imports(module))) {
      const imported = groupOf.get(id);
      if (imported !== undefined && imported !== group) group.imports.add(imported);
    }
  return groups;
}

function neededBy(start: string, { imports }: ModuleGraph): ReadonlySet<string> {
  const found = new Set([start]);
  for (const id of found) for (const other of imports(id)) found.add(other);
  return found;
}

/** What joining them saves all starts; less than nothing: what it costs them. */
function gainOf(one: Group, other: Group, starts: readonly Start[]): number {
  if (one === other) return 0;
  let gain = 0;
  const newUsers: (readonly [start: number, loads: Group])[] = [];
  for (const [number, { weight }] of starts.entries()) {
    const needsOne = one.users[number] === 1;
    const needsOther = other.users[number] === 1;
    if (needsOne && needsOther) gain += weight * FILE_BYTES;
    else if (needsOne || needsOther) {
      const loads = needsOne ? other : one;
      gain -= weight * loads.bytes;
      newUsers.push([number, loads]);
    }
  }
  if (gain <= 0) return gain;
  const others = new Map([one, other].map((group) => [group, behind(group)]));
  for (const [number, loads] of newUsers)
    for (const { users, bytes } of others.get(loads) ?? [])
      if (users[number] !== 1) gain -= (starts[number]?.weight ?? 0) * (bytes + FILE_BYTES);
  return gain;
}

/** Everything that a group imports, and what that imports. */
function behind({ imports }: Group): ReadonlySet<Group> {
  const found = new Set(imports);
  for (const group of found) for (const next of group.imports) found.add(next);
  return found;
}

function bestPair(gains: ReadonlyMap<Group, ReadonlyMap<Group, number>>): readonly [Group, Group] | null {
  let best: readonly [Group, Group] | null = null;
  let most = 0;
  for (const [one, row] of gains)
    for (const [other, gain] of row)
      if (gain > most) {
        most = gain;
        best = [one, other];
      }
  return best;
}

function join(one: Group, other: Group, rest: ReadonlySet<Group>): Group {
  const imports = new Set([...one.imports, ...other.imports]);
  imports.delete(one);
  imports.delete(other);
  const joined: Group = {
    modules: [...one.modules, ...other.modules],
    bytes: one.bytes + other.bytes,
    users: one.users.map((mark, number) => mark | (other.users[number] ?? 0)),
    imports,
  };
  for (const { imports: theirs } of rest) {
    const imported = [theirs.delete(one), theirs.delete(other)];
    if (imported.includes(true)) theirs.add(joined);
  }
  for (const { users } of behind(joined))
    for (const [number, mark] of joined.users.entries()) if (mark === 1) users[number] = 1;
  return joined;
}

function sum(numbers: Iterable<number>): number {
  let all = 0;
  for (const each of numbers) all += each;
  return all;
}
