/** `RequestFacts`, `Utterance`: what a model request says, reduced to what scripts and tests ask about; the same for every API. */
export interface RequestFacts {
  readonly model: string;
  readonly stream: boolean;
  readonly session: string | null;
  readonly turn: number;
  /** What was said since the last answer; CLIs add reminders of their own to it. */
  readonly lastUserText: string;
  /** Texts of the tool results since the last answer. */
  readonly toolResults: readonly string[];
  /** The conversation, this request included. */
  readonly utterances: readonly Utterance[];
  readonly cwd: string;
}

/** One thing of a conversation, whatever the API calls it. */
export interface Utterance {
  readonly by: 'model' | 'person' | 'tool';
  readonly text: string;
}

/**
 * For APIs that list calls and results one by one. A result that a person's words follow is history (a resumed CLI marks the call that
 * was in flight as aborted), not the news of this request.
 */
export function utteranceFacts(
  utterances: readonly Utterance[],
  /** Where the working directory may be told, given all that was said. */
  places: (said: string) => readonly string[],
): Pick<RequestFacts, 'turn' | 'lastUserText' | 'toolResults' | 'utterances' | 'cwd'> {
  const fresh = utterances.slice(utterances.findLastIndex(({ by }) => by === 'model') + 1);
  const answers = utterances.filter(
    ({ by }, index) => by === 'model' && utterances[index - 1]?.by !== 'model',
  );
  return {
    turn: answers.length + 1,
    lastUserText: texts(fresh.filter(({ by }) => by === 'person')),
    toolResults: fresh
      .slice(fresh.findLastIndex(({ by }) => by === 'person') + 1)
      .filter(({ by }) => by === 'tool')
      .map(({ text }) => text),
    utterances,
    cwd: workingDirectory(...places(texts(utterances))),
  };
}

export function texts(utterances: readonly Utterance[]): string {
  return utterances.map(({ text }) => text).join('\n');
}

/** The CLI tells the model where it works, in its system prompt or in a reminder. */
export function workingDirectory(...places: readonly string[]): string {
  for (const place of places) {
    const match = /(?:working directory: ?|working in the directory: ?|<cwd>)([^\s<]+)/i.exec(place);
    if (match !== null) return match[1] as string;
  }
  return '.';
}
