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
});
