/** `Palette`: Ctrl-K finds a view, a run or a question by its words and opens it. */
import { useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { Spoken } from '../document.tsx';
import { go } from './address.ts';
import { VIEWS } from './views.ts';
import { shownAs } from '../marks.tsx';
import { inbox, order, runs, wordNow } from '../store.ts';

interface Goal {
  readonly kind: string;
  readonly text: string;
  readonly name: string;
  readonly path: string;
}

/** A list that is read at one look. */
const MAX_SHOWN = 12;

export function Palette() {
  const dialog = useRef<HTMLDialogElement>(null);
  const sought = useSignal('');
  const at = useSignal(0);
  const found = allGoals().filter((goal) => fits(goal, sought.value));
  const goals = found.slice(0, MAX_SHOWN);
  useEffect(() => {
    document.querySelector(`#goal-${at.value}`)?.scrollIntoView({ block: 'nearest' });
  }, [at.value]);
  const open = () => {
    sought.value = '';
    at.value = 0;
    dialog.current?.showModal();
  };
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.key.toLowerCase() !== 'k' || !(event.ctrlKey || event.metaKey)) return;
      event.preventDefault();
      open();
    };
    addEventListener('keydown', onKey);
    return () => removeEventListener('keydown', onKey);
  }, []);
  const take = (goal: Goal | undefined) => {
    if (goal === undefined) return;
    dialog.current?.close();
    go(goal.path);
  };
  const onKey = (event: KeyboardEvent) => {
    const by = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (by !== undefined) at.value = Math.max(0, Math.min(at.value + by, goals.length - 1));
    else if (event.key === 'Enter') take(goals[at.value]);
    else return;
    event.preventDefault();
  };
  return (
    <>
      <button type="button" class="find" onClick={open}>
        Find or go <kbd class="wide">Ctrl K</kbd>
      </button>
      <dialog ref={dialog} class="palette" aria-label="Find or go">
        <input
          type="text"
          role="combobox"
          aria-label="Find a view, a run or a question"
          aria-expanded="true"
          aria-controls="goals"
          aria-activedescendant={`goal-${at.value}`}
          placeholder="a view, a run, a question"
          value={sought.value}
          onInput={(event) => {
            sought.value = event.currentTarget.value;
            at.value = 0;
          }}
          onKeyDown={onKey}
        />
        <ul id="goals" role="listbox" aria-label="Found">
          {goals.map((goal, index) => (
            <li
              key={goal.path}
              id={`goal-${index}`}
              role="option"
              aria-selected={index === at.value}
              title={goal.text.replaceAll('`', '')}
              onClick={() => take(goal)}
            >
              <span class="second">{goal.kind}</span>{' '}
              <b>
                <Spoken text={goal.text} />
              </b>{' '}
              <code>{goal.name}</code>
            </li>
          ))}
        </ul>
        {found.length > goals.length && (
          <p class="second">
            {found.length - goals.length} more: type a part of the task, the state or the id
          </p>
        )}
        {goals.length === 0 && (
          <p class="second">Nothing here has these words. The list holds the runs of Now.</p>
        )}
      </dialog>
    </>
  );
}

function allGoals(): readonly Goal[] {
  return [
    ...inbox.value.questions.map(({ id, text, run }) => ({
      kind: 'answer',
      text: text.split('\n')[0] ?? '',
      name: run.run_id,
      path: `/inbox?question=${id}`,
    })),
    ...VIEWS.map(({ title, href }) => ({ kind: 'go to', text: title, name: '', path: href })),
    ...order.value
      .flatMap((id) => runs.value.get(id) ?? [])
      .map((line) => ({
        kind: shownAs(wordNow(line)).word,
        text: line.title,
        name: line.run_id,
        path: `/runs/${line.run_id}`,
      })),
  ];
}

function fits({ kind, text, name }: Goal, sought: string): boolean {
  const all = `${kind} ${text} ${name}`.toLowerCase();
  return sought
    .toLowerCase()
    .split(/\s+/)
    .every((word) => all.includes(word));
}
