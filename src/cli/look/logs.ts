/** `mayday logs RUN`: prints the transcript of a run; with `--keeper`, what the keeper of the run did and waits for. */
import { existsSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { transcriptPath } from '../../act/run-files.ts';
import { readableQuotes } from '../../core/text/quote-fenced.ts';
import { readView } from '../../core/view/read-view.ts';
import type { TranscriptEntry } from '../../core/vocabulary/transcript.ts';
import type { RunRecord } from '../../record/contract.ts';
import { readTranscript, transcriptSummary } from '../../record/transcript/read-transcript.ts';
import { fetchTranscripts, placeElsewhere } from '../../supervise/hosts/read-from-afar.ts';
import { readKeeperLog } from '../../supervise/keeper-log.ts';
import type { Invocation } from '../command.ts';
import { wholeNumberOf } from '../option-values.ts';
import { keeperLineText } from '../render/keeper-line.ts';
import { clockTime } from '../render/time.ts';
import { transcriptLine } from '../render/transcript-line.ts';
import { print } from '../print.ts';
import { withRun } from '../with-record.ts';
import { writeSaid, writeText } from '../write-text.ts';

/** A person does not notice less. */
const LOOK_MS = 200;

interface Said {
  readonly attempt: number;
  readonly entry: TranscriptEntry;
}

export function run(invocation: Invocation): Promise<number> {
  return withRun(invocation, async ({ home, record }, runId) => {
    const { stdout, stderr, json, options } = invocation;
    const tail = wholeNumberOf(invocation, 'tail') ?? Infinity;
    if (options['keeper'] === true) {
      const lines = readKeeperLog(home, runId).slice(-tail);
      return print(invocation, lines, lines.map((line) => `${keeperLineText(line)}\n`).join(''));
    }
    await fetchTranscripts(home, record, runId);
    const transcripts = new Transcripts(home, record, runId, wholeNumberOf(invocation, 'attempt'));
    let first = true;
    if (json) stdout.write('[');
    const say = ({ attempt, entry }: Said) => {
      if (!json) writeSaid(stdout, `${clockTime(entry.at)}  ${attempt}  ${transcriptLine(entry)}\n`);
      else stdout.write(`${first ? '' : ',\n'}${JSON.stringify({ attempt, ...entry })}`);
      first = false;
    };
    for await (const said of transcripts.last(tail)) say(said);
    let told = '';
    for (let isOver = options['follow'] !== true; !isOver; ) {
      // What was said before the end is read after the end was seen.
      isOver = await transcripts.isOver();
      for await (const said of transcripts.news()) say(said);
      const pausing = isOver ? '' : await transcripts.pausing();
      if (pausing !== '' && pausing !== told) writeText(stderr, `${pausing}\n`);
      told = pausing;
      if (!isOver) await pause(LOOK_MS);
    }
    if (json) stdout.write(']\n');
    const elsewhere = first ? await placeElsewhere(home, record, runId) : null;
    if (elsewhere !== null)
      writeText(stderr, `what run ${runId} says is on host ${elsewhere} until its attempt ends\n`);
    else if (first && !json) writeText(stderr, `the agent of run ${runId} has said nothing\n`);
    return 0;
  });
}

class Transcripts {
  readonly #home: string;
  readonly #record: RunRecord;
  readonly #runId: string;
  readonly #only: number | undefined;
  /** Entries that were read, by attempt. */
  readonly #read = new Map<number, number>();

  constructor(home: string, record: RunRecord, runId: string, only: number | undefined) {
    this.#home = home;
    this.#record = record;
    this.#runId = runId;
    this.#only = only;
  }

  async *last(count: number): AsyncGenerator<Said> {
    let left = count;
    for (const { number, path } of (await this.#transcripts()).toReversed()) {
      const { entries } = await transcriptSummary(path);
      this.#read.set(number, Math.max(0, entries - left));
      left = Math.max(0, left - entries);
    }
    yield* this.news();
  }

  async *news(): AsyncGenerator<Said> {
    for (const { number: attempt, path } of await this.#transcripts()) {
      const from = (this.#read.get(attempt) ?? 0) + 1;
      for await (const { number, entry } of readTranscript(path, { type: 'number', number: from })) {
        this.#read.set(attempt, number);
        yield { attempt, entry };
      }
    }
  }

  async isOver(): Promise<boolean> {
    const row = await this.#record.row(this.#runId);
    return row === null || row.ended;
  }

  /** Why nothing more is said for now; empty while an agent works. */
  async pausing(): Promise<string> {
    const row = await this.#record.row(this.#runId);
    const view = row === null ? null : readView(row);
    if (view === null || view.state === 'working') return '';
    const question = view.questions.find(({ answer }) => answer === null);
    const hint = question === undefined ? '' : `; mayday answer ${question.id}`;
    return `run ${this.#runId}, ${view.word.replaceAll('_', ' ')}: ${readableQuotes(view.why)}${hint}`;
  }

  async #transcripts(): Promise<{ readonly number: number; readonly path: string }[]> {
    const row = await this.#record.row(this.#runId);
    return (row === null ? [] : readView(row).attempts)
      .filter(({ number }) => this.#only === undefined || number === this.#only)
      .map(({ number }) => ({ number, path: transcriptPath(this.#home, this.#runId, number) }))
      .filter(({ path }) => existsSync(path));
  }
}
