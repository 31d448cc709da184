/**
 * `examineAttempt`: the act that looks at what an ended attempt left behind: its tree, notes, output and the cause of its end. The
 * workspace stays as it is, except after an exploring attempt: what that one wrote is saved in a checkpoint and then undone.
 */
import { withheldVariables } from '../../agents/credentials.ts';
import { findAdapter } from '../../agents/registry.ts';
import type { Verdict } from '../../agents/adapter.ts';
import { adapterName, type Examination } from '../../core/vocabulary/events/event.ts';
import { withNotePaths } from '../../core/view/brief/note-paths.ts';
import { savedTree } from '../../core/state/last-tree.ts';
import type { Attempt } from '../../core/state/run-state.ts';
import type { PartialWork } from '../../core/vocabulary/work.ts';
import type { TranscriptEntry } from '../../core/vocabulary/transcript.ts';
import { strangersIn } from '../../platform/container/strangers-in.ts';
import { readTranscript } from '../../record/transcript/read-transcript.ts';
import type { Act, ActContext } from '../act.ts';
import { readBlockerNote, readProposal } from './agent-notes.ts';
import { explainAttempt, timeZone } from './explain-attempt.ts';
import { agentAsks } from './agent-asks.ts';
import { attemptKnowledge, openCalls, repeatedCalls } from './attempt-knowledge.ts';
import { diffExcerpt } from './diff-excerpt.ts';
import { checkpointFact } from '../checkpoint-fact.ts';
import { saveWork } from '../save-work.ts';
import { readRunEnvironment } from '../run-environment.ts';
import { agentFiles, attemptDir, transcriptPath } from '../run-files.ts';
import { toldSession } from './session-files.ts';
import { checkPath } from '../workspace/home-layout.ts';
import { partialWork } from '../checkpoint/partial-work.ts';
import { changeLines, changesSince } from '../workspace/repository-changes.ts';
import { restoredFact } from '../bring-back-workspace.ts';
import type { Checkpoint } from '../checkpoint/checkpoint.ts';
import { openWorkspace, type Workspace } from '../workspace/workspace.ts';
import { materialMark } from '../../agents/opinion/material-mark.ts';
import { stoppedFor } from '../../core/decide/recovery/classify.ts';
import { autopsy } from '../../core/detect/autopsy/autopsy.ts';
import { storyQuestion } from '../../core/opinion/story-question.ts';
import { readableEntries, storyTexts } from '../../core/opinion/story-record.ts';
import { askInRun, redactorOf } from '../ask-in-run.ts';

/** How many entries an examination reads, from the end: the cause is near the end of a transcript. */
const TAIL_ENTRIES = 2_000;
/** A fork bomb leaves many processes; the first ones are enough to name it. */
const MAX_STRANGERS = 5;
/** The checkpoint of the workspace before any agent started. */
const BASE_CHECKPOINT = 0;
const MAX_OUTPUT_CHARS = 256 * 1024;

export const examineAttempt: Act<'examine_attempt'> = async (context, command) => {
  const { home, state, signal, now } = context;
  const attempt = state.attempts.find(({ number }) => number === command.attempt) as Attempt;
  const directory = attemptDir(home, state.runId, attempt.number);
  const files = agentFiles(directory);
  const { checkpoint: taken, notes } = await saveWork({
    home,
    state,
    reason: `attempt ${attempt.number} ended`,
    signal,
  });
  const tree = taken.state === 'failed' ? savedTree(state) : taken.tree;
  const transcript = transcriptPath(home, state.runId, attempt.number);
  const entries = await lastEntries(transcript);
  const verdict = judge(attempt, entries, now());
  const workspace = await openWorkspace({ home, runId: state.runId });
  const { shadow, baseTree } = workspace;
  const [work, excerpt, changes, delivered] = await Promise.all([
    partialWork({ home, runId: state.runId, tree, notes, deliveredTree: null, signal }),
    diffExcerpt(shadow, baseTree, tree, signal),
    changesSince(workspace, 'started', signal),
    context.deliveries?.(),
  ]);
  const others = changes.filter(({ is }) => is === null || delivered?.includes(is) !== true);
  const undone = await undoLooking(context, workspace, work, taken);
  const output = joined(entries, statesTrouble);
  const diagnosis = await explainAttempt({
    attempt,
    verdict,
    output,
    work,
    context,
  });
  await explainStop(context, attempt, entries);
  const asks = agentAsks(entries, work.created.length + work.changed.length + work.deleted.length > 0);
  const examination: Examination = {
    claimsDone: verdict.claimsDone,
    claim: verdict.claimsDone ? claimOf(entries, attempt) : null,
    diagnosis,
    ...(diagnosis?.failureType === 'auth_failure' ? missedVariables(context, attempt, output) : {}),
    partialWork: work,
    checkpoint: taken.state === 'failed' ? null : checkpointFact(taken),
    ...(taken.state === 'failed' ? { unsaved: taken.problem ?? 'the checkpoint failed' } : {}),
    inFlight:
      openCalls(entries)
        .map(({ tool, input }) => `${tool} ${input}`)
        .at(-1)
        ?.slice(0, 2_000) ?? null,
    repeated: repeatedCalls(entries),
    ...(asks === null ? {} : { asks }),
    knowledge: { ...excerpt, ...attemptKnowledge(entries, withNotePaths(attempt.brief, files)) },
    deniedTools: verdict.deniedTools,
    agentSession: lastSession(entries) ?? (await toldSession(transcript)) ?? attempt.agentSession,
    raised: readBlockerNote(files.blocker),
    proposal: state.explore === 'looking' ? readProposal(files.proposal) : null,
    configChanged: [],
    refsMoved: changeLines(workspace, others),
    strangers: await namedStrangers(workspace, checkPath(home, state.runId)),
    ...(undone === null ? {} : { undone }),
    unknownLines: entries.filter(({ type }) => type === 'unknown').length,
  };
  return [{ type: 'attempt_examined', at: now(), attempt: attempt.number, examination }];
};

/** Only after a refused login: variables that the agent may lack. */
function missedVariables(
  { home, state, env }: ActContext,
  { agent }: Attempt,
  output: string,
): Pick<Examination, 'withheld' | 'unset'> {
  const passed = [...state.options.environment, ...(agent.env ?? [])];
  const given = readRunEnvironment(home, state.runId);
  const withheld =
    adapterName(agent) === 'command'
      ? withheldVariables(env, agent, [...passed, ...Object.keys(given)], output)
      : [];
  const unset = state.options.environment.filter(
    (name) => !name.endsWith('*') && env[name] === undefined && !Object.hasOwn(given, name),
  );
  return { ...(withheld.length > 0 ? { withheld } : {}), ...(unset.length > 0 ? { unset } : {}) };
}

/** In place, the person's own programs run in the same folder and are no strangers. */
async function namedStrangers({ kind, path }: Workspace, checkTree: string): Promise<string[]> {
  if (kind !== 'worktree') return [];
  return (await strangersIn([path, checkTree]))
    .slice(0, MAX_STRANGERS)
    .map(({ pid, command }) => `process ${pid} (${command})`);
}

async function undoLooking(
  context: ActContext,
  { kind }: Workspace,
  { created, changed, deleted }: PartialWork,
  taken: Checkpoint,
): Promise<NonNullable<Examination['undone']> | null> {
  const paths = [...created, ...changed, ...deleted];
  // In place, the tree is the person's own: Mayday reports the changes and does not undo them.
  if (
    context.state.explore !== 'looking' ||
    paths.length === 0 ||
    kind !== 'worktree' ||
    taken.state === 'failed'
  )
    return null;
  await restoredFact(context, BASE_CHECKPOINT, 'Mayday');
  return { paths, checkpoint: taken.number };
}

function judge(attempt: Attempt, entries: readonly TranscriptEntry[], nowMs: number): Verdict {
  const adapter = findAdapter(adapterName(attempt.agent));
  if (adapter === null) return { claimsDone: false, failure: null, deniedTools: [], usage: null };
  const { exitCode, signal } = attempt;
  return adapter.verdict({
    exitCode,
    signal,
    entries,
    stderrTail: joined(entries, (entry) => entry.type === 'output' && entry.stream === 'stderr'),
    nowMs,
    // Only a text with a time in it needs it: the tables of time zones take 20 ms to load.
    get timeZone() {
      return timeZone();
    },
  });
}

function joined(entries: readonly TranscriptEntry[], isMeant: (entry: TranscriptEntry) => boolean): string {
  const lines = entries.flatMap((entry) => (isMeant(entry) && 'text' in entry ? [entry.text] : []));
  return lines.join('\n').slice(-MAX_OUTPUT_CHARS);
}

/** What a diagnosis reads: all that was printed, and the errors that the agent reported. */
function statesTrouble(entry: TranscriptEntry): boolean {
  return entry.type === 'output' || entry.type === 'error' || (entry.type === 'result' && entry.isError);
}

function claimOf(entries: readonly TranscriptEntry[], attempt: Attempt): string {
  const last = entries.findLast((entry) => entry.type === 'result');
  return last?.type === 'result' && last.text !== ''
    ? last.text.slice(0, 1_000)
    : `ended with exit code ${attempt.exitCode}`;
}

function lastSession(entries: readonly TranscriptEntry[]): string | null {
  const told = entries.findLast((entry) => entry.type === 'session');
  return told?.type === 'session' && told.sessionId !== '' ? told.sessionId : null;
}

async function lastEntries(path: string): Promise<TranscriptEntry[]> {
  const entries: TranscriptEntry[] = [];
  for await (const { entry } of readTranscript(path, { type: 'last', count: TAIL_ENTRIES }))
    entries.push(entry);
  return entries;
}

/**
 * Asks the model of a run why an attempt looped or stalled, once it was stopped for that. The answer stands in the journal, and the next
 * brief quotes it; without one, nothing changes.
 */
export async function explainStop(
  context: ActContext,
  attempt: Attempt,
  entries: readonly TranscriptEntry[],
): Promise<void> {
  const { state, journal } = context;
  const { opinion = { type: 'none' } } = state.options;
  const stopped = stoppedFor(attempt)?.class;
  if (opinion.type === 'none' || (stopped !== 'looping' && stopped !== 'stalled')) return;
  // One question about one end is enough; an act that begins again asks no second time.
  const given = (journal?.state() ?? state).opinions;
  if (given.some((one) => one.attempt === attempt.number && isAboutEnd(one.outcome))) return;
  const readable = readableEntries(entries, await redactorOf(context));
  const found = autopsy(state.runId, readable, null, state.policy);
  await askInRun(context, storyQuestion(readable, found, materialMark(...storyTexts(readable))));
}

function isAboutEnd(outcome: ActContext['state']['opinions'][number]['outcome']): boolean {
  const { kind } = outcome.type === 'answered' ? outcome.opinion : outcome;
  return kind === 'diagnose' || kind === 'story';
}
