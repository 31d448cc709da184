/** What a run is told of the holds of others, by the record: an owner that has ended holds nobody. */
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { Fact } from '../../src/core/vocabulary/events/event.ts';
import { networkKey } from '../../src/core/fleet/concerns.ts';
import { FleetBoard, placeOf } from '../../src/supervise/fleet-board.ts';
import { RunJournal } from '../../src/supervise/run-journal.ts';
import { takeRun } from '../../src/supervise/lease/adopt-run.ts';
import { type Fleet, openFleet } from '../drills/fleet.ts';

let fleet: Fleet;
beforeEach(async () => {
  fleet = await openFleet();
});
afterEach(() => fleet.remove());

async function ownRun(command = ['true']): Promise<RunJournal> {
  const runId = await fleet.submit(command, {});
  const taken = await takeRun(fleet.record, runId, 60_000);
  return await RunJournal.open(fleet.record, runId, taken?.fence ?? 0, (value) => value);
}

async function aboutToStart(command?: string[]): Promise<RunJournal> {
  const journal = await ownRun(command);
  const facts = [
    { type: 'workspace_prepared', kind: 'worktree', path: '/w', baseCommit: 'c', baseTree: 't', setup: null },
    { type: 'checks_finished', purpose: 'baseline', tree: 't', results: [], changed: [] },
  ];
  for (const fact of facts) await journal.submit({ at: Date.now(), ...fact } as Fact);
  return journal;
}

/** The kinds of facts that a look before a start tells. */
async function told({ state }: RunJournal): Promise<string[]> {
  const facts: Fact[] = [];
  await new FleetBoard(fleet.home, fleet.record, {}).look(
    () => state,
    async (fact) => facts.push(fact),
    'now',
    1,
  );
  return facts.map(({ type }) => type);
}

/** The network is down for this run, and for all that share its far end. */
async function holdsNetwork({ state }: RunJournal): Promise<string> {
  const key = networkKey(state, placeOf(state, {}), null);
  const at = Date.now();
  const hold = { key, kind: 'network', until: at + 60_000, reason: 'down', holder: state.runId, at } as const;
  await fleet.record.changeHold({ type: 'place', hold });
  return key;
}

it('a hold binds while its owner goes on, and is lifted once its owner has ended without a last look', async () => {
  const [owner, other] = [await ownRun(), await aboutToStart()];
  const key = await holdsNetwork(owner);
  expect(await told(other)).toEqual(['held']);
  await owner.submit({ type: 'abandon_requested', at: Date.now(), by: 'ann', reason: '' });
  expect(owner.state.life.type).toBe('ended');
  expect(await told(other)).toEqual([]);
  expect((await fleet.record.holds()).find((row) => row.key === key)?.liftedAt).not.toBeNull();
});

it('another command line shares nothing with the owner of a hold', async () => {
  await holdsNetwork(await ownRun(['sh', '-c', 'call the model']));
  expect(await told(await aboutToStart(['sh', '-c', 'touch a']))).toEqual([]);
});

it('two runs of one command line with different credentials are two accounts, and other variables change nothing', async () => {
  const { state } = await ownRun(['codex', 'exec', 'hi']);
  const account = (given: Record<string, string>, names: string[] = []) =>
    placeOf(
      { ...state, options: { ...state.options, environment: names } },
      { OPENAI_API_KEY: 'mine' },
      given,
    ).account;
  expect(account({ OPENAI_API_KEY: 'bad' })).not.toBe(account({ OPENAI_API_KEY: 'good' }));
  expect(account({ MYTOOL_TOKEN: 'bad' })).not.toBe(account({ MYTOOL_TOKEN: 'good' }));
  expect(account({})).not.toBe(account({}, ['OPENAI_API_KEY']));
  expect(account({ OPENAI_API_KEY: 'good' })).toBe(account({ OPENAI_API_KEY: 'good', DEBUG: '1' }));
});

it.each([
  ['claude', { CLAUDE_CODE_OAUTH_TOKEN: 'a' }, { CLAUDE_CODE_OAUTH_TOKEN: 'b' }],
  [
    'claude',
    { CLAUDE_CONFIG_DIR: '/a', OPENAI_API_KEY: 'k' },
    { CLAUDE_CONFIG_DIR: '/b', OPENAI_API_KEY: 'k' },
  ],
  ['claude-acp', { CLAUDE_CODE_OAUTH_TOKEN: 'a' }, { CLAUDE_CODE_OAUTH_TOKEN: 'b' }],
  ['codex', { CODEX_API_KEY: 'a' }, { CODEX_API_KEY: 'b' }],
  ['gemini', { GEMINI_CLI_HOME: '/a' }, { GEMINI_CLI_HOME: '/b' }],
  ['gemini', { GOOGLE_CLOUD_PROJECT: 'a' }, { GOOGLE_CLOUD_PROJECT: 'b' }],
  ['opencode', { XDG_DATA_HOME: '/a' }, { XDG_DATA_HOME: '/b' }],
  ['opencode', { OPENROUTER_API_KEY: 'a' }, { OPENROUTER_API_KEY: 'b' }],
])('two logins of %s in one home are two accounts: %j, %j', async (name, one, other) => {
  const { state } = await ownRun();
  const account = (env: NodeJS.ProcessEnv) =>
    placeOf({ ...state, agent: { name, command: [], model: null } }, { HOME: '/home/ann', ...env }).account;
  expect(account(one)).not.toBe(account(other));
  expect(account(one)).toBe(account({ ...one, LANG: 'C' }));
});
