/** `keepInSight`: scrolls a list so that its current line is in sight and its first line is shown whole. */

/** `share`: how far down the list the current line stands. */
export function keepInSight(list: HTMLElement | null, share: number): void {
  const line = list?.querySelector<HTMLElement>('[aria-current="true"]');
  if (!list || !line) return;
  const wanted = line.offsetTop - list.clientHeight * share;
  const lines = [...list.children] as HTMLElement[];
  const first = lines.find(({ offsetTop }) => offsetTop >= wanted)?.offsetTop ?? wanted;
  // A list cannot be scrolled beyond its end: room below lets its first line be a whole one there too.
  list.style.paddingBottom = '0';
  const top = Math.min(first, list.scrollHeight - list.clientHeight);
  const whole = lines.find(({ offsetTop }) => offsetTop >= top)?.offsetTop ?? 0;
  list.style.paddingBottom = `${Math.max(0, whole + list.clientHeight - list.scrollHeight)}px`;
  list.scrollTop = whole;
}
