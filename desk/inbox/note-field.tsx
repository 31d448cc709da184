/** `NoteField`: where a person writes the words that go with an answer, a comment or a judgment. Enter sends, Escape leaves. */
import { useEffect, useRef } from 'preact/hooks';

interface NoteShown {
  readonly text: { value: string };
  readonly option: string;
  readonly verb?: string;
  readonly onSend: () => void;
  readonly onLeave: () => void;
}

export function NoteField({ text, option, verb = 'Answer', onSend, onLeave }: NoteShown) {
  const field = useRef<HTMLTextAreaElement>(null);
  useEffect(() => field.current?.focus(), []);
  return (
    <form
      class="note"
      onSubmit={(event) => {
        event.preventDefault();
        onSend();
      }}
    >
      <label for="note">Your words for “{option}”</label>
      <textarea
        id="note"
        ref={field}
        rows={3}
        value={text.value}
        onInput={(event) => (text.value = event.currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key === 'Escape') onLeave();
          if (event.key === 'Enter' && !event.shiftKey) {
            event.preventDefault();
            onSend();
          }
        }}
      />
      <button type="submit" class="button must">
        {verb} <kbd>Enter</kbd>
      </button>
    </form>
  );
}
