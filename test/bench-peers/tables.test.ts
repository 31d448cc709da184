import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { chosenCells } from '../../scripts/bench-peers/chosen-cells.ts';
import { CONTESTANTS, NOT_RUN, PEER_AGENTS } from '../../scripts/bench-peers/contestants.ts';
import type { PeerCell } from '../../scripts/bench-peers/peer-cell.ts';
import {
  median,
  PEERS_PAGE,
  peersPage,
  README,
  readmeWith,
  recordedPeerCells,
} from '../../scripts/bench-peers/peers-page.ts';
import { scriptOf, TROUBLES } from '../../scripts/bench-peers/troubles.ts';
import { ModelScript } from '../../src/drills/model-server/script.ts';
import { CLAUDE_VERSIONS, claudeCli } from '../../test-agents/claude-cli.ts';
import { codexCli } from '../../test-agents/codex-cli.ts';

const CLIS = [claudeCli(CLAUDE_VERSIONS.at(-1) as string), codexCli];

const cell = (more: Partial<PeerCell>): PeerCell => ({
  contestant: 'mayday',
  trouble: 'silence',
  agent: 'Claude Code 2.1.325',
  time: 1,
  at: '2026-01-01T00:00:00.000Z',
  seed: 1,
  load: 9,
  cores: 2,
  factor: 6,
  limit_s: 90,
  ended: 'exit 0',
  said: 'success',
  seconds: 40,
  acted_s: 25,
  noticed_s: 15,
  noticed_requests: 1,
  resumed_with_history: true,
  delivered: true,
  lost_files: 0,
  false_stops: null,
  requests: 4,
  tokens: 1_000,
  processes_left: 0,
  ...more,
});

describe('the tables of the peers', () => {
  it('every contestant has a command line and a claim; a package has its version, a tool that is not run its reason', () => {
    expect(new Set([...CONTESTANTS, ...TROUBLES].map(({ name }) => name)).size).toBe(
      CONTESTANTS.length + TROUBLES.length,
    );
    for (const { commandLine, claims, package: pack } of CONTESTANTS) {
      for (const agent of PEER_AGENTS) expect(commandLine[agent]).toContain('"$TASK"');
      expect(claims).not.toBe('');
      if (pack !== null) expect(pack.version).toMatch(/^\d+\.\d+\.\d+$/);
    }
    expect(CONTESTANTS.filter(({ package: pack }) => pack !== null).length).toBeGreaterThanOrEqual(2);
    expect(NOT_RUN.every(({ why }) => why !== '')).toBe(true);
  });

  it('every trouble is a whole script with a rule that hurts; honest work has none', () => {
    for (const [trouble, cli] of TROUBLES.flatMap((one) => CLIS.map((each) => [one, each] as const))) {
      const { rules } = ModelScript.parse(scriptOf(trouble, cli));
      expect(rules.some(({ name }) => name === 'trouble')).toBe(!trouble.isHonest);
      expect(rules.some(({ name }) => name === 'honest')).toBe(trouble.isHonest);
    }
    expect(TROUBLES.filter(({ isHonest }) => isHonest).length).toBeGreaterThanOrEqual(4);
    expect(TROUBLES.length).toBeGreaterThanOrEqual(16);
  });

  it('names after --only narrow agents, contestants and troubles apart; an unknown name is refused', () => {
    const agents = PEER_AGENTS.length;
    expect(chosenCells('')).toHaveLength(agents * CONTESTANTS.length * TROUBLES.length);
    expect(chosenCells('bare,mayday,silence')).toHaveLength(agents * 2);
    expect(chosenCells('mayday,codex')).toHaveLength(TROUBLES.length);
    expect(chosenCells('bare,silnce')).toContain('silnce');
  });
});

describe('the page of the peers', () => {
  it('says what the recorded cells showed', () => {
    expect(readFileSync(PEERS_PAGE, 'utf8')).toBe(peersPage(recordedPeerCells()));
    expect(readFileSync(README, 'utf8')).toBe(readmeWith(recordedPeerCells()));
  });

  it('shows a peer that is better as better, and not one that did not deliver', () => {
    const page = peersPage([
      cell({}),
      cell({ contestant: 'checked-loop', seconds: 20 }),
      cell({ contestant: 'bare', seconds: 2, delivered: false }),
    ]);
    expect(page).toContain('* checked-loop: done sooner (s): 20 against 40');
    expect(page).not.toContain('* bare:');
  });

  it('compares contestants with the same agent only', () => {
    const page = peersPage([
      cell({}),
      cell({ agent: 'Codex 1.0.0', contestant: 'checked-loop', seconds: 20 }),
    ]);
    expect(page).not.toContain('done sooner');
    expect(page).toContain('**Codex 1.0.0:** Mayday is not measured here.');
  });

  it('marks a cell of one run on a loaded machine as such', () => {
    expect(peersPage([cell({})])).toContain('one run, loaded machine');
    expect(peersPage([cell({ load: 0.5 })])).not.toContain('one run, loaded machine');
  });

  it('takes a trouble that most runs did not notice as not noticed', () => {
    const runs = [cell({}), cell({ noticed_s: null }), cell({ noticed_s: null })];
    expect(median(runs, 'noticed_s')).toBeNull();
    expect(
      median([cell({ noticed_s: 1 }), cell({ noticed_s: 9 }), cell({ noticed_s: 2 })], 'noticed_s'),
    ).toBe(2);
  });
});
