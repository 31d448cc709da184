import { join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Contestant } from '../../scripts/bench-peers/contestants.ts';
import { type PeerCell, playPeerCell } from '../../scripts/bench-peers/peer-cell.ts';
import { TROUBLES } from '../../scripts/bench-peers/troubles.ts';
import { CLAUDE_VERSIONS, claudeCli } from '../../test-agents/claude-cli.ts';

/** It runs the same shell tool as Claude Code, so the same scripts play. */
const cli = claudeCli(CLAUDE_VERSIONS.at(-1) as string);
const AGENT = `"${process.execPath}" "${resolve(import.meta.dirname, '../fixtures/tiny-agent.mjs')}" "$TASK"`;

const contestant = (commandLine: string): Contestant => ({
  name: 'tiny',
  title: 'a tiny agent',
  package: null,
  claims: 'none',
  commandLine: { claude: commandLine, codex: commandLine },
});

async function played(
  commandLine: string,
  name: string,
  limitMs: number,
  more: Partial<Contestant> = {},
): Promise<PeerCell> {
  const trouble = TROUBLES.find((one) => one.name === name);
  if (trouble === undefined) throw new Error(`no trouble ${name}`);
  const programs = [join(import.meta.dirname, '../../node_modules/.bin')];
  const { cell } = await playPeerCell({ ...contestant(commandLine), ...more }, trouble, {
    cli,
    programs,
    limitMs,
    time: 1,
    seed: 1,
  });
  return cell;
}

/** For a broken world; a cell ends by itself long before. */
const LONG_MS = 120_000;

describe('a cell of the peers, with an agent that needs no network', () => {
  it('an agent alone that says it is done has not delivered, and nobody noticed', async () => {
    expect(await played(AGENT, 'false-success', LONG_MS)).toMatchObject({
      ended: 'exit 0',
      said: 'success',
      delivered: false,
      noticed_s: null,
      resumed_with_history: null,
      lost_files: 0,
      requests: 2,
      processes_left: 0,
    });
  });

  it('a loop over the check notices it, starts afresh and delivers', async () => {
    const cell = await played(`until ${AGENT} && sh -c "$CHECK"; do :; done`, 'false-success', LONG_MS);
    expect(cell).toMatchObject({
      delivered: true,
      resumed_with_history: false,
      noticed_requests: 1,
      lost_files: 0,
    });
    expect(cell.noticed_s).toBeGreaterThanOrEqual(0);
    expect(cell.tokens).toBeGreaterThan(0);
  });

  it('work that was thrown away is counted as lost', async () => {
    const line = `until ${AGENT} && sh -c "$CHECK"; do git clean -qfd; done`;
    expect(await played(line, 'false-success', LONG_MS)).toMatchObject({ delivered: true, lost_files: 1 });
  });

  it('an agent that never ends is cut off at the limit, and is not said to have noticed', async () => {
    expect(await played(AGENT, 'equal-call', 4_000)).toMatchObject({
      ended: 'cut off',
      said: 'nothing',
      delivered: false,
      noticed_s: null,
    });
  });

  it('a server that is started before the clock and ended after it is not left behind', async () => {
    const setUp = 'sleep 1; sleep 600 & echo $! > ../server';
    const more = { setUp: { claude: setUp, codex: setUp }, closeDown: 'kill "$(cat ../server)"' };
    const line = `kill -0 "$(cat ../server)" && ${AGENT}`;
    expect(await played(line, 'false-success', LONG_MS, more)).toMatchObject({
      said: 'success',
      processes_left: 0,
    });
    const { closeDown: _, ...open } = more;
    expect(await played(line, 'false-success', LONG_MS, open)).toMatchObject({ processes_left: 1 });
  });
});
