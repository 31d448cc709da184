/** The watch over the run's live attempt, put together from the run's files. Serves starters and adopters alike. */
import { findAdapter } from '../agents/registry.ts';
import { readLaunchFiles } from '../act/launch-files.ts';
import { attemptDir, transcriptPath } from '../act/run-files.ts';
import { outsideScope } from '../act/outside-scope.ts';
import { saveIfChanged } from '../act/save-work.ts';
import { checkpointFact } from '../act/checkpoint-fact.ts';
import { adapterName, type Fact } from '../core/vocabulary/event.ts';
import type { Signal } from '../core/vocabulary/signal.ts';
import { currentAttempt } from '../core/state/run-state.ts';
import type { ContainerHandle } from '../platform/container-handle.ts';
import { MaydayError } from '../platform/mayday-error.ts';
import type { Redactor } from '../record/redact.ts';
import { AttemptOutput } from './attempt-output.ts';
import { AttemptTranscript } from './attempt-transcript.ts';
import { watchAttempt } from './attempt-watch.ts';
import type { RunJournal } from './run-journal.ts';
import { withPersonsWord } from './unseen-attempt.ts';

interface LiveWatchOptions {
  readonly home: string;
  readonly journal: RunJournal;
  readonly env: NodeJS.ProcessEnv;
  readonly redactor: Redactor;
  readonly signal: AbortSignal;
  readonly submit: (fact: Fact) => Promise<unknown>;
}

export async function liveWatch({
  home,
  journal,
  redactor,
  signal,
  submit,
}: LiveWatchOptions): Promise<void> {
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
  const output = new AttemptOutput(
    directory,
    adapter.reader(transcript.earlier),
    launched?.hookFiles ?? [],
    transcript.positions,
  );
  const warned = new Set<string>();
  /** Live: the gate blocks what this warns of, unless it is taken back or the scope grows. */
  const warnOfScope = async (tree: string) => {
    const outside = await outsideScope(home, journal.state, tree, signal);
    const news = outside.filter((path) => !warned.has(path));
    if (news.length === 0) return;
    for (const path of news) warned.add(path);
    await submit({
      type: 'signal_raised',
      at: Date.now(),
      attempt: attempt.number,
      signal: scopeSignal(outside),
    });
  };
  const lookAtTree = async () => {
    const saved = await saveIfChanged(
      { home, state: journal.state, reason: 'the tree changed', signal },
      lastTree(journal),
    );
    if (saved === null || saved.checkpoint.state === 'failed') return { changed: null };
    const { checkpoint } = saved;
    await submit({
      type: 'checkpoint_taken',
      at: Date.now(),
      attempt: attempt.number,
      checkpoint: checkpointFact(checkpoint),
    });
    await warnOfScope(checkpoint.tree);
    return { changed: `${checkpoint.files} files in checkpoint ${checkpoint.number}` };
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
      now: () => Date.now(),
    });
  } finally {
    await transcript.close();
  }
}

function scopeSignal(outside: readonly string[]): Signal {
  const at = Date.now();
  return {
    type: 'scope_drift',
    severity: 'warning',
    reason: `${outside.length === 1 ? 'a file' : `${outside.length} files`} outside the scope changed: ${outside.slice(0, 8).join(', ')}`,
    sinceAt: at,
    at,
    evidence: outside.slice(0, 8),
    confidence: 1,
    suggestedAction: 'nothing yet: the gate will ask whether the scope should grow',
    disproof: 'the scope is expanded, or the change is taken back',
  };
}

function lastTree({ state }: RunJournal): string {
  return state.checkpoints.at(-1)?.tree ?? state.workspace?.baseTree ?? '';
}
