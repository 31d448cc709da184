import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { CONTESTANTS, NOT_RUN, PEER_AGENTS } from '../../scripts/bench-peers/contestants.ts';
import type { PeerCell } from '../../scripts/bench-peers/peer-cell.ts';
import { PEERS_PAGE, peersPage, README, readmeWith } from '../../scripts/bench-peers/peers-page.ts';
import { cellsOfPasses, recordedPeerCells } from '../../scripts/bench-peers/recorded-cells.ts';
import { scriptOf, TROUBLES } from '../../scripts/bench-peers/troubles.ts';
import { ModelScript } from '../../tools/model-server/script.ts';
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
    for (const { commandLine, setUp, claims, package: pack } of CONTESTANTS) {
      for (const agent of PEER_AGENTS) expect(`${commandLine[agent]}${setUp?.[agent]}`).toContain('"$TASK"');
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
});

describe('the cells that are kept', () => {
  it('are read from the folders of several passes; a folder without cells is refused', () => {
    const root = mkdtempSync(join(tmpdir(), 'mayday-peers-test-'));
    try {
      const folders = ['one', 'two'].map((contestant) => {
        const folder = mkdtempSync(join(root, contestant));
        writeFileSync(join(folder, 'cells.jsonl'), `${JSON.stringify(cell({ contestant }))}\n`);
        return folder;
      });
      expect(cellsOfPasses(folders).map(({ contestant }) => contestant)).toEqual(['one', 'two']);
      expect(() => cellsOfPasses([...folders, root])).toThrow('cells.jsonl');
    } finally {
      rmSync(root, { recursive: true });
    }
  });
});
