/**
 * `useKeys`: single keys of a view. They never fire inside a text field, nor together with Ctrl, Alt or Meta; a dialog has its own keys,
 * and only the key that opened it closes it.
 */
import { useLayoutEffect, useRef } from 'preact/hooks';

export type Keys = Readonly<Record<string, (event: KeyboardEvent) => void>>;

export function useKeys(keys: Keys): void {
  const latest = useRef(keys);
  latest.current = keys;
  // From the moment the view is in sight, no key is lost.
  useLayoutEffect(() => {
    let before = '';
    const onKey = (event: KeyboardEvent) => {
      const isIn = (places: string) =>
        event.target instanceof HTMLElement && event.target.closest(places) !== null;
      if (event.ctrlKey || event.altKey || event.metaKey || isIn('input, textarea, select')) return;
      if (isIn('dialog') && event.key !== '?') return;
      const pair = `${before} ${event.key}`;
      before = event.key;
      const act = latest.current[pair] ?? latest.current[event.key];
      if (act === undefined) return;
      before = '';
      event.preventDefault();
      act(event);
    };
    addEventListener('keydown', onKey);
    return () => removeEventListener('keydown', onKey);
  }, []);
}
