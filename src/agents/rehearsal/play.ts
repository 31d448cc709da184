/** The rehearsal agent's program: plays the steps of its attempt, as a process of its own. Arguments: the script file. */
import { createHash } from 'node:crypto';
import { appendFileSync, mkdirSync, readFileSync, rmSync, writeFileSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { runShell, spawnOutliving } from '../../platform/process/spawn.ts';
import type { RehearsalScript, RehearsalStep } from './script.ts';

const FLOOD_CHUNK_BYTES = 1024 * 1024;

let calls = 0;
const used = {
  inputTokens: 0,
  outputTokens: 0,
  cacheReadTokens: 0,
  cacheWriteTokens: 0,
  costUsd: 0,
  turns: 0,
};

const script = JSON.parse(readFileSync(process.argv[2] ?? '', 'utf8')) as RehearsalScript;
const number = Number(process.env['MAYDAY_ATTEMPT'] ?? '1');
const attempt = script.attempts[Math.min(number, script.attempts.length) - 1];
const brief = readFileSync(process.env['MAYDAY_BRIEF'] ?? '/dev/null', 'utf8');
const unmet = [attempt?.when?.brief_includes ?? []].flat().filter((text) => !brief.includes(text));

say({ rehearsal: 'session', sessionId: process.env['MAYDAY_REHEARSAL_SESSION'] ?? '' });
if (unmet.length > 0) {
  writeSync(
    2,
    `rehearsal: attempt ${number} is not played: the brief does not say ${JSON.stringify(unmet[0])}\n`,
  );
  process.exit(1);
}
await play(attempt?.steps ?? []);

async function play(steps: readonly RehearsalStep[]): Promise<void> {
  for (const step of steps) await perform(step);
}

async function perform(step: RehearsalStep): Promise<void> {
  if ('say' in step) return say({ rehearsal: 'say', text: step.say });
  if ('claim' in step) return say({ rehearsal: 'claim', text: step.claim });
  if ('error' in step) return void writeSync(2, `${step.error}\n`);
  if ('tool' in step) return tool(step.tool);
  if ('write' in step) return each(step.write, writeFileSync);
  if ('append' in step) return each(step.append, appendFileSync);
  if ('delete' in step) return step.delete.forEach(remove);
  if ('run' in step) return command(step.run);
  if ('sleep' in step) return await pause(step.sleep * 1000);
  if ('hang' in step) return await pause(step.hang * 1000);
  if ('spin' in step) return spin(step.spin);
  if ('flood' in step) return flood(step.flood.bytes, step.flood.line_bytes ?? 80);
  if ('spawn' in step) return spawnOutliving(step.spawn);
  if ('ignore' in step) return step.ignore.forEach((name) => process.on(name, () => {}));
  if ('signal' in step) return raise(step.signal);
  if ('exit' in step) process.exit(step.exit);
  if ('usage' in step) return usage(step.usage);
  if ('checkpoint' in step) return put('MAYDAY_CHECKPOINT', step.checkpoint);
  if ('blocker' in step) return put('MAYDAY_BLOCKER', step.blocker);
  if ('loop' in step) for (let times = 0; times < step.loop.times; times += 1) await play(step.loop.steps);
}

function say(line: object): void {
  writeSync(1, `${JSON.stringify(line)}\n`);
}

function tool({ name, input, result, error }: Extract<RehearsalStep, { tool: unknown }>['tool']): void {
  calls += 1;
  say({ rehearsal: 'call', id: `call_${calls}`, tool: name, input: text(input) });
  const isError = error !== undefined && error !== false;
  say({
    rehearsal: 'result',
    id: `call_${calls}`,
    output: text(isError && error !== true ? error : (result ?? '')),
    isError,
  });
}

function command(line: string): void {
  calls += 1;
  const id = `call_${calls}`;
  say({ rehearsal: 'call', id, tool: 'shell', input: line });
  const { exitCode, output } = runShell(line);
  say({ rehearsal: 'result', id, output, isError: exitCode !== 0 });
}

function each(files: Readonly<Record<string, string>>, write: (path: string, content: string) => void): void {
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(path), { recursive: true });
    write(path, content);
    note({ path, sha256: createHash('sha256').update(readFileSync(path)).digest('hex') });
  }
}

function remove(path: string): void {
  rmSync(path, { force: true, recursive: true });
  note({ path, sha256: null });
}

/** What this attempt wrote, for the drill that counts what was lost. */
function note(written: { readonly path: string; readonly sha256: string | null }): void {
  const file = process.env['MAYDAY_REHEARSAL_WRITES'];
  if (file !== undefined) appendFileSync(file, `${JSON.stringify(written)}\n`);
}

function spin(seconds: number): void {
  const until = performance.now() + seconds * 1000;
  while (performance.now() < until);
}

function flood(bytes: number, lineBytes: number): void {
  const line = `${'x'.repeat(Math.max(0, Math.min(lineBytes, FLOOD_CHUNK_BYTES) - 1))}${lineBytes <= FLOOD_CHUNK_BYTES ? '\n' : 'x'}`;
  const chunk = Buffer.from(line.repeat(Math.max(1, Math.floor(FLOOD_CHUNK_BYTES / line.length))));
  for (let left = bytes; left > 0; left -= chunk.length) writeSync(1, chunk, 0, Math.min(left, chunk.length));
  if (lineBytes > FLOOD_CHUNK_BYTES) writeSync(1, '\n');
}

async function raise(name: string): Promise<void> {
  process.kill(process.pid, name as NodeJS.Signals);
  // The signal is delivered between two turns of the loop; do not run on into the next step before it is.
  await pause(50);
}

function usage({ tokens, cost_usd, turns }: Extract<RehearsalStep, { usage: unknown }>['usage']): void {
  used.inputTokens += tokens;
  used.costUsd += cost_usd ?? 0;
  used.turns += turns ?? 1;
  say({ rehearsal: 'usage', usage: used });
}

function put(variable: string, content: object): void {
  const file = process.env[variable];
  if (file !== undefined) writeFileSync(file, JSON.stringify(content));
}

function text(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}
