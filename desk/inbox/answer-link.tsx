/** `AnswerLink`: leads to a question; orange only while it waits for this person. */
import type { ComponentChildren } from 'preact';
import { follow } from '../navigation/address.ts';
import { answerTo } from '../store.ts';

interface Shown {
  readonly question: string;
  /** Whose question it is, and the key that leads there. */
  readonly children?: ComponentChildren;
}

export function AnswerLink({ question, children }: Shown) {
  const isAnswered = answerTo(question) !== undefined;
  return (
    <a class={isAnswered ? 'button' : 'button must'} href={`/inbox?question=${question}`} onClick={follow}>
      {isAnswered ? 'See your answer' : 'Answer'} {children}
    </a>
  );
}
