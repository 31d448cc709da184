/** What Mayday needs of a forge: find the pull request of a branch, make one. */
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
  /** The latest pull request from this branch, whatever became of it. */
  find(head: string): Promise<PullRequest | null>;
  create(wanted: NewPullRequest): Promise<PullRequest>;
}

export interface ForgeSpec {
  /** Address of the remote the branch was pushed to. */
  readonly remoteUrl: string;
  /** Where `gh` runs. */
  readonly cwd: string;
  readonly env: NodeJS.ProcessEnv;
  readonly signal?: AbortSignal | undefined;
}

/** A forge's refusal, with what it means for the run. */
export class ForgeError extends Error {
  readonly code: 'delivery_failed' | 'sink_not_writable' | 'generator_unavailable';
  constructor(code: ForgeError['code'], message: string) {
    super(message);
    this.code = code;
  }
}
