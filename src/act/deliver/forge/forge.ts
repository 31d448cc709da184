/** `Forge`, `ForgeError`: what Mayday needs of a forge: find the pull request of a branch, and make one. */
import type { GitSettings } from '../../../platform/git/git.ts';

export interface PullRequest {
  readonly url: string;
  readonly state: 'open' | 'merged' | 'closed';
}

export interface NewPullRequest {
  readonly head: string;
  readonly base: string;
  readonly title: string;
  readonly body: string;
}

export interface Forge {
  /** The latest pull request from this branch, also a merged or closed one. */
  find(head: string): Promise<PullRequest | null>;
  create(wanted: NewPullRequest): Promise<PullRequest>;
}

export interface ForgeSpec {
  /** The address of the remote to which the branch was pushed. */
  readonly remoteUrl: string;
  /** The folder in which `gh` runs. */
  readonly cwd: string;
  readonly home: string;
  readonly runId: string;
  /** From before the agent. */
  readonly settings: GitSettings;
  readonly env: NodeJS.ProcessEnv;
  readonly signal?: AbortSignal | undefined;
}

/** A refusal of the forge, with the code of the blocker that it becomes. */
export class ForgeError extends Error {
  readonly code: 'delivery_failed' | 'sink_not_writable' | 'generator_unavailable';
  constructor(code: ForgeError['code'], message: string) {
    super(message);
    this.code = code;
  }
}
