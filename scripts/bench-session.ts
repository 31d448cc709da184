/**
 * How much memory a large session takes to read and explain: `node scripts/bench-session.ts [MEGABYTES]`. It writes a session of that size
 * to a temporary folder, and compares the peak of a process that reads it with one that reads a session of 1 MB.
 */
import { spawnSync } from 'node:child_process';
import { closeSync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

const MB = 1024 ** 2;
/** A process that reads 1 MB needs about 85 MB; together they stay below 150. */
const MOST_MORE_MB = 65;
const SIZES = [200, 1_000, 4_000, 12_000, 30_000];

function writeSession(path: string, bytes: number): void {
  const filler = 'src/core/example.ts:41: const value = compute(input, options); // as before\n'.repeat(400);
  const file = openSync(path, 'w');
  let written = 0;
  const put = (type: string, n: number, message: object): void => {
    const timestamp = new Date(1e12 + n * 4_000).toISOString();
    written += writeSync(
      file,
      `${JSON.stringify({ type, sessionId: 's', cwd: '/repo', timestamp, message })}\n`,
    );
  };
  put('user', 0, { role: 'user', content: 'mend the tests' });
  for (let n = 1; written < bytes; n++) {
    const input = { command: `run part ${n}`, description: 'look' };
    const call = { type: 'tool_use', id: `t${n}`, name: 'Bash', input };
    put('assistant', n, {
      id: `m${n}`,
      role: 'assistant',
      usage: { input_tokens: 9, output_tokens: 5 },
      content: [call],
    });
    const content = `${n} ${filler.slice(0, SIZES[n % SIZES.length])}`;
    put('user', n, {
      role: 'user',
      content: [{ type: 'tool_result', tool_use_id: `t${n}`, is_error: false, content }],
    });
  }
  closeSync(file);
}

/** In a process of its own, because a peak never falls. */
function peakMb(path: string): number {
  const source = (name: string): string =>
    JSON.stringify(pathToFileURL(join(import.meta.dirname, '../src', name)).href);
  const program = `
    import { readSession, sessionFileAt } from ${source('agents/sessions/session-stores.ts')};
    import { autopsy } from ${source('core/detect/autopsy/autopsy.ts')};
    const { entries } = readSession(sessionFileAt(${JSON.stringify(path)}));
    autopsy('bench', entries);
    console.log(process.resourceUsage().maxRSS / 1024);`;
  const { stdout, stderr } = spawnSync(
    process.execPath,
    ['--no-warnings', '--input-type=module', '-e', program],
    {
      encoding: 'utf8',
    },
  );
  if (stdout === '') throw new Error(stderr);
  return Number(stdout);
}

const megabytes = Number(process.argv[2] ?? 300);
const folder = mkdtempSync(join(tmpdir(), 'mayday-bench-session-'));
try {
  const [small, large] = [1, megabytes].map((size) => {
    const path = join(folder, `${size}.jsonl`);
    writeSession(path, size * MB);
    return peakMb(path);
  }) as [number, number];
  console.log(
    `bench:session: ${megabytes} MB read at a peak of ${large.toFixed(0)} MB, ${(large - small).toFixed(0)} MB more than 1 MB takes (at most ${MOST_MORE_MB})`,
  );
  process.exitCode = large - small <= MOST_MORE_MB ? 0 : 1;
} finally {
  rmSync(folder, { recursive: true, force: true });
}
