/**
 * `npm run bench:desk [RUNS] [TABS]`: the desk over many runs with transcripts, and fifty open tabs: first page, the page of the longest
 * run, a live change in every tab, memory of the server. Each time is also told as a ratio to the same desk with one run and one tab.
 * The full size is `npm run bench:desk 100000`: ten million entries of transcripts. It takes minutes, so that the default is smaller.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { linkSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { get } from 'node:http';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { transcriptPath } from '../src/act/run-files.ts';
import type { RunRecord } from '../src/record/contract.ts';
import type { NewEvent, RunRow } from '../src/record/contract/journal.ts';
import type { TranscriptEntry } from '../src/core/vocabulary/transcript.ts';
import { createRedactor } from '../src/record/redaction/redact.ts';
import { TranscriptWriter } from '../src/record/transcript/transcript.ts';
import { openRecord } from '../src/supervise/open-record.ts';
import { enter, openBrowser } from '../test/http/browser.ts';
import { RehearsalRepository } from '../test/context/rehearsal-repository.ts';

const FIRST_PAGE_GOAL_MS = 1_000;
const LIVE_GOAL_MS = 300;
const MEMORY_GOAL_MB = 300;
const ROUNDS = 10;
const FULL_RUNS = 100_000;
/** Of each run: ten million in all at full size. */
const ENTRIES = 100;
/** Of the longest run, whose page is opened. */
const LONGEST = 100_000;
/** Entries that an agent makes between two writes. */
const AT_ONCE = 100;
/** A file system allows 65,000 names of one file. */
const NAMES_OF_A_FILE = 50_000;
const runs = Number(process.argv[2] ?? FULL_RUNS / 5);
const tabs = Number(process.argv[3] ?? 50);

const env = { ...process.env, MAYDAY_ANCHOR: 'none' };
const { row: sample, events: journal } = await rescuedRun();
const browser = await openBrowser();
const idle = await measure(1, 1);
const full = await measure(runs, tabs);
await browser?.close();
const ratio = (name: 'pageMs' | 'runPageMs' | 'apiMs' | 'liveMs') =>
  `${full[name].toFixed(0)} ms (x ${(full[name] / Math.max(idle[name], 1)).toFixed(1)})`;
const ok = full.pageMs < FIRST_PAGE_GOAL_MS && full.liveMs < LIVE_GOAL_MS && full.memoryMb < MEMORY_GOAL_MB;
const entries = (runs * ENTRIES + LONGEST).toLocaleString('en');
console.log(
  [
    `bench:desk: ${ok ? 'ok' : 'MISSED'}: ${runs} runs${runs < FULL_RUNS ? ` (full size: ${FULL_RUNS})` : ''}`,
    `${entries} entries of transcripts, ${tabs} tabs: first page ${ratio('pageMs')}`,
    `page of a run with ${LONGEST} entries ${ratio('runPageMs')}`,
    `lists ${ratio('apiMs')}`,
    `live change ${ratio('liveMs')}`,
    `memory ${full.memoryMb.toFixed(0)} MB (x ${(full.memoryMb / idle.memoryMb).toFixed(1)})`,
  ].join(', '),
);
process.exit(ok ? 0 : 1);

/** Row and journal of a real run that was rescued and delivered. */
async function rescuedRun(): Promise<{ readonly row: RunRow; readonly events: readonly NewEvent[] }> {
  const place = await RehearsalRepository.make();
  const crash = { steps: [{ write: { 'b.txt': 'B' } }, { signal: 'SIGSEGV' as const }] };
  const { runId } = await place.run({
    attempts: [crash, { steps: [{ write: { 'a.txt': 'A' } }, { exit: 0 }] }],
  });
  const row = await place.record.row(runId);
  const events = await place.record.events(runId);
  await place.remove();
  if (row === null) throw new Error('the run has no row');
  return { row, events: events.map(({ at, version, type, body }) => ({ at, version, type, body })) };
}

async function measure(count: number, open: number) {
  const home = mkdtempSync(join(tmpdir(), 'mayday-bench-desk-'));
  const record = await openRecord(home, env);
  await fill(home, record, count);
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

async function fill(home: string, record: RunRecord, count: number): Promise<void> {
  const started = performance.now();
  let file = '';
  for (let index = 0; index < count; index += 1) {
    const runId = `r${index}`;
    const view = sample.view.replaceAll(sample.runId, runId);
    const row = { ...sample, runId, view, updatedAt: sample.updatedAt - index };
    const note = [{ at: sample.createdAt, version: 2, type: 'note', body: '{}' }];
    // The page of the first run is opened, so that it has a whole journal.
    await record.createRun(
      { runId, events: index === 0 ? journal : note, row },
      { owner: 'bench', ttlMs: 1 },
    );
    // The page opens at the end of a run, which is in its second attempt.
    const path = transcriptPath(home, runId, 2);
    mkdirSync(dirname(path), { recursive: true });
    if (index === 0) await writeTranscript(path, count === 1 ? ENTRIES : LONGEST);
    else if (index % NAMES_OF_A_FILE === 1) await writeTranscript((file = path), ENTRIES);
    else linkSync(file, path);
  }
  console.log(
    `${count} runs with transcripts written in ${((performance.now() - started) / 1000).toFixed(0)} s`,
  );
}

/** Calls and their results, as an agent makes them. */
async function writeTranscript(path: string, entries: number): Promise<void> {
  const writer = await TranscriptWriter.open(path, { redactor: createRedactor() });
  const all = Array.from({ length: entries }, (_, index): TranscriptEntry => {
    const [at, id] = [sample.createdAt + index, `c${index >> 1}`];
    return index % 2 === 0
      ? { type: 'tool_call', at, id, tool: 'Bash', input: '{"command":"npm test -- upload"}' }
      : { type: 'tool_result', at, id, output: '12 passed, 1 failed', isError: index % 6 === 1 };
  });
  for (let from = 0; from < entries; from += AT_ONCE) await writer.append(all.slice(from, from + AT_ONCE));
  await writer.close();
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
  const { pageMs, runPageMs } = browser === null ? { pageMs: apiMs, runPageMs: 0 } : await pages(link ?? '');
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
  return { pageMs, runPageMs, apiMs, liveMs: Math.max(...times), memoryMb };
}

async function pages(link: string): Promise<{ readonly pageMs: number; readonly runPageMs: number }> {
  const page = await (await browser?.newContext())?.newPage();
  if (page === undefined) return { pageMs: 0, runPageMs: 0 };
  const begun = performance.now();
  await enter(page, link);
  await page.locator('.rows .row').first().waitFor();
  const pageMs = performance.now() - begun;
  const opened = performance.now();
  await page.goto(`${new URL(link).origin}/runs/r0`);
  await page.locator('.transcript li').first().waitFor();
  await page.locator('.timeline').waitFor();
  const runPageMs = performance.now() - opened;
  await page.context().close();
  return { pageMs, runPageMs };
}
