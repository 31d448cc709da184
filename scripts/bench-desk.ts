/**
 * `npm run bench:desk [RUNS] [TABS]`: the desk over a hundred thousand runs and fifty open tabs: first page, a live change in every tab,
 * memory of the server. Each time is also told as a ratio to the same desk with one run and one tab.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { get } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { RunRecord } from '../src/record/contract.ts';
import type { RunRow } from '../src/record/contract/journal.ts';
import { openRecord } from '../src/supervise/open-record.ts';
import { openBrowser } from '../test/http/browser.ts';
import { RehearsalRepository } from '../test/context/rehearsal-repository.ts';

const FIRST_PAGE_GOAL_MS = 1_000;
const LIVE_GOAL_MS = 300;
const MEMORY_GOAL_MB = 300;
const ROUNDS = 10;
const runs = Number(process.argv[2] ?? 100_000);
const tabs = Number(process.argv[3] ?? 50);

const env = { ...process.env, MAYDAY_ANCHOR: 'none' };
const sample = await rescuedRow();
const browser = await openBrowser();
const idle = await measure(1, 1);
const full = await measure(runs, tabs);
await browser?.close();
const ratio = (name: 'pageMs' | 'apiMs' | 'liveMs') =>
  `${full[name].toFixed(0)} ms (x ${(full[name] / Math.max(idle[name], 1)).toFixed(1)})`;
const ok = full.pageMs < FIRST_PAGE_GOAL_MS && full.liveMs < LIVE_GOAL_MS && full.memoryMb < MEMORY_GOAL_MB;
console.log(
  `bench:desk: ${ok ? 'ok' : 'MISSED'}: ${runs} runs, ${tabs} tabs: first page ${ratio('pageMs')}, lists ${ratio('apiMs')}, ` +
    `live change ${ratio('liveMs')}, memory ${full.memoryMb.toFixed(0)} MB (x ${(full.memoryMb / idle.memoryMb).toFixed(1)})`,
);
process.exit(ok ? 0 : 1);

/** The row of a real run that was rescued and delivered. */
async function rescuedRow(): Promise<RunRow> {
  const place = await RehearsalRepository.make();
  const crash = { steps: [{ write: { 'b.txt': 'B' } }, { signal: 'SIGSEGV' as const }] };
  const { runId } = await place.run({
    attempts: [crash, { steps: [{ write: { 'a.txt': 'A' } }, { exit: 0 }] }],
  });
  const row = await place.record.row(runId);
  await place.remove();
  if (row === null) throw new Error('the run has no row');
  return row;
}

async function measure(count: number, open: number) {
  const home = mkdtempSync(join(tmpdir(), 'mayday-bench-desk-'));
  const record = await openRecord(home, env);
  await fill(record, count);
  const server = spawn(process.execPath, ['bin/mayday.js', 'serve', '--port', '0', '--json'], {
    env: { ...env, MAYDAY_HOME: home },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  try {
    return await look(record, server, open);
  } finally {
    server.kill();
    await record.close();
    rmSync(home, { recursive: true, force: true });
  }
}

async function fill(record: RunRecord, count: number): Promise<void> {
  const started = performance.now();
  for (let index = 0; index < count; index += 1) {
    const runId = `r${index}`;
    const view = sample.view.replaceAll(sample.runId, runId);
    const row = { ...sample, runId, view, updatedAt: sample.updatedAt - index };
    const events = [{ at: sample.createdAt, version: 2, type: 'note', body: '{}' }];
    await record.createRun({ runId, events, row }, { owner: 'bench', ttlMs: 1 });
  }
  console.log(`${count} runs written in ${((performance.now() - started) / 1000).toFixed(0)} s`);
}

async function look(record: RunRecord, server: ChildProcess, open: number) {
  const line = await new Promise<string>((settle) =>
    server.stdout?.once('data', (text) => settle(String(text))),
  );
  const { url, token_file: file, login_url: link } = JSON.parse(line) as Record<string, string>;
  const headers = { authorization: `Bearer ${readFileSync(file ?? '', 'utf8').trim()}` };
  const ask = async (path: string) => await (await fetch(`${url}${path}`, { headers })).text();
  const begun = performance.now();
  const list = JSON.parse(await ask('api/runs?limit=200')) as { change: number };
  await ask('api/inbox');
  const apiMs = performance.now() - begun;
  const pageMs = browser === null ? apiMs : await firstPage(link ?? '');
  const heard = new Map<number, (at: number) => void>();
  const streams = Array.from({ length: open }, (_, tab) =>
    get(`${url}api/changes?after=${list.change}`, { headers, agent: false }, (answer) => {
      answer.setEncoding('utf8').on('data', (text: string) => {
        if (text.includes('event: run')) heard.get(tab)?.(performance.now());
      });
    }),
  );
  await Promise.all(streams.map((stream) => new Promise((settle) => stream.once('response', settle))));
  const times: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const all = Promise.all(streams.map((_, tab) => new Promise<number>((settle) => heard.set(tab, settle))));
    const runId = `new${round}`;
    const row = {
      ...sample,
      runId,
      view: sample.view.replaceAll(sample.runId, runId),
      updatedAt: Date.now(),
    };
    const from = performance.now();
    const events = [{ at: Date.now(), version: 2, type: 'note', body: '{}' }];
    await record.createRun({ runId, events, row }, { owner: 'bench', ttlMs: 1 });
    times.push(Math.max(...(await all)) - from);
  }
  const memoryMb =
    Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${server.pid}/status`, 'utf8'))?.[1] ?? 0) / 1024;
  for (const stream of streams) stream.destroy();
  // The slowest tab of the slowest change.
  return { pageMs, apiMs, liveMs: Math.max(...times), memoryMb };
}

async function firstPage(link: string): Promise<number> {
  const page = await (await browser?.newContext())?.newPage();
  if (page === undefined) return 0;
  const begun = performance.now();
  await page.goto(link);
  await page.locator('.rows .row').first().waitFor();
  const took = performance.now() - begun;
  await page.context().close();
  return took;
}
