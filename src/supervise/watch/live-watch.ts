/** `liveWatch`: watches the live attempt of a run, with what the run files say. Keepers that start or adopt a run use it. */
import { counted } from '../../core/text/counted.ts';
import { addUsage } from '../../agents/add-usage.ts';
import { findAdapter } from '../../agents/registry.ts';
import { NO_USAGE } from '../../agents/sessions/session-store.ts';
import { readLaunchFiles } from '../../act/attempt/launch-files.ts';
import { attemptDir, transcriptPath } from '../../act/run-files.ts';
import { saveIfChanged } from '../../act/save-work.ts';
import { checkpointFact } from '../../act/checkpoint-fact.ts';
import { treeChanges } from '../../act/checkpoint/tree-changes.ts';
import { openWorkspace } from '../../act/workspace/workspace.ts';
import { adapterName, type Fact } from '../../core/vocabulary/events/event.ts';
import { savedTree } from '../../core/state/last-tree.ts';
import { type Attempt, currentAttempt } from '../../core/state/run-state.ts';
import type { Usage } from '../../core/vocabulary/transcript.ts';
import type { ContainerHandle } from '../../platform/container/container-handle.ts';
import { MaydayError } from '../../platform/mayday-error.ts';
import { rawToText } from '../../platform/git/raw-path.ts';
import { AttemptOutput } from './attempt-output.ts';
import { AttemptTranscript } from './attempt-transcript.ts';
import { watchAttempt } from './attempt-watch.ts';
import type { KeptRun } from '../run-journal.ts';
import { withPersonsWord } from './unseen-attempt.ts';
import type { TreeLook } from './watched-attempt.ts';

interface LiveWatchOptions extends Omit<KeptRun, 'record'> {
  readonly submit: (fact: Fact) => Promise<unknown>;
}

/** What earlier attempts used in the agent session that this attempt goes on in. */
function usedInSession(attempts: readonly Attempt[], { number, agentSession }: Attempt): Usage {
  return attempts
    .filter((one) => one.number < number && agentSession !== null && one.agentSession === agentSession)
    .reduce((sum, { usage }) => (usage === null ? sum : addUsage(sum, usage)), NO_USAGE);
}

export async function liveWatch(options: LiveWatchOptions): Promise<void> {
  const { home, journal, redactor, signal, submit } = options;
  const { runId, attempts } = journal.state;
  const attempt = currentAttempt(journal.state);
  const adapter = attempt === undefined ? null : findAdapter(adapterName(attempt.agent));
  if (attempt === undefined || adapter === null)
    throw new MaydayError('UNKNOWN_AGENT', `no agent called ${attempt?.agent.name}`);
  const directory = attemptDir(home, runId, attempt.number);
  const transcript = await AttemptTranscript.open(
    transcriptPath(home, runId, attempt.number),
    directory,
    redactor,
  );
  const launched = readLaunchFiles(directory);
  const now = () => Date.now();
  const output = new AttemptOutput({
    directory,
    reader: adapter.reader(transcript.earlier, usedInSession(attempts, attempt)),
    hookFiles: launched?.hookFiles ?? [],
    positions: transcript.positions,
    now,
  });
  const lookAtTree = async (): Promise<TreeLook | null> => {
    const { state } = journal;
    const saved = await saveIfChanged({ home, state, reason: 'the tree changed', signal }, savedTree(state));
    if (saved === null || saved.checkpoint.state === 'failed') return null;
    const { checkpoint, changedAt } = saved;
    await submit({
      type: 'checkpoint_taken',
      at: Date.now(),
      attempt: attempt.number,
      checkpoint: checkpointFact(checkpoint),
    });
    const detail = `${counted(checkpoint.files, 'file')} in checkpoint ${checkpoint.number}`;
    // While the agent only looks, nothing may change.
    const allowed = state.explore === 'looking' ? [] : state.scope.allowed;
    if (allowed.includes('**')) return { detail, changedAt };
    const { shadow, baseTree } = await openWorkspace({ home, runId });
    const changes = await treeChanges(shadow, baseTree, checkpoint.tree, signal);
    return {
      detail,
      changedAt,
      work: { changed: changes.map(({ rawPath }) => rawToText(rawPath)), allowed },
    };
  };
  try {
    await watchAttempt({
      attempt: attempt.number,
      handle: withPersonsWord(attempt.handle as ContainerHandle, attempt),
      adapter,
      output,
      startedAt: attempt.startedAt ?? attempts.at(-1)?.plannedAt ?? 0,
      state: () => journal.state,
      submit,
      keep: (entries) => transcript.append(entries, output.positions),
      earlier: transcript.earlier,
      lookAtTree,
      signal,
      now,
    });
  } finally {
    await transcript.close();
  }
}
