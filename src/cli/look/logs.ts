/** `mayday logs RUN`: prints the transcript of an attempt; with `--keeper`, what the keeper of the run did and waits for. */
import { existsSync } from 'node:fs';
import { transcriptPath } from '../../act/run-files.ts';
import type { TranscriptEntry } from '../../core/vocabulary/transcript.ts';
import { readTranscript } from '../../record/transcript/read-transcript.ts';
import { type KeeperLine, readKeeperLog } from '../../supervise/keeper-log.ts';
import { loadState } from '../../supervise/run-journal.ts';
import type { Invocation } from '../command.ts';
import { keeperLineText } from '../render/keeper-line.ts';
import { plain } from '../render/plain.ts';
import { clockTime } from '../render/time.ts';
import { findRun, withRecord } from '../with-record.ts';

export function run(invocation: Invocation): Promise<number> {
  return withRecord(invocation, async ({ home, record }) => {
    const runId = await findRun(record, invocation.args[0] ?? '');
    if (invocation.options['keeper'] === true) return printKeeperLog(readKeeperLog(home, runId), invocation);
    const { attempts } = await loadState(record, runId);
    const wanted = Number(invocation.options['attempt'] ?? 0);
    const { stdout, json } = invocation;
    let first = true;
    if (json) stdout.write('[');
    for (const { number } of attempts.filter(({ number }) => wanted === 0 || number === wanted)) {
      const path = transcriptPath(home, runId, number);
      if (!existsSync(path)) continue;
      for await (const { entry } of readTranscript(path)) {
        const comma = first ? '' : ',\n';
        first = false;
        stdout.write(
          json
            ? `${comma}${JSON.stringify({ attempt: number, ...entry })}`
            : `${clockTime(entry.at)}  ${number}  ${describe(entry)}\n`,
        );
      }
    }
    if (json) stdout.write(']\n');
    return 0;
  });
}

function printKeeperLog(lines: readonly KeeperLine[], { stdout, json }: Invocation): number {
  if (json) stdout.write(`${JSON.stringify(lines)}\n`);
  else for (const line of lines) stdout.write(`${keeperLineText(line)}\n`);
  return 0;
}

function describe(entry: TranscriptEntry): string {
  switch (entry.type) {
    case 'session':
      return `session ${entry.sessionId}`;
    case 'message':
      return `${entry.role}: ${plain(entry.text)}`;
    case 'tool_call':
      return `> ${entry.tool} ${plain(entry.input)}`;
    case 'tool_result':
      return `${entry.isError ? '! ' : '< '}${plain(entry.output)}`;
    case 'usage':
      return `usage ${entry.usage.inputTokens + entry.usage.outputTokens} tokens`;
    case 'retry':
      return `retry ${entry.attempt} in ${entry.delayMs} ms: ${plain(entry.text)}`;
    case 'error':
      return `error ${plain(entry.text)}`;
    case 'compaction':
      return 'context compacted';
    case 'result':
      return `${entry.isError ? 'failed' : 'says done'}: ${plain(entry.text)}`;
    case 'progress':
      return `progress (${entry.kind}): ${plain(entry.detail)}`;
    case 'output':
      return plain(entry.text);
    case 'unknown':
      return `? ${plain(entry.raw)}`;
  }
}
