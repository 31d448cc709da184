/** `completionWords`: the names that a shell can offer: runs, open questions, agents, checks of this project. */
import { detectProject } from '../../act/project/detect-project.ts';
import { CLI_AGENTS } from '../../agents/registry.ts';
import { openQuestion } from '../../core/state/run-state.ts';
import { loadConfig } from '../../supervise/request/config.ts';
import { loadState } from '../../supervise/load-state.ts';
import type { Invocation } from '../command.ts';
import { plainLine } from '../render/plain.ts';
import { withRecord } from '../with-record.ts';

const KINDS = { runs, questions, agents, checks } as const;
export type WordKind = keyof typeof KINDS;

/** A list in a shell is not read beyond this. */
const MAX_WORDS = 200;
const MAX_WIDTH = 200;

export async function completionWords(kind: WordKind, invocation: Invocation): Promise<readonly string[]> {
  return (await KINDS[kind](invocation)).slice(0, MAX_WORDS).map((word) => plainLine(word, MAX_WIDTH));
}

async function runs(invocation: Invocation): Promise<string[]> {
  return await withRecord(invocation, async ({ record }) =>
    (await record.rows({ listed: true, withoutView: true })).map(({ runId }) => runId),
  );
}

async function questions(invocation: Invocation): Promise<string[]> {
  return await withRecord(invocation, async ({ record }) => {
    const rows = await record.rows({ needsPerson: true });
    const states = await Promise.all(rows.map(({ runId }) => loadState(record, runId)));
    return states.flatMap((state) => openQuestion(state)?.question.id ?? []);
  });
}

async function agents({ cwd }: Invocation): Promise<string[]> {
  return [...Object.keys((await loadConfig(cwd)).agents ?? {}), ...CLI_AGENTS];
}

async function checks({ cwd, env }: Invocation): Promise<string[]> {
  const { checks = [] } = await loadConfig(cwd);
  return [...new Set([...checks, ...(await detectProject(cwd, env['PATH'] ?? '')).checks])];
}
