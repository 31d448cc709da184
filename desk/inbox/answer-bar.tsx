/** `AnswerBar`: says what became of the last answer, where the keys are, until the run has it. */
import { link, type PageAnswer } from '../store.ts';
import { span } from '../time.ts';

interface BarShown {
  readonly pending: PageAnswer | undefined;
  readonly now: number;
  readonly onTakeBack: () => void;
  /** Leads to the next question that has no answer; null: there is none. */
  readonly onNext: (() => void) | null;
}

export function AnswerBar({ pending, now, onTakeBack, onNext }: BarShown) {
  return (
    <div class="answer-bar" role="status">
      {pending !== undefined && (
        <p class={pending.state}>
          <span>
            <code>{pending.question.replace(/-q\d+$/, '')}</code>: <b>{pending.label}</b> ·{' '}
            {saidOf(pending, now)}
          </span>
          {(pending.state === 'kept' || pending.state === 'unsent') && (
            <button type="button" class="button" onClick={onTakeBack}>
              Take back <kbd>z</kbd>
            </button>
          )}
          {/* Where the thumb is; at a desk a key does it. */}
          {onNext !== null && (
            <button type="button" class="button phone" onClick={onNext}>
              Next question
            </button>
          )}
        </p>
      )}
    </div>
  );
}

function saidOf({ state, problem, until }: PageAnswer, now: number): string {
  switch (state) {
    case 'unsent':
      return link.value === 'live'
        ? 'being sent'
        : 'not sent yet: the desk does not answer; this tab keeps it and sends it when the desk is back';
    case 'kept':
      return `goes to the run in ${span(until - now)}, also if you leave this page`;
    case 'said':
      return 'on its way to the run';
    case 'taken':
      return 'the run has it';
    case 'refused':
      return `refused: ${problem?.title ?? ''}. ${problem?.do.join(' ') ?? ''}`;
  }
}
