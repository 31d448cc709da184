/** `KeyHints`, `AllKeys`: the keys of a view at the foot of the page, and all keys of the desk on demand. */
import { useKeys } from './keys.ts';
import { VIEWS } from './views.ts';

export type Hint = readonly [keys: string, does: string];

export function KeyHints({ hints }: { readonly hints: readonly Hint[] }) {
  return (
    <footer class="hints">
      {hints.map(([keys, does]) => (
        <span key={does}>
          <Keys keys={keys} /> {does}
        </span>
      ))}
    </footer>
  );
}

function Keys({ keys }: { readonly keys: string }) {
  return (
    <>
      {keys.split(' ').map((key) => (
        <kbd key={key}>{key}</kbd>
      ))}
    </>
  );
}

const ALL: readonly Hint[] = [
  ...VIEWS.map(({ keys, title }): Hint => [keys, `go to ${title}`]),
  ['Ctrl K', 'find a view, a run or a question'],
  ['j k', 'next, previous row or question'],
  ['Enter', 'open the run in focus'],
  ['a', 'answer its question'],
  ['1 … 9', 'take that option'],
  ['n', 'write a note to your answer'],
  ['z', 'take the answer back'],
  ['s', 'stop the run in focus (asks once)'],
  ['c', 'save the work of the run now'],
  ['y x', 'approve, reject a lesson; let a host work, drain it'],
  ['r', 'release a hold (asks once)'],
  ['+ -', 'zoom in time'],
  ['← →', 'move in time on a run page'],
  ['[ ]', 'incident before, after'],
  ['{ }', 'checkpoint before, after'],
  ['w', 'why was that decided'],
  ['/', 'search the transcript'],
  ['m', 'comment the line of the diff (j k move, or a click)'],
  ['t', 'unfold long waits'],
  ['.', 'follow the run'],
  ['?', 'this list'],
];

/** A native dialog: the browser keeps the focus inside and closes it with Escape. */
export function AllKeys() {
  const toggle = () => {
    const dialog = document.querySelector<HTMLDialogElement>('#all-keys');
    if (dialog?.open === true) dialog.close();
    else dialog?.showModal();
  };
  useKeys({ '?': toggle });
  return (
    <dialog id="all-keys" aria-label="All keys">
      <h2>Keys</h2>
      <dl>
        {ALL.map(([keys, does]) => (
          <div key={does}>
            <dt>
              <Keys keys={keys} />
            </dt>
            <dd>{does}</dd>
          </div>
        ))}
      </dl>
      <form method="dialog">
        <button type="submit">close</button>
      </form>
    </dialog>
  );
}
