/** `Command`: a command line for the person's own terminal, to be copied. */
import { useSignal } from '@preact/signals';
import { show } from '../store.ts';

export function Command({ text }: { readonly text: string }) {
  const copied = useSignal(false);
  const copy = () => navigator.clipboard.writeText(text).then(() => (copied.value = true), show);
  return (
    <>
      <code>{text}</code>
      {/* A page that came without TLS from another machine may not write there. */}
      {isSecureContext && (
        <button type="button" class="more" onClick={() => void copy()}>
          {copied.value ? 'copied' : 'copy'}
        </button>
      )}
    </>
  );
}
