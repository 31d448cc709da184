/** `FleetBoard`: carries out the core's rules about what many runs share, on the record: holds, shared causes, the fleet's cap. */
import { createHash } from 'node:crypto';
import { hostname } from 'node:os';
import { adapterName, type Decision, type Fact } from '../core/vocabulary/events/event.ts';
import type { Place } from '../core/fleet/concerns.ts';
import { fleetTurn, sightingsOf } from '../core/fleet/fleet-turn.ts';
import { desiredHold } from '../core/fleet/hold-rules.ts';
import { RESTART_SIGHTING } from '../core/fleet/shared-cause.ts';
import type { RunState } from '../core/state/run-state.ts';
import { step } from '../core/step.ts';
import { readRunEnvironment } from '../act/run-environment.ts';
import { ANY_LOGIN, loginOf, looksLikeLogin } from '../agents/credentials.ts';
import type { RunRecord } from '../record/contract.ts';
import { endedOwners } from './active-holds.ts';

/** How often a keeper looks at the board between two decisions, with all keepers of its process: cheap, and soon enough to wake the run. */
const LOOK_EVERY_MS = 500;

export class FleetBoard {
  readonly #record: RunRecord;
  readonly #placeOf: (state: RunState) => Place;
  #lookedAt = -1;

  constructor(home: string, record: RunRecord, env: NodeJS.ProcessEnv) {
    this.#record = record;
    this.#placeOf = (state) => placeOf(state, env, readRunEnvironment(home, state.runId), record.hosts?.id);
  }

  /** `starting`: the attempt whose start is about to be carried out. */
  async look(
    state: () => RunState,
    submit: (fact: Fact) => Promise<unknown>,
    when: 'sometimes' | 'now',
    starting: number | null,
  ): Promise<void> {
    const lookAt = Math.trunc(performance.now() / LOOK_EVERY_MS);
    if (when === 'sometimes' && lookAt === this.#lookedAt) return;
    this.#lookedAt = lookAt;
    const now = Date.now();
    const before = state();
    const { shared_cause_window_ms, fleet_window_ms } = before.policy;
    const windowMs = Math.max(shared_cause_window_ms, fleet_window_ms);
    const board = async () => {
      const holds = await this.#record.holds();
      return {
        holds,
        sightings: await this.#record.sightings(windowMs),
        ended: await endedOwners(this.#record, holds),
      };
    };
    const place = this.#placeOf(before);
    const turn = fleetTurn(before, place, await board(), now, starting);
    let asks = false;
    for (const change of turn.changes) {
      const row = await this.#record.changeHold(change);
      if (row !== null && row.key === turn.shared?.key && row.holder === before.runId) asks = true;
    }
    if (asks && turn.shared !== null) await submit(turn.shared);
    for (const fact of turn.facts) await submit(fact);
    // A hold that was just placed also concerns the attempt that is about to start.
    if (turn.changes.length > 0 && starting !== null && state().life.type === 'working')
      for (const fact of fleetTurn(state(), place, await board(), now, starting).facts) await submit(fact);
  }

  /**
   * Claims a question for all runs before it is asked. If several runs meet the same refused login or broken host in the same
   * moment, only the run that got the hold asks a person; the others are told that they are held.
   */
  async claim(state: () => RunState, fact: Fact, submit: (fact: Fact) => Promise<unknown>): Promise<void> {
    if (fact.type !== 'attempt_examined') return;
    const before = state();
    const next = step(before, fact)?.state ?? before;
    const hold = desiredHold(next, this.#placeOf(next));
    if (hold?.kind !== 'login' && hold?.kind !== 'shared_cause') return;
    const row = await this.#record.changeHold({ type: 'place', hold });
    if (row === null || row.holder === before.runId) return;
    const { key, kind, until, reason, holder } = row;
    await submit({ type: 'held', at: fact.at, hold: { key, kind, until, reason, holder }, attempt: null });
  }

  /** Writes down what other runs should know after a turn of the core. */
  async tell(state: RunState, decisions: readonly Decision[]): Promise<void> {
    for (const sighting of sightingsOf(state, decisions, Date.now())) await this.#record.sight(sighting);
  }

  async restarts(runId: string): Promise<void> {
    await this.#record.sight({ runId, key: RESTART_SIGHTING });
  }
}

/**
 * Names the host and the account of the agent. The account is `MAYDAY_ACCOUNT` or a hash of the environment, never a credential itself.
 * `given`: the values that were given to this run alone.
 */
export function placeOf(
  state: RunState,
  env: NodeJS.ProcessEnv,
  given: Readonly<Record<string, string>> = {},
  host = hostname(),
): Place {
  const agent = state.attempts.at(-1)?.agent ?? state.agent;
  const login = loginOf(adapterName(agent), agent.command);
  if (adapterName(agent) !== 'command') return { host, account: accountOf({ ...env, ...given }, login) };
  // Two command lines without an adapter of their own are not known to share an account, and get only the credentials that are passed.
  const passed = [...state.options.environment, ...(agent.env ?? []), ...Object.keys(given)];
  const keys = passed.filter((name) => looksLikeLogin(name)).toSorted();
  return { host, account: accountOf({ ...env, ...given }, { ...login, keys }, agent.command.join('\0')) };
}

/** An account is its credential, on whichever host it is used. */
export function accountOf(env: NodeJS.ProcessEnv, login = ANY_LOGIN, program = ''): string {
  if (env['MAYDAY_ACCOUNT']) return env['MAYDAY_ACCOUNT'];
  const { keys, clouds = [], services, homes } = login;
  const hasKey = keys.some((name) => env[name]);
  const names = [...keys, ...clouds, ...services, ...(hasKey ? [] : [...homes, 'HOME'])];
  const told = names.map((name) => `${name}=${env[name] ?? ''}`).join('\n');
  return createHash('sha256').update(`${program}\n${told}`).digest('hex').slice(0, 16);
}
