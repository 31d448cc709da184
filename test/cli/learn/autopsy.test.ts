import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { readRunMetrics } from '../../../src/core/view/metrics-code.ts';
import { openSqliteRecord } from '../../../src/record/sqlite/open.ts';
import { writeClaude, writeNeutral } from '../../agents/session-fixtures.ts';
import { MAYDAY } from '../../mayday-under-test.ts';

let home = '';
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'mayday-autopsy-'));
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

function mayday(args: readonly string[], input = '') {
  const env = { PATH: process.env['PATH'], HOME: home, MAYDAY_HOME: join(home, '.mayday') };
  return spawnSync(process.execPath, [MAYDAY, 'autopsy', ...args], {
    encoding: 'utf8',
    env,
    cwd: home,
    input,
  });
}

const action = (input: string, output: string) => [
  { type: 'action', tool: 'bash', input },
  { type: 'observation', tool: 'bash', output },
];
const loop = Array.from({ length: 6 }, () =>
  action('cd nowhere', 'bash: cd: nowhere: No such file or directory'),
).flat();
const work = Array.from({ length: 6 }, (_, index) =>
  action(`cat part-${'x'.repeat(index)}`, `text ${'y'.repeat(index)}`),
).flat();

describe('mayday autopsy', () => {
  test('without a path tells the story of the latest session and leaves a brief', () => {
    writeClaude(home);
    const { status, stdout, stderr } = mayday([]);
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    expect(stdout).toContain('That came first in call 2.');
    const brief = /written to (\S+)/.exec(stdout)?.[1] ?? '';
    expect(readFileSync(brief, 'utf8')).toContain('## Do not repeat');
  });

  test('--json prints one verdict and nothing else', () => {
    const { stdout, stderr } = mayday([writeNeutral(home), '--json']);
    expect(stderr).toBe('');
    const verdict = JSON.parse(stdout);
    expect(Object.keys(verdict)).toEqual([
      'id',
      'state',
      'signals',
      'first_stuck_step',
      'class',
      'root_cause',
      'suspected_step',
      'wasted_steps',
      'next',
      'opinion',
      'no_opinion',
    ]);
    expect(verdict).toMatchObject({
      state: 'stuck',
      class: 'looping',
      first_stuck_step: 5,
      next: { strategy: 'resume' },
    });
    expect(
      verdict.signals.find((signal: { severity: string }) => signal.severity === 'critical'),
    ).toMatchObject({
      at_step: 12,
      suggested_action: expect.any(String),
      evidence: expect.any(Array),
    });
  });

  test('--jsonl answers every line in order, also one that is no run', () => {
    const lines = [{ id: 'a', steps: loop }, 'no json', { id: 7, steps: work }, { id: 'empty', steps: [] }];
    const { status, stdout } = mayday(
      ['--jsonl'],
      lines.map((line) => (typeof line === 'string' ? line : JSON.stringify(line))).join('\n'),
    );
    expect(status).toBe(0);
    const verdicts = stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(verdicts.map((verdict) => [verdict.id, verdict.state])).toEqual([
      ['a', 'stuck'],
      [null, 'unknown'],
      ['7', 'progressing'],
      ['empty', 'unknown'],
    ]);
  });

  test('--html writes a page that stands alone', () => {
    const { status } = mayday([writeNeutral(home), '--html', 'page.html']);
    expect(status).toBe(0);
    const page = readFileSync(join(home, 'page.html'), 'utf8');
    expect(page).toMatch(/^<!doctype html>/);
    expect(page).not.toMatch(/<script|https?:\/\//);
  });

  test('says what to do when there is nothing to read', () => {
    const none = mayday([]);
    expect(none.status).toBe(1);
    expect(none.stderr).toContain('NO_SESSIONS');
    const missing = mayday(['gone.jsonl']);
    expect(missing.stderr).toContain('SESSION_NOT_FOUND');
    expect(missing.status, 'a name that nothing has is a mistake of the command line').toBe(2);
    writeFileSync(join(home, 'notes.txt'), 'milk\n');
    expect(mayday(['notes.txt']).stderr).toContain('SESSION_UNKNOWN');
    expect(existsSync(join(home, '.mayday'))).toBe(false);
  });

  test('--import brings the sessions of this machine into the metrics, once each', async () => {
    writeClaude(home);
    for (const round of [1, 2])
      expect(JSON.parse(mayday(['--import', '--json']).stdout), `round ${round}`).toMatchObject({
        imported: 1,
        unread: 0,
      });
    const record = await openSqliteRecord({ path: join(home, '.mayday', 'record.db') });
    const rows = await record.metrics();
    await record.close();
    expect(rows).toHaveLength(1);
    const run = readRunMetrics(rows[0] ?? '');
    if (run === null) return expect.unreachable('its row can be read');
    expect(run).toMatchObject({
      repository: '/repo',
      agent: 'claude',
      model: 'claude-opus-4-8',
      state: 'abandoned',
    });
    expect(run.incidents).toHaveLength(1);
    expect(run.incidents[0]?.began).toBeGreaterThan(run.created);
  });

  describe('with somebody to ask', () => {
    const SAYS = {
      stuck: 'stuck',
      since_entry: 0,
      cause: 'the folder was never made',
      next_step: 'make the folder first',
      quotes: [
        { entry: 1, text: 'bash: cd: nowhere: No such file' },
        { entry: 1, text: 'nobody printed this' },
      ],
      claims: [{ kind: 'times', tool: '', text: 'cd nowhere', n: 6 }],
      confidence: 0.9,
    };
    const asked = (args: readonly string[], says: object = SAYS) => {
      writeFileSync(join(home, 'answer.json'), JSON.stringify(says));
      const line = `${JSON.stringify({ id: 'a', steps: loop })}\n`;
      const got = mayday(['--jsonl', ...args], line);
      return { ...got, verdict: JSON.parse(got.stdout) };
    };
    const program = ['--opinion', 'command:cat answer.json'];

    test('shows what it thinks apart from what is proven, and what of it the record holds', () => {
      const { verdict } = asked(program);
      expect(verdict).toMatchObject({ state: 'stuck', root_cause: expect.stringContaining('not proven') });
      expect(verdict.opinion).toMatchObject({
        by: 'command',
        answer: { cause: SAYS.cause, next_step: SAYS.next_step },
        quotes: [SAYS.quotes[0]],
        confidence: 0.6,
      });
      expect(verdict.next.brief).toContain('An opinion of');
    });

    test('an answer that quotes nothing of the record is none', () => {
      const { verdict } = asked(program, { ...SAYS, quotes: [SAYS.quotes[1]] });
      expect(verdict.opinion).toBeNull();
      expect(verdict.no_opinion).toContain('no quotation stands');
      expect(verdict.next.brief).not.toContain('An opinion of');
    });

    test('asks nobody about runs in bulk, and nobody that only an untrusted folder configures', () => {
      expect(asked([]).verdict.no_opinion).toContain('without --opinion');
      writeFileSync(join(home, 'mayday.yaml'), 'opinion: "command:cat answer.json"\n');
      const verdict = JSON.parse(mayday(['--json', writeNeutral(home)]).stdout);
      expect(verdict).toMatchObject({ opinion: null, no_opinion: expect.stringContaining('not trusted') });
    });
  });
});
