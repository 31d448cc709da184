import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { chosenCells } from '../../scripts/bench-peers/chosen-cells.ts';
import { CONTESTANTS, NOT_RUN, PEER_AGENTS } from '../../scripts/bench-peers/contestants.ts';
import type { PeerCell } from '../../scripts/bench-peers/peer-cell.ts';
import { measured, median } from '../../scripts/bench-peers/measured.ts';
import { PEERS_PAGE, peersPage, README, readmeWith } from '../../scripts/bench-peers/peers-page.ts';
import { cellsOfPasses, recordedPeerCells, withPasses } from '../../scripts/bench-peers/recorded-cells.ts';
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

  it('a model that says it is done also closes its ticket, where the contestant asks that of its agents', () => {
    const trouble = TROUBLES.find(({ name }) => name === 'false-success');
    if (trouble === undefined) throw new Error('no such trouble');
    for (const cli of CLIS) {
      const saying = scriptOf(trouble, cli, 'close it').rules.filter(({ reply }) =>
        reply?.text?.includes('COMPLETE'),
      );
      expect(saying.map(({ name }) => name)).toEqual(['done', 'trouble']);
      expect(saying.every(({ reply }) => JSON.stringify(reply?.tools).includes('close it'))).toBe(true);
      expect(JSON.stringify(scriptOf(trouble, cli))).not.toContain('close it');
    }
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

  it('a row names its runs and the load: the median and the most', () => {
    expect(measured([cell({})])).toBe('one run, load 9 (loaded)');
    expect(measured([1.5, 0.5, 1].map((load, index) => cell({ load, time: index + 1 })))).toBe(
      '3 runs, load 1, at most 1.5',
    );
    expect(measured([cell({ load: 1 }), cell({ load: 3, time: 2 })])).toBe(
      '2 runs, load 2, at most 3 (loaded)',
    );
  });

  it('says that rows are a first look, or of a loaded machine, only where there are such rows', () => {
    const threeTimes = (more: Partial<PeerCell>): readonly PeerCell[] =>
      [1, 2, 3].map((time) => cell({ time, ...more }));
    const quiet = peersPage(threeTimes({ load: 1 }));
    expect(quiet).not.toContain('first look');
    expect(quiet).not.toContain('"loaded"');
    const mixed = peersPage([...threeTimes({ load: 1 }), cell({ contestant: 'bare', load: 7 })]);
    expect(mixed).toContain('1 of 2 rows have fewer than 3 runs');
    expect(mixed).toContain('1 of 2 rows are marked "loaded"');
    expect(mixed).toContain('the load was 1 in the middle and at most 7.');
  });

  it('a contestant without a pass has no row in the README and takes none from the others', () => {
    const table = readmeWith([cell({}), cell({ contestant: 'bare', delivered: false })]);
    expect(table).toContain('| Mayday | 1/1 (100 %) | - | 0/1 (0 %) | 0/1 (0 %) |');
    expect(table).toContain('| the CLI alone | 0/1 (0 %) | - | 1/1 (100 %) | 0/1 (0 %) |');
    expect(table).not.toContain('| ralphy-cli |');
  });

  it('takes a trouble that most runs did not notice as not noticed', () => {
    const runs = [cell({}), cell({ noticed_s: null }), cell({ noticed_s: null })];
    expect(median(runs, 'noticed_s')).toBeNull();
    expect(
      median([cell({ noticed_s: 1 }), cell({ noticed_s: 9 }), cell({ noticed_s: 2 })], 'noticed_s'),
    ).toBe(2);
  });
});

describe('the cells that are kept', () => {
  const runs = (times: readonly number[], more: Partial<PeerCell>): readonly PeerCell[] =>
    times.map((time) => cell({ time, ...more }));

  it('a new pass takes the place of all older runs of the same contestant, trouble and agent', () => {
    const old = [...runs([1, 2, 3], { seconds: 99 }), ...runs([1], { contestant: 'bare', seconds: 98 })];
    const kept = withPasses(old, runs([1, 2], { seconds: 10, at: '2026-01-02T00:00:00.000Z' }));
    expect(kept.map(({ contestant, time, seconds }) => [contestant, time, seconds])).toEqual([
      ['bare', 1, 98],
      ['mayday', 1, 10],
      ['mayday', 2, 10],
    ]);
  });

  it('of two passes that both have a run, the newer counts, in whatever order they are named', () => {
    const early = runs([1, 2], { seconds: 1, at: '2026-01-02T00:00:00.000Z' });
    const late = runs([2, 3], { seconds: 2, at: '2026-01-03T00:00:00.000Z' });
    for (const passes of [
      [...early, ...late],
      [...late, ...early],
    ])
      expect(withPasses([], passes).map(({ seconds }) => seconds)).toEqual([1, 2, 2]);
  });

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
