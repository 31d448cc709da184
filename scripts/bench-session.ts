/**
 * How much memory `mayday autopsy` takes for a large session: `node scripts/bench-session.ts [MEGABYTES]`. It writes a session of that size
 * to a temporary folder, and compares the peak of the published package with what it takes for a session of 1 MB.
 */
import { closeSync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { medianOf, peakMb } from './bench-place.ts';

const MB = 1024 ** 2;
/** What a laptop with several agents at work can spare. */
const MOST_MB = 150;
/** A process that reads 1 MB needs about 73 MB. */
const MOST_MORE_MB = 70;
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

const megabytes = Number(process.argv[2] ?? 300);
const folder = mkdtempSync(join(tmpdir(), 'mayday-bench-session-'));
try {
  const env = { ...process.env, MAYDAY_HOME: join(folder, 'home'), XDG_CACHE_HOME: join(folder, 'cache') };
  const [small, large] = [1, megabytes].map((size) => {
    const path = join(folder, `${size}.jsonl`);
    writeSession(path, size * MB);
    // When garbage is collected differs from time to time.
    return medianOf(Array.from({ length: 3 }, () => peakMb(['autopsy', path], folder, env)));
  }) as [number, number];
  const more = large - small;
  console.log(
    `bench:session: ${megabytes} MB read and explained at a peak of ${large.toFixed(0)} MB (at most ${MOST_MB}), ${more.toFixed(0)} MB more than 1 MB takes (at most ${MOST_MORE_MB})`,
  );
  process.exitCode = large <= MOST_MB && more <= MOST_MORE_MB ? 0 : 1;
} finally {
  rmSync(folder, { recursive: true, force: true });
}
