/** `KeyHints`, `AllKeys`: the keys of a view at the foot of the page, and all keys of the desk on demand. */
import { ArrowKey } from '../marks.tsx';
import { type Address, address } from './address.ts';
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
      {keys
        .split(' ')
        .map((key) =>
          key === '…' ? (
            ' … '
          ) : (
            <kbd key={key}>{key.startsWith('Arrow') ? <ArrowKey name={key} /> : key}</kbd>
          ),
        )}
    </>
  );
}

interface KeyGroup {
  readonly title: string;
  /** The views in which they work; null: everywhere. */
  readonly views: readonly Address['view'][] | null;
  readonly keys: readonly Hint[];
}

const GROUPS: readonly KeyGroup[] = [
  {
    title: 'Now',
    views: ['now'],
    keys: [
      ['j k', 'next, previous run'],
      ['Enter', 'open the run'],
      ['a', 'answer its question'],
      ['s', 'stop the run (asks once)'],
      ['v', 'full text, or two lines a run'],
      ['+ -', 'zoom in time'],
    ],
  },
  {
    title: 'Inbox',
    views: ['inbox'],
    keys: [
      ['j k', 'next, previous question'],
      ['1 … 9', 'take that option'],
      ['n', 'write a note to your answer'],
      ['z', 'take the answer back'],
      ['o', 'open the run'],
      ['x', 'of several runs, open one on its own'],
    ],
  },
  {
    title: 'A run',
    views: ['run'],
    keys: [
      ['a', 'answer its question'],
      ['s', 'stop it (asks once)'],
      ['r', 'let a stopped run go on'],
      ['c', 'save a checkpoint now'],
      ['!', 'raise a flag: it pauses and asks you'],
      ['ArrowLeft ArrowRight', 'move in time'],
      ['[ ]', 'incident before, after'],
      ['{ }', 'checkpoint before, after'],
      ['t', 'unfold long waits and preparations'],
      ['.', 'follow the run'],
      ['w', 'why was that decided'],
      ['l', 'to the transcript'],
      ['/', 'search the transcript'],
      ['e', 'next error in the transcript'],
      ['f', 'to the diff'],
      ['j k', 'in the diff: next, previous line'],
      ['m', 'in the diff: comment that line'],
      ['Esc', 'back to Now'],
    ],
  },
  {
    title: 'Causes',
    views: ['causes'],
    keys: [
      ['j k', 'next, previous cause'],
      ['Enter', 'open the cause'],
      ['Esc', 'back to all causes'],
    ],
  },
  {
    title: 'Lessons',
    views: ['lessons'],
    keys: [
      ['j k', 'next, previous lesson'],
      ['y', 'approve the lesson'],
      ['x', 'reject or retire it'],
    ],
  },
  {
    title: 'Holds',
    views: ['holds'],
    keys: [
      ['j k', 'next, previous hold'],
      ['r', 'release the hold (asks once)'],
    ],
  },
  {
    title: 'Hosts',
    views: ['hosts'],
    keys: [
      ['j k', 'next, previous host'],
      ['x', 'of several hosts, drain this one (asks once)'],
      ['y', 'let it take runs again (asks once)'],
    ],
  },
  {
    title: 'Numbers',
    views: ['numbers'],
    keys: [
      ['1 2 3', '7 days, 30 days, a quarter'],
      ['Esc', 'back to all numbers'],
    ],
  },
  {
    title: 'Everywhere',
    views: null,
    keys: [
      ...VIEWS.map(({ keys, title }): Hint => [keys, `go to ${title}`]),
      ['Ctrl K', 'find a view, a run or a question'],
      ['?', 'this list'],
    ],
  },
];

/** A native dialog: the browser keeps the focus inside and closes it with Escape. */
export function AllKeys() {
  const toggle = () => {
    const dialog = document.querySelector<HTMLDialogElement>('#all-keys');
    if (dialog?.open === true) dialog.close();
    else dialog?.showModal();
  };
  useKeys({ '?': toggle });
  const { view } = address.value;
  // What works here comes first.
  const groups = GROUPS.toSorted((a, b) => Number(isOf(b, view)) - Number(isOf(a, view)));
  return (
    <dialog id="all-keys" aria-label="All keys">
      {/* The button has the focus: it stands where the list begins. */}
      <form method="dialog" class="line">
        <h2>Keys</h2>
        <button type="submit" class="button">
          Close <kbd>Esc</kbd>
        </button>
      </form>
      <div class="groups">
        {groups.map((group) => (
          <section key={group.title}>
            <h3>
              {group.title}
              {isOf(group, view) && ' (this page)'}
            </h3>
            <dl>
              {group.keys.map(([keys, does]) => (
                <div key={does}>
                  <dt>
                    <Keys keys={keys} />
                  </dt>
                  <dd>{does}</dd>
                </div>
              ))}
            </dl>
          </section>
        ))}
      </div>
    </dialog>
  );
}

function isOf({ views }: KeyGroup, view: Address['view']): boolean {
  return views?.includes(view) === true;
}
