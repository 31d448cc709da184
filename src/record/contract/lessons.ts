/** `LessonRecord`: the lessons of the team, to be listed and searched by their text. */
/** The mirror of a lesson: the Markdown file or the proposal is the original, approvals are in the ledger. */
export interface StoredLesson {
  readonly repository: string;
  readonly id: string;
  /** Of the content, which approvals are bound to. */
  readonly hash: string;
  /** `file`: read from the checkout; `record`: a proposal that has no file yet. */
  readonly origin: 'file' | 'record';
  /** Of the file when it was read: an unchanged one is not read again. */
  readonly stamp: string;
  readonly updatedAt: number;
  readonly title: string;
  readonly guidance: string;
  /** Further text to be found by. */
  readonly words: string;
  /** The whole lesson as JSON. */
  readonly document: string;
}

export interface LessonQuery {
  readonly text: string;
  readonly repository?: string;
  readonly limit?: number;
}

export interface LessonRecord {
  saveLessons(lessons: readonly StoredLesson[]): Promise<void>;
  removeLessons(repository: string, ids: readonly string[]): Promise<void>;
  lessons(filter?: { readonly repository?: string }): Promise<readonly StoredLesson[]>;
  /** Best first; `score` only orders. Any text is a valid query. */
  searchLessons(
    query: LessonQuery,
  ): Promise<readonly { readonly repository: string; readonly id: string; readonly score: number }[]>;
}
