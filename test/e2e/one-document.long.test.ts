/** Every command of the contract: its exit codes, and that `--json` prints one JSON document on standard output and nothing else. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { COMMANDS } from '../../src/cli/commands.ts';
import { type Box, inBox } from './box.ts';

type Row = readonly [exitCode: number, ...args: string[]];

/** They serve until they are ended, or play for long: tests of their own have their documents. */
const ELSEWHERE = ['serve', 'work', 'attach', 'bench', 'drill'];
/** Lines of JSON by the contract. */
const LINES = ['bus'];

const BEGIN: readonly Row[] = [
  [0, 'run', '--name=good', '--check=test -f a', 'x', '--', 'touch', 'a'],
  [3, 'run', '--name=asks', '--scope=b', '--check=true', 'x', '--', 'touch', 'c'],
  [5, 'run', '--name=bare', 'x', '--', 'touch', 'a'],
  [2, 'run', '--no-such', 'x'],
  [2, 'run', '--budget-usd=1', 'x', '--', 'touch', 'a'],
  [0, 'submit', '--name=later', '--check=true', 'x', '--', 'touch', 'a'],
];
const LOOK: readonly Row[] = [
  [0, 'ps'],
  [2, 'ps', 'extra'],
  [0, 'ps', '--alerts'],
  [0, 'show', 'good'],
  [2, 'show', 'nobody'],
  [0, 'status', 'asks'],
  [0, 'logs', 'good'],
  [3, 'watch', 'asks'],
  [0, 'inbox'],
  [0, 'inbox', 'asks'],
  [0, 'holds'],
  [2, 'release', 'nobody'],
  [0, 'diff', 'asks'],
  [0, 'missions'],
  [0, 'agents'],
  [0, 'bus'],
  [0, 'checkpoints', 'good'],
  [0, 'ledger', 'good'],
  [0, 'verify'],
  [0, 'report'],
  [2, 'report', '--format=none'],
  [0, 'sync'],
  [0, 'context', 'ls'],
  [2, 'diagnose', 'nowhere.log'],
  [0, 'diagnose', 'failed.log'],
  [2, 'autopsy', 'nowhere.jsonl'],
  [0, 'autopsy', 'session.jsonl'],
  [0, 'replay', 'good', '--policy=policy.yaml'],
  [2, 'hosts'],
  [2, 'store', 'migrate'],
  [0, 'doctor'],
  [0, 'sweep'],
  [2, 'mcp'],
  [2, 'completion', 'bash'],
  [2, 'no-such-command'],
];
const SPEAK: readonly Row[] = [
  [0, 'init'],
  [2, 'init'],
  [2, 'answer', 'asks-q9', '1'],
  [2, 'answer', 'asks', 'none-of-these-options', '--note='],
  [2, 'flag', 'asks'],
  [2, 'accept', 'asks'],
  [2, 'rescue', 'asks'],
  [0, 'checkpoint', 'asks'],
  [0, 'restore', 'asks@1'],
  [0, 'stop', 'asks'],
  [3, 'resume', 'asks'],
  [0, 'answer', 'asks', 'abandon'],
  [2, 'resume', 'asks'],
  [2, 'abandon', 'asks'],
  [0, 'rm', 'asks'],
  [0, 'abandon', 'later'],
];

async function told(box: Box, [exitCode, ...args]: Row): Promise<unknown> {
  const [name = '', ...rest] = args;
  const called = await box.start([name, '--json', ...rest], { env: { HOME: box.folder } }).done;
  const documents = LINES.includes(name) ? called.stdout.trim().split('\n') : [called.stdout];
  const read = documents.map((text) => {
    try {
      return JSON.parse(text) as { exit_code?: number };
    } catch {
      return `no document: ${text.slice(0, 80)}`;
    }
  });
  const isSound = read.every((each) => typeof each === 'object');
  const isError = exitCode < 3 && exitCode > 0;
  const code = isError && isSound ? (read[0] as { exit_code?: number }).exit_code : exitCode;
  return { args, exitCode: called.exitCode, isSound, code };
}

const expected = ([exitCode, ...args]: Row) => ({ args, exitCode, isSound: true, code: exitCode });

it('every command has a row', () => {
  const rows = [...BEGIN, ...LOOK, ...SPEAK].map(([, name]) => name);
  const missing = COMMANDS.map(({ name }) => name).filter((name) => !rows.includes(name));
  expect(missing.toSorted()).toEqual(ELSEWHERE.toSorted());
});

it('one document on standard output, and the exit code of the contract', () =>
  inBox(async (box) => {
    box.policy({ restarts: 0 });
    const files = {
      'failed.log': "Error: Cannot find module 'left-pad'\n",
      'session.jsonl': '{"type":"message","output":"done"}\n',
      'policy.yaml': 'restarts: 1\n',
    };
    for (const [name, text] of Object.entries(files)) writeFileSync(join(box.repository, name), text);
    box.git('add', '--all');
    box.git('commit', '--quiet', '-m', 'files');
    const seen: unknown[] = [];
    for (const row of BEGIN) seen.push(await told(box, row));
    expect(seen).toEqual(BEGIN.map(expected));
    const looks = [...LOOK.entries()];
    const looked: unknown[] = [];
    const one = async () => {
      for (let next = looks.shift(); next !== undefined; next = looks.shift())
        looked[next[0]] = await told(box, next[1]);
    };
    await Promise.all([one(), one()]);
    expect(looked).toEqual(LOOK.map(expected));
    const spoken: unknown[] = [];
    for (const row of SPEAK) {
      spoken.push(await told(box, row));
      // Its keeper ends the run after it has taken the answer.
      if (row[0] === 0 && row[1] === 'answer')
        await box.until('the run has ended', async () =>
          (await box.call('show', 'asks', '--json')).stdout.includes('"state":"abandoned"'),
        );
    }
    expect(spoken).toEqual(SPEAK.map(expected));
  }));
