import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { finished } from 'node:stream/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { MAYDAY } from '../../mayday-under-test.ts';

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

function mayday(args: readonly string[], input: string | null = null): Promise<Ended> {
  return new Promise((resolve) => {
    const child = spawn(process.execPath, [MAYDAY, ...args], { stdio: ['pipe', 'pipe', 'pipe'] });
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
  'fingerprint',
  'pattern',
];

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
    expect(stdout).toContain('runtime_error · recoverable · sure');
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
    expect(wrong.stderr).toContain('--exit-code takes a whole number');
  });
});
