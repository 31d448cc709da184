/** Stories that keep their journal as the record would, as text, to be replayed. */
import type { Decision, Fact, RunEvent } from '../../../src/core/vocabulary/events/event.ts';
import { type Policy, withPolicy } from '../../../src/core/vocabulary/policy.ts';
import { replayRun } from '../../../src/core/replay/replay-run.ts';
import type { AlarmChange } from '../../../src/core/replay/changed-alarms.ts';
import type { Step } from '../../../src/core/step.ts';
import { Story } from '../story.ts';

export class Told extends Story {
  readonly #lines: string[] = [];

  constructor(policy: Partial<Policy> = {}) {
    super({ policy: { backoff_ms: 1_000, ...policy } });
    const { task, agent, options, repository, createdAt: at } = this.state;
    const created = { task, policy: this.state.policy, agent, options, repository, by: 'ann', at };
    this.#keep({ type: 'run_created', ...created }, this.last.decisions);
  }

  override tell(fact: Parameters<Story['tell']>[0], afterMs?: number): Step | null {
    const next = super.tell(fact, afterMs);
    if (next !== null) this.#keep({ ...fact, at: this.now } as Fact, next.decisions);
    return next;
  }

  #keep(fact: Fact, decisions: readonly Decision[]): void {
    this.#lines.push(...[fact, ...decisions].map((event) => JSON.stringify(event)));
  }

  get journal(): RunEvent[] {
    return this.#lines.map((line) => JSON.parse(line) as RunEvent);
  }

  replay(change: Partial<Policy>, alarms?: ReadonlyMap<number, AlarmChange>) {
    const policy = withPolicy(this.state.policy, change);
    const replayed = replayRun('r1', this.journal, { policy }, alarms);
    if (replayed === null) throw new Error('no journal');
    return replayed;
  }
}

/** Crashes twice, is resumed twice, then delivers. */
export function crashedTwice(policy: Partial<Policy> = {}): Told {
  const told = new Told(policy);
  told.prepared().started().ended().waited().started().ended().waited().started();
  told.ended(
    { exitCode: 0 },
    {
      claimsDone: true,
      partialWork: {
        created: ['a.txt'],
        changed: [],
        deleted: [],
        completed: [],
        missing: [],
        delivered: false,
      },
      checkpoint: { number: 1, state: 'complete', tree: 't1', commit: 'c1', missing: [], reason: 'ended' },
    },
  );
  told.checked('gate', 't1', true, ['a.txt']);
  told.tell({ type: 'work_delivered', ref: 'mayday/r1', files: ['a.txt'], salvage: false });
  return told;
}
