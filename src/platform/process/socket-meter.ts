/**
 * `SocketMeter`: counts the bytes that moved over the TCP connections of a set of processes.
 *
 * `ss` gives the bytes of each socket (it needs no rights), and `/proc/PID/fd` tells which process has the socket. Two other sources
 * were measured and are not used: `/proc/PID/io` misses what is received by `recv` (Python, Rust, Bun) and changes every second in a
 * Claude Code that hangs; `/proc/net/tcp` has no counts. UDP (QUIC), other network namespaces and systems without `ss` cannot be
 * measured; then `look` returns null, not 0.
 */
import { SYSTEM_PATH } from './system-program.ts';
import { execFile } from 'node:child_process';
import { readdirSync, readlinkSync } from 'node:fs';
import { HAS_PROC } from './proc-table.ts';

/** `ss` answers in 5 ms; if it takes longer than this, it is asked again at the next look. */
const SS_TIMEOUT_MS = 1_000;
/** Enough for 20,000 connections; a host with more is not measured. */
const SS_OUTPUT_BYTES = 8 * 1024 * 1024;
/** More processes or files than an agent has; the rest is not read. */
const MAX_PROCESSES = 256;
const MAX_FILES = 4_096;

export class SocketMeter {
  #bytes = new Map<string, number>();
  #total = 0;
  #isFirst = true;
  #isUsable = HAS_PROC;

  /** Bytes since the first look. The first look, and the one after `forget`, add nothing. Null when the bytes cannot be measured. */
  async look(pids: readonly number[]): Promise<number | null> {
    if (!this.#isUsable) return null;
    const inodes = socketsOf(pids);
    if (inodes === null) return null;
    const lines = inodes.size === 0 ? [] : await this.#connections();
    if (lines === null) return null;
    const known = this.#bytes;
    const isFirst = this.#isFirst;
    this.#isFirst = false;
    this.#bytes = new Map();
    for (const { inode, bytes } of lines) {
      if (!inodes.has(inode)) continue;
      this.#bytes.set(inode, bytes);
      if (!isFirst) this.#total += Math.max(0, bytes - (known.get(inode) ?? 0));
    }
    return this.#total;
  }

  /** Bytes that move before the next look are not counted, because it is not known when they moved. */
  forget(): void {
    this.#isFirst = true;
  }

  async #connections(): Promise<readonly Connection[] | null> {
    const text = await askKernel();
    if (text === 'missing') this.#isUsable = false;
    return typeof text === 'string' ? null : text;
  }
}

interface Connection {
  readonly inode: string;
  readonly bytes: number;
}

function askKernel(): Promise<readonly Connection[] | 'missing' | 'failed'> {
  const path = `${SYSTEM_PATH}:${process.env['PATH'] ?? ''}`;
  return new Promise((resolve) => {
    execFile(
      'ss',
      // TCP, internal counts, numbers, inode, no heading, one line each.
      ['-tineHO'],
      {
        encoding: 'latin1',
        env: { PATH: path, LC_ALL: 'C' },
        timeout: SS_TIMEOUT_MS,
        maxBuffer: SS_OUTPUT_BYTES,
      },
      (error, stdout) => {
        if (error === null) resolve(stdout.split('\n').flatMap(readConnection));
        else resolve(error.code === 'ENOENT' ? 'missing' : 'failed');
      },
    );
  });
}

/** Sent bytes count when the other side has acknowledged them: bytes that are sent again and again to a dead host do not. */
function readConnection(line: string): readonly Connection[] {
  const inode = /\bino:(\d+)/.exec(line)?.[1];
  if (inode === undefined) return [];
  const acked = /\bbytes_acked:(\d+)/.exec(line)?.[1] ?? '0';
  const received = /\bbytes_received:(\d+)/.exec(line)?.[1] ?? '0';
  return [{ inode, bytes: Number(acked) + Number(received) }];
}

/** Null when none of the processes may be read. */
function socketsOf(pids: readonly number[]): ReadonlySet<string> | null {
  const inodes = new Set<string>();
  let isReadable = pids.length === 0;
  for (const pid of pids.slice(0, MAX_PROCESSES)) {
    const files = filesOf(pid);
    isReadable ||= files !== null;
    for (const file of files?.slice(0, MAX_FILES) ?? []) {
      const inode = /^socket:\[(\d+)\]$/.exec(targetOf(`/proc/${pid}/fd/${file}`))?.[1];
      if (inode !== undefined) inodes.add(inode);
    }
  }
  return isReadable ? inodes : null;
}

function filesOf(pid: number): readonly string[] | null {
  try {
    return readdirSync(`/proc/${pid}/fd`);
  } catch {
    return null;
  }
}

function targetOf(path: string): string {
  try {
    return readlinkSync(path);
  } catch {
    return '';
  }
}
