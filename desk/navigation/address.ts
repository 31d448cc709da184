/** `address`, `go`: the URL is the state of the page: which view, and which run or question is in focus. */
import { signal } from '@preact/signals';

export interface Address {
  readonly view: 'now' | 'inbox' | 'run' | 'causes' | 'lessons' | 'holds' | 'hosts' | 'numbers';
  /** The run of the run page, or what is in focus: a run, question, cause, lesson, hold or host. */
  readonly name: string;
  readonly query: URLSearchParams;
}

function read(): Address {
  const { pathname, search } = location;
  const query = new URLSearchParams(search);
  const [, first = '', second = ''] = pathname.split('/');
  if (first === 'inbox') return { view: 'inbox', name: query.get('question') ?? '', query };
  if (first === 'causes') return { view: first, name: query.get('cause') ?? '', query };
  if (first === 'lessons') return { view: first, name: query.get('lesson') ?? '', query };
  if (first === 'holds') return { view: first, name: query.get('hold') ?? '', query };
  if (first === 'hosts') return { view: first, name: query.get('host') ?? '', query };
  if (first === 'numbers') return { view: first, name: '', query };
  if (first === 'runs' && second !== '') return { view: 'run', name: decodeURIComponent(second), query };
  return { view: 'now', name: query.get('run') ?? '', query };
}

export const address = signal<Address>(read());

/** `quietly`: replaces the entry of the history, for a focus that moved. */
export function go(path: string, quietly = false): void {
  if (quietly) history.replaceState(null, '', path);
  else history.pushState(null, '', path);
  address.value = read();
}

addEventListener('popstate', () => (address.value = read()));

/** A link inside the page: the browser's own gestures (a new tab) stay. */
export function follow(event: MouseEvent): void {
  if (event.metaKey || event.ctrlKey || event.shiftKey || event.button !== 0) return;
  event.preventDefault();
  go((event.currentTarget as HTMLAnchorElement).getAttribute('href') ?? '/');
}
