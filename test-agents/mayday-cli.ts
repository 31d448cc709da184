/** `callMayday`, `initRepository`: `mayday` as a person calls it, in a box with agent programs on its PATH. */
import { spawn, spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { delimiter, dirname, join, resolve } from 'node:path';
import type { Box } from './bare-cli.ts';

export const MAYDAY = resolve(import.meta.dirname, '../bin/mayday.js');

export interface MaydayCall {
  readonly exitCode: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export function initRepository(box: Box, policy: Readonly<Record<string, number>> = {}): void {
  const script =
    'git init -q -b main && git -c user.name=t -c user.email=t@localhost commit -q --allow-empty -m base';
  const { status, stderr } = spawnSync('sh', ['-c', script], {
    cwd: box.repo,
    env: box.env,
    encoding: 'utf8',
  });
  if (status !== 0) throw new Error(stderr);
  mkdirSync(join(box.root, 'mayday'), { recursive: true });
  const lines = Object.entries(policy).map(([key, value]) => `  ${key}: ${value}\n`);
  if (lines.length > 0) writeFileSync(join(box.root, 'mayday/mayday.yaml'), `policy:\n${lines.join('')}`);
}

export async function callMayday(
  box: Box,
  programs: readonly string[],
  args: readonly string[],
): Promise<MaydayCall> {
  const path = [...programs.map(dirname), box.env['PATH']].join(delimiter);
  const child = spawn(process.execPath, [MAYDAY, ...args], {
    cwd: box.repo,
    env: { ...box.env, MAYDAY_HOME: join(box.root, 'mayday'), PATH: path },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const output = { stdout: '', stderr: '' };
  child.stdout.on('data', (data: Buffer) => (output.stdout += data.toString()));
  child.stderr.on('data', (data: Buffer) => (output.stderr += data.toString()));
  const exitCode = await new Promise<number | null>((done, fail) => {
    child.once('error', fail);
    child.once('close', done);
  });
  return { exitCode, ...output };
}
