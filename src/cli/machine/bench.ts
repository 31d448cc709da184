/** `mayday bench`: measures on this machine what supervision costs, how soon trouble is noticed and how long a rescue takes. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { diagnoseLines } from '../../core/diagnose/diagnose.ts';
import { LineSieve } from '../../core/diagnose/lines/read-lines.ts';
import type { DrillResult } from '../../drills/judge-drill.ts';
import { playDrill } from '../../drills/play-drill.ts';
import { readScenario } from '../../drills/scenario.ts';
import { PACKAGE_ROOT } from '../../platform/package-root.ts';
import { startTime } from '../../platform/process/spawn.ts';
import type { Invocation } from '../command.ts';
import { writeText } from '../write-text.ts';

const ROUNDS = 5;
/** A run that needs no rescue first; the others are rescued. */
const DRILLS = ['happy', 'killed', 'equal-calls', 'false-success', 'interrupted-halfway'];
const LINE = 'compiling module 17 of 412: nothing here is wrong\n';
const CHUNK_BYTES = 256 * 1024;
const OUTPUT_BYTES = 16 * 1024 ** 2;

export async function run({ env, json, stdout, stderr }: Invocation): Promise<number> {
  const folder = mkdtempSync(join(tmpdir(), 'mayday-bench-'));
  try {
    const start = startTimes({ ...env, MAYDAY_HOME: join(folder, 'home') });
    const speed = readSpeed();
    const lines = [
      row('start of mayday ps', `${start.ps_ms} ms`, `${start.ps_to_node} times node -e 0`),
      row('output without findings, diagnosed', `${speed} MB/s`, ''),
    ];
    if (!json) writeText(stdout, lines.join(''));
    const drills: DrillResult[] = [];
    for (const name of DRILLS) {
      const drill = await playDrill(readScenario(join(PACKAGE_ROOT, 'drills', `${name}.yaml`)), { env });
      drills.push(drill);
      if (json) writeText(stderr, `${drill.passed ? 'ok' : 'FAILED'} ${name}\n`);
      else writeText(stdout, drillRow(drill));
    }
    const failed = drills.filter(({ passed }) => !passed).length;
    if (json) stdout.write(`${JSON.stringify({ start, diagnose_mb_per_s: speed, drills, failed })}\n`);
    else writeText(stdout, `bench: ${drills.length - failed} runs measured, ${failed} failed\n`);
    return failed === 0 ? 0 : 1;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function startTimes(env: NodeJS.ProcessEnv) {
  const [, mayday = ''] = process.argv;
  startTime([mayday, 'ps'], env);
  const rounds = Array.from({ length: ROUNDS }, () => ({
    ps: startTime([mayday, 'ps'], env),
    node: startTime(['-e', '0'], env),
  }));
  // The fastest of each: on a busy machine everything slower is somebody else's work.
  const ps = Math.min(...rounds.map((each) => each.ps));
  const node = Math.min(...rounds.map((each) => each.node));
  return { ps_ms: round(ps), node_ms: round(node), ps_to_node: round(ps / node) };
}

/** In megabytes a second, as `mayday diagnose` reads a log. */
function readSpeed(): number {
  const begun = performance.now();
  const sieve = new LineSieve();
  const chunk = LINE.repeat(CHUNK_BYTES / LINE.length);
  for (let bytes = 0; bytes < OUTPUT_BYTES; bytes += chunk.length) sieve.push(chunk);
  diagnoseLines(sieve.lines(), { exitCode: 0, nowMs: Date.now(), timeZone: 'UTC' });
  return round(OUTPUT_BYTES / 1024 ** 2 / ((performance.now() - begun) / 1000));
}

function drillRow({ name, passed, seconds, seconds_to_notice, lost, why }: DrillResult): string {
  const noticed = seconds_to_notice === null ? '' : `noticed after ${seconds_to_notice} s, `;
  return row(
    `${passed ? 'run' : '✗ run'} of the drill ${name}`,
    `${seconds} s`,
    passed ? `${noticed}${lost} files lost` : why,
  );
}

function row(what: string, value: string, more: string): string {
  return `${what.padEnd(44)}${value.padStart(12)}${more === '' ? '' : `   ${more}`}\n`;
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}
