/** `startGrant`: what a starter may start: what `desk.start` in Mayday's own folder names, never what a repository says. */
import { isDeepStrictEqual } from 'node:util';
import { namedAgent } from '../supervise/request/choose-agent.ts';
import { loadConfig } from '../supervise/request/config.ts';
import type { RunCreated } from '../supervise/request/run-spec.ts';
import { notAllowed } from './guard.ts';

interface Wished {
  readonly repository: string;
  readonly agent?: string | undefined;
  readonly checks: readonly string[];
}

/** What a starter may say besides; the rest costs more, reads uncommitted files, or decides where the work goes. */
// biome-ignore format: words stand together
const FREE: ReadonlySet<string> = new Set([
  'repository', 'task', 'start', 'name', 'agent', 'checks', 'scope', 'fallbacks', 'expect', 'size', 'explore', 'labels', 'priority',
]);

/** `usual`: the value of each field that a request leaves out. */
export async function startGrant<W extends Wished>(home: string, wished: W, usual: W) {
  const own = await loadConfig(home);
  const entry = own.desk?.start.find(({ repository }) => repository === wished.repository);
  if (entry === undefined) throw notNamed(wished.repository);
  const { agents, checks } = entry;
  const mayWork = [...agents, ...(own.fallbacks ?? [])];
  const bound = (Object.keys(wished) as (keyof W & string)[]).find(
    (key) => !FREE.has(key) && !isDeepStrictEqual(wished[key], usual[key]),
  );
  if (bound !== undefined) throw notAllowed(`a starter does not say ${bound}`);
  return {
    wish: {
      ...wished,
      agent: wished.agent ?? agents[0],
      checks: wished.checks.length > 0 ? wished.checks : checks,
    },
    /** Not the request alone: a file of the repository may add checks and fallbacks, or give an agent's name to another program. */
    assertPlan: ({ agent, options, task }: RunCreated): void => {
      for (const one of [agent, ...options.fallbacks])
        if (!mayWork.includes(one.name) || !isDeepStrictEqual(one, namedAgent(one.name, own)))
          throw notNamed(one.name);
      for (const check of task.checks) if (!checks.includes(check)) throw notNamed(check);
    },
  };
}

function notNamed(what: string) {
  return notAllowed(
    `desk.start in the configuration of this desk does not name ${JSON.stringify(what.slice(0, 80))}`,
  );
}
