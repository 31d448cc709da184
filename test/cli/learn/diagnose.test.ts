import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { finished } from 'node:stream/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { diagnose } from '../../../src/library/diagnose.ts';
import { MAYDAY } from '../../mayday-under-test.ts';
import { zip } from './zip.ts';

let folder = '';
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'mayday-diagnose-'));
});
afterAll(async () => {
  await rm(folder, { recursive: true, force: true });
});

interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

function mayday(
  args: readonly string[],
  input: string | null = null,
  env: NodeJS.ProcessEnv = process.env,
): Promise<Ended> {
  return new Promise((resolve) => {
    const child = spawn(process.execPath, [MAYDAY, ...args], { stdio: ['pipe', 'pipe', 'pipe'], env });
    let stdout = '';
    let stderr = '';
    child.stdout.on('data', (chunk: Buffer) => (stdout += chunk.toString()));
    child.stderr.on('data', (chunk: Buffer) => (stderr += chunk.toString()));
    child.on('close', (code) => resolve({ code, stdout, stderr }));
    child.stdin.end(input ?? '');
  });
}

const KEYS = [
  'failure_type',
  'root_cause',
  'recoverable',
  'recovery_plan',
  'human_instructions',
  'suggested_actions',
  'escalation_reason',
  'transient',
  'category',
  'concern',
  'return_to',
  'scope',
  'retry_at',
  'confidence',
  'evidence',
  'hypotheses',
  'step',
  'workspace',
  'fingerprint',
  'pattern',
  'opinion',
  'no_opinion',
];

it('an empty input is told as that', async () => {
  expect(await mayday(['diagnose'], '\n')).toMatchObject({
    code: 0,
    stdout: 'there is nothing to read: the output is empty\n',
  });
  expect((await mayday(['diagnose', '--exit-code', '1'], '')).stdout).not.toContain('nothing to read');
});

describe('mayday diagnose', () => {
  it('prints exactly one JSON document with every key of the contract', async () => {
    const { code, stdout } = await mayday(
      ['diagnose', '--json', '--exit-code', '1'],
      "ModuleNotFoundError: No module named 'flask'\n",
    );
    expect(code).toBe(0);
    const got = JSON.parse(stdout) as Record<string, unknown>;
    expect(Object.keys(got)).toEqual(KEYS);
    expect(got).toMatchObject({
      failure_type: 'missing_dependency',
      recoverable: false,
      recovery_plan: null,
    });
  });

  it('tells a person the verdict, the cause, the lines and what to do', async () => {
    const { stdout } = await mayday(
      ['diagnose', '--command', 'node a.js', '--exit-code', '1'],
      "node:fs:1\nError: ENOENT: no such file or directory, open 'rows.json'\n    at run (/srv/app/src/a.js:3:1)\n",
    );
    expect(stdout).toContain('runtime error · recoverable · sure');
    expect(stdout).toContain("2 | Error: ENOENT: no such file or directory, open 'rows.json'");
    expect(stdout).toContain('  Do    ');
    expect(stdout).not.toContain('\u001b');
  });

  it('shows no escape sequence of the input', async () => {
    const { stdout } = await mayday(
      ['diagnose'],
      '\u001b]0;owned\u0007\u001b[31mError: \u202eboom\u001b[0m\n    at x (a.js:1:1)\n',
    );
    // oxlint-disable-next-line no-control-regex -- looking for exactly these
    expect(stdout).not.toMatch(/[\u001b\u0007\u202e]/);
  });

  it('answers JSON lines in order, bad ones in their place', async () => {
    const lines = [
      { id: 'a', output: 'KeyboardInterrupt\n', exit_code: 130 },
      { id: 'b', output: 'ok\n', exit_code: 0, command: 'true' },
      { id: 'c', output: 7 },
    ].map((line) => JSON.stringify(line));
    const { stdout } = await mayday(['diagnose', '--jsonl'], [...lines, 'not json', ''].join('\n'));
    const got = stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as { id: unknown; failure_type?: string; error?: { code: string } });
    expect(got.map(({ id }) => id)).toEqual(['a', 'b', 'c', null]);
    expect(got.map((each) => each.failure_type ?? each.error?.code)).toEqual([
      'interrupted',
      'success',
      'BAD_INPUT',
      'BAD_INPUT',
    ]);
  });

  it('reads a 100 MB log in bounded memory', async () => {
    const file = join(folder, 'big.log');
    const stream = createWriteStream(file);
    const block = Array.from(
      { length: 10_000 },
      (_, index) => `2026-11-15T01:02:03.000Z INFO worker processed batch ${index} in 12 ms, queue depth 3`,
    ).join('\n');
    for (let written = 0; written < 100_000_000; written += block.length + 1)
      if (!stream.write(`${block}\n`)) await once(stream, 'drain');
    stream.end('Error: connect ECONNREFUSED 127.0.0.1:5432\n    at run (/srv/a.js:1:1)\n');
    await finished(stream);
    const child = spawn(process.execPath, ['--max-old-space-size=96', MAYDAY, 'diagnose', file, '--json'], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    let stdout = '';
    child.stdout.on('data', (chunk: Buffer) => (stdout += chunk.toString()));
    const code = await new Promise((resolve) => child.on('close', resolve));
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ failure_type: 'network_failure' });
  });

  it('survives one endless line and bytes that are not text', async () => {
    const file = join(folder, 'line.bin');
    await writeFile(
      file,
      Buffer.concat([
        Buffer.alloc(30_000_000, 0x41),
        Buffer.from([0xff, 0xfe, 0x00, 0x0a]),
        Buffer.from('Killed\n'),
      ]),
    );
    const { code, stdout } = await mayday(['diagnose', file, '--json', '--exit-code', '137']);
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ failure_type: 'resource_exhausted' });
  });

  it('refuses a missing file and a wrong number with advice', async () => {
    const missing = await mayday(['diagnose', join(folder, 'none.log')]);
    expect(missing.code).toBe(2);
    expect(missing.stderr).toContain('INPUT_UNREADABLE');
    const wrong = await mayday(['diagnose', '--exit-code', 'one'], 'x');
    expect(wrong.code).toBe(2);
    expect(wrong.stderr).toContain('--exit-code is a whole number');
    expect(wrong.stderr).toContain('(WRONG_NUMBER)');
  });
});

describe('a log archive of GitHub Actions', () => {
  const step = (lines: readonly string[]): string =>
    lines.map((line, at) => `2026-03-04T10:11:${String(at).padStart(2, '0')}.0000971Z ${line}\n`).join('');
  const FILES = {
    'lint/1_Set up job.txt': step(['Current runner version: 2.3']),
    'lint/2_Run npm run lint.txt': step([
      '##[group]Run npm run lint',
      'npm run lint',
      '##[endgroup]',
      'fine',
    ]),
    'test/1_Set up job.txt': step(['Current runner version: 2.3', 'fatal: no cache, skipped']),
    'test/10_Post job cleanup.txt': step(['Post job cleanup.']),
    'test/2_Run npm test.txt': step([
      '##[group]Run npm test',
      'npm test',
      '##[endgroup]',
      'Error: connect ECONNREFUSED 127.0.0.1:5432',
      '##[error]Process completed with exit code 1.',
    ]),
  };

  it('the failed job, its step and its file are told, with the line in that file', async () => {
    const path = join(folder, 'logs.zip');
    await writeFile(path, zip(FILES));
    const { code, stdout } = await mayday(['diagnose', path, '--json', '--workspace', 'none']);
    expect(code).toBe(0);
    const got = JSON.parse(stdout) as { step: string; evidence: { line: number }[] };
    expect(got).toMatchObject({ failure_type: 'network_failure' });
    expect(got.step).toBe('test · npm test · test/2_Run npm test.txt');
    expect(got.evidence[0]?.line).toBe(4);
  });

  it('an archive that is cut off is refused with advice', async () => {
    const path = join(folder, 'cut.zip');
    await writeFile(path, zip(FILES).subarray(0, 200));
    const { code, stderr } = await mayday(['diagnose', path]);
    expect(code).toBe(2);
    expect(stderr).toContain('download the logs again');
  });
});

describe('mayday diagnose --workspace', () => {
  const FAILED = [
    '=================================== FAILURES ===================================',
    '___________________________________ test_add ___________________________________',
    '    def test_add():',
    '>       assert add(2, 3) == 5',
    'E       assert -1 == 5',
    'E        +  where -1 = add(2, 3)',
    'tests/test_calc.py:4: AssertionError',
    '=========================== 1 failed in 0.01s ===========================',
  ].join('\n');

  it('shows the line that returned the wrong value, and writes nothing', async () => {
    const workspace = join(folder, 'calc');
    await mkdir(join(workspace, 'tests'), { recursive: true });
    await writeFile(join(workspace, 'calc.py'), 'def add(a, b):\n    return a - b\n');
    await writeFile(
      join(workspace, 'tests/test_calc.py'),
      'from calc import add\n\ndef test_add():\n    assert add(2, 3) == 5\n',
    );
    const { stdout } = await mayday(['diagnose', '--json', '--workspace', workspace], FAILED);
    expect((JSON.parse(stdout) as { workspace: unknown }).workspace).toEqual([
      { path: 'tests/test_calc.py', line: 4, text: 'assert add(2, 3) == 5' },
      { path: 'calc.py', line: 2, text: 'return a - b' },
    ]);
    const told = await mayday(['diagnose', '--workspace', workspace], FAILED);
    expect(told.stdout).toMatch(/^ {8}calc\.py:2 {2}return a - b$/m);
  });

  it('a folder that is not there is refused; none looks nowhere', async () => {
    expect((await mayday(['diagnose', '--workspace', join(folder, 'absent')], FAILED)).code).toBe(2);
    const { stdout } = await mayday(['diagnose', '--json', '--workspace', 'none'], FAILED);
    expect((JSON.parse(stdout) as { workspace: unknown }).workspace).toEqual([]);
  });
});

describe('mayday diagnose with an opinion', () => {
  const OUTPUT = 'starting zorp\nzorp: axis.zz:14: blarg 7 flooped\n';
  const ANSWER = {
    class: 'build_failure',
    cause: 'Blarg 7 of axis.zz is wrong.',
    quote: 'blarg 7 flooped',
    recoverable: true,
    next_step: 'Look at line 14 of axis.zz.',
    confidence: 0.9,
  };
  const asking = `command:cat > /dev/null; echo '${JSON.stringify(ANSWER)}'`;
  const flags = ['diagnose', '--exit-code', '1', '--workspace', 'none'];

  it('says whose it is, that its quote was found, and keeps it apart from what is proven', async () => {
    const { stdout } = await mayday([...flags, '--opinion', asking], OUTPUT);
    expect(stdout).toContain('Opinion of command, quote found in the record: build failure');
    expect(stdout).toContain('“Blarg 7 of axis.zz is wrong.”');
    const json = JSON.parse(
      (await mayday([...flags, '--json', '--opinion', asking], OUTPUT)).stdout,
    ) as object;
    expect(json).toMatchObject({
      opinion: { by: 'command', kind: 'diagnose', quotes: [{ entry: 2, text: 'blarg 7 flooped' }] },
    });
    expect(JSON.stringify({ ...json, opinion: null })).not.toContain('Look at line 14 of axis.zz.');
  });

  it('asks nobody unless told to, and about nothing that the rules are sure of', async () => {
    const nobody = JSON.parse((await mayday([...flags, '--json'], OUTPUT)).stdout) as object;
    expect(nobody).toMatchObject({ opinion: null, no_opinion: 'no model is asked' });
    const sure = await mayday(
      [...flags, '--json', '--opinion', asking],
      "ModuleNotFoundError: No module named 'flask'\n",
    );
    expect(JSON.parse(sure.stdout)).toMatchObject({ opinion: null, no_opinion: 'the rules are sure' });
  });

  it('asks about each line of --jsonl only with --opinion', async () => {
    const line = `${JSON.stringify({ id: 1, output: OUTPUT, exit_code: 1 })}\n`;
    const [unasked, asked] = await Promise.all([
      mayday(['diagnose', '--jsonl'], line),
      mayday(['diagnose', '--jsonl', '--opinion', asking], line),
    ]);
    expect(JSON.parse(unasked.stdout)).toMatchObject({ id: 1, opinion: null });
    expect(JSON.parse(asked.stdout)).toMatchObject({ id: 1, opinion: { by: 'command' } });
  });

  it('shows no secret to the model', async () => {
    const asked = join(folder, 'asked.txt');
    const token = `ghp_${'A1b2'.repeat(9)}`;
    const keeping = asking.replace('/dev/null', asked);
    await mayday([...flags, '--opinion', keeping], `${OUTPUT}login with ${token} failed\n`);
    const prompt = await readFile(asked, 'utf8');
    expect(prompt).toContain('blarg 7 flooped');
    expect(prompt).not.toContain(token);
  });
});

it('mayday diagnose --recovery prints the six keys of a recovery document, and nothing else', async () => {
  const { stdout } = await mayday(['diagnose', '--recovery', '--exit-code', '1'], 'error: it broke\n');
  expect(Object.keys(JSON.parse(stdout) as object)).toEqual([
    'root_cause',
    'recoverable',
    'recovery_plan',
    'human_instructions',
    'suggested_actions',
    'escalation_reason',
  ]);
});

describe('the library', () => {
  it('takes feature, issue and what the caller took it for; error stands for runtime_error', () => {
    const got = diagnose({
      output: 'ERROR: 401 Unauthorized from https://api.example.com/v1',
      exitCode: 1,
      featureId: 'F-12',
      issueNumber: 34,
      failureType: 'error',
    });
    expect(got.escalation_reason).toContain('feature F-12, issue #34');
    expect(got.hypotheses[0]?.cause).toContain('runtime_error');
  });
});
