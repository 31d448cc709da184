import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { CONTESTANTS, NOT_RUN, PEER_AGENTS } from '../../scripts/bench-peers/contestants.ts';
import { PEERS_PAGE, peersPage, README, readmeWith } from '../../scripts/bench-peers/peers-page.ts';
import { recordedPeerCells } from '../../scripts/bench-peers/recorded-cells.ts';
import { scriptOf, TROUBLES } from '../../scripts/bench-peers/troubles.ts';
import { ModelScript } from '../../tools/model-server/script.ts';
import { CLAUDE_VERSIONS, claudeCli } from '../../test-agents/claude-cli.ts';
import { codexCli } from '../../test-agents/codex-cli.ts';

const CLIS = [claudeCli(CLAUDE_VERSIONS.at(-1) as string), codexCli];

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
});
