/** `AgentActivity`: what the agent of a followed run does now, and the files that it changed so far. */
import { treeChanges } from '../act/checkpoint/tree-changes.ts';
import { transcriptPath } from '../act/run-files.ts';
import { openWorkspace } from '../act/workspace/workspace.ts';
import { savedTree } from '../core/state/last-tree.ts';
import { liveAttempt, type RunState } from '../core/state/run-state.ts';
import { type Activity, activityNext, NO_ACTIVITY } from '../core/view/activity.ts';
import { MaydayError } from '../platform/mayday-error.ts';
import { rawToText } from '../platform/git/raw-path.ts';
import { readTranscriptFrom } from '../record/transcript/read-transcript.ts';
import { advanced, lastMark, TRANSCRIPT_START } from '../record/transcript/transcript-index.ts';

export type LiveActivity = Pick<Activity, 'calls' | 'said'> & { readonly files: readonly string[] };

export class AgentActivity {
  readonly #home: string;
  #attempt = 0;
  #mark = TRANSCRIPT_START;
  #activity = NO_ACTIVITY;
  #tree = '';
  #files: readonly string[] = [];

  constructor(home: string) {
    this.#home = home;
  }

  /** Reads only what is new. Between two attempts nothing is under way. */
  async look(state: RunState): Promise<LiveActivity> {
    await this.#compareTrees(state);
    const attempt = liveAttempt(state)?.number ?? 0;
    if (attempt !== this.#attempt) {
      this.#attempt = attempt;
      this.#activity = NO_ACTIVITY;
      // Only the end counts: the transcript of a long day is not read from its beginning.
      this.#mark = await lastMark(this.#path(state, attempt), () => true);
    }
    for await (const { entry, end } of readTranscriptFrom(this.#path(state, attempt), this.#mark)) {
      this.#mark = advanced(this.#mark, entry, end);
      this.#activity = activityNext(this.#activity, entry);
    }
    return { ...this.#activity, files: this.#files };
  }

  #path({ runId }: RunState, attempt: number): string {
    return transcriptPath(this.#home, runId, attempt);
  }

  async #compareTrees(state: RunState): Promise<void> {
    const tree = savedTree(state);
    if (state.workspace === null || tree === this.#tree) return;
    this.#tree = tree;
    try {
      const { shadow, baseTree } = await openWorkspace({ home: this.#home, runId: state.runId });
      const changes = await treeChanges(shadow, baseTree, tree);
      this.#files = changes.map(({ rawPath }) => rawToText(rawPath));
    } catch (error) {
      // The workspace is being taken away, or another host has it: the last list stays.
      if (!(error instanceof MaydayError)) throw error;
    }
  }
}
