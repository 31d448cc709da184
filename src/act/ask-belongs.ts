/**
 * `askBelongs`: asks the model of the run about a work that passed its checks: what it weakened in what judges it, and what the task does
 * not explain. Without an answer the gate judges by what was observed.
 */
import { type BelongsFindings, belongsFindings, isWorthAsking } from '../core/opinion/belongs-findings.ts';
import { type BelongsFile, belongsQuestion } from '../core/opinion/belongs-question.ts';
import { readHunks } from '../core/opinion/diff-hunks.ts';
import { materialMark } from '../agents/opinion/material-mark.ts';
import { expectGit } from '../platform/git/git.ts';
import { rawToText } from '../platform/git/raw-path.ts';
import { shadowGit } from '../platform/git/shadow-git.ts';
import type { ActContext } from './act.ts';
import { askInRun, redactorOf } from './ask-in-run.ts';
import type { VerifiedWork } from './checks/verify-work.ts';
import type { TreeChange } from './checkpoint/tree-changes.ts';
import type { Workspace } from './workspace/workspace.ts';

interface PassedWork {
  readonly workspace: Workspace;
  readonly tree: string;
  readonly changes: readonly TreeChange[];
  readonly verified: VerifiedWork;
}

const NOTHING: BelongsFindings = { judges: [], unrelated: [] };
/** Larger files are data. */
const BIG_FILE = '1m';
/** A prompt shows a hundredth of it; the files that may judge come first. */
const MAX_FILE_CHARS = 64 * 1024;
const MAX_CHARS = 1024 * 1024;

export async function askBelongs(context: ActContext, work: PassedWork): Promise<BelongsFindings> {
  const { text, checks } = context.state.task;
  const { outcomes } = work.verified;
  if ((context.state.options.opinion?.type ?? 'none') === 'none') return NOTHING;
  if (work.changes.length === 0 || outcomes.some(({ passed }) => !passed)) return NOTHING;
  const files = filesOf(work);
  if (!isWorthAsking(text, files)) return NOTHING;
  const redact = await redactorOf(context);
  const diff = redact(await diffOf(work, files, context.signal));
  const task = redact(text);
  const question = belongsQuestion({
    task,
    checks: checks.map(redact),
    files,
    read: [...(work.verified.read.before ?? [])],
    hunks: readHunks(diff),
    mark: materialMark(task, ...checks, diff),
  });
  const { outcome } = await askInRun(context, question);
  return outcome?.type === 'answered' ? belongsFindings(outcome.opinion, files) : NOTHING;
}

function filesOf({ changes, verified: { judges, read } }: PassedWork): BelongsFile[] {
  const known = new Map(judges.map(({ path, why }) => [path, why]));
  return changes.map(({ rawPath, type }) => {
    const path = rawToText(rawPath);
    return {
      path,
      type,
      readBefore: read.before?.has(path) ?? null,
      readNow: read.now?.has(path) ?? null,
      judge: known.get(path) ?? null,
    };
  });
}

async function diffOf(
  { workspace: { shadow, baseTree }, tree }: PassedWork,
  files: readonly BelongsFile[],
  signal: AbortSignal | undefined,
): Promise<string> {
  const flags = ['-p', '-r', '--no-color', '--no-ext-diff', '--no-textconv', '--no-renames'];
  const diff = await shadowGit(shadow, ['diff-tree', ...flags, baseTree, tree], {
    config: ['core.quotePath=false', `core.bigFileThreshold=${BIG_FILE}`],
    signal,
  });
  const parts = expectGit(diff, 'reading the change')
    .stdout.toString('utf8')
    .split(/^(?=diff --git )/m);
  const mayJudge = files.filter(({ judge, readBefore }) => judge !== null || readBefore === true);
  const first = new Set(mayJudge.map(({ path }) => path));
  const order = parts.map((part) => ({ part, rank: first.has(pathOf(part)) ? 0 : 1 }));
  let room = MAX_CHARS;
  return order
    .toSorted((a, b) => a.rank - b.rank)
    .map(({ part }) => {
      const kept = wholeLines(part, Math.min(room, MAX_FILE_CHARS));
      room -= kept.length;
      return kept;
    })
    .join('');
}

function wholeLines(text: string, chars: number): string {
  return text.length <= chars ? text : text.slice(0, text.lastIndexOf('\n', chars) + 1);
}

/** As git heads the part of a file. */
function pathOf(part: string): string {
  return / b\/(.*)$/.exec(part.slice(0, part.indexOf('\n')))?.[1] ?? '';
}
