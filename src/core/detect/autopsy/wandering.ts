/**
 * `wanderingStretch`, `reasonOfWandering`: a run that goes from page to page and comes back to pages it has seen, or says itself that it
 * is in a loop. `firstRefusal`: the place that turned it away first and that it never reached.
 */
import { counted } from '../../text/counted.ts';
import { oneOf } from '../../text/one-of.ts';
import type { TranscriptEntry } from '../../vocabulary/transcript.ts';
import type { RecordedTurn } from './recorded-turn.ts';
import { callText, quote } from '../detector.ts';
import type { Reason } from './reasons/find-reason.ts';
import { type PageShown, pageIn } from './page-shown.ts';
import { repeatedBy } from './repeated-turns.ts';
import { SAME_PAGE, SCROLLS } from './stuck-pattern.ts';
import type { StuckStretch } from './stuck-stretch.ts';

/** What an orchestrator notes when its agents do not get on. */
const SAYS_LOOP = oneOf(
  /\bstalled\b\W{1,8}re-?plan/i,
  /"?is_in_(?:a_)?loop"?\s*:\s*(?:true\b|\{[^}]{0,2000}"answer"\s*:\s*true\b)/i,
);
/** Said once, it may be a guess; a page may be opened again for a good reason. */
const SAID = 2;
const COMES_BACK = 3;
const STAYS = 3;
/** As many pages that it had not seen show that it found another way. */
const NEW_PAGES = 4;

interface Wandering {
  readonly stretch: StuckStretch;
  /** It found its way again. */
  readonly isOver: boolean;
}

/** Null for a run that saw no pages, or did not go in circles. */
export function wanderingStretch(
  entries: readonly TranscriptEntry[],
  turns: readonly RecordedTurn[],
): Wandering | null {
  const visits = visitsOf(turns);
  const said = entries.flatMap((entry, step) => (SAYS_LOOP.test(wordsOf(entry)) ? [step] : []));
  const back = visits
    .filter(({ page }, at) => at > 0 && visits[at - 1]?.page.address !== page.address)
    .filter(({ page, turn }) =>
      visits.some((other) => other.turn.step < turn.step && isSame(other.page, page)),
    )
    .map(({ turn }) => turn.callStep);
  const stayed = stays(visits);
  const isCircle = said.length >= SAID || back.length >= COMES_BACK;
  const signs = said.length >= SAID ? said : isCircle ? back : stayed.length >= STAYS ? stayed : [];
  const [first, last] = [signs[0], signs.at(-1)];
  if (first === undefined || last === undefined || visits.length < COMES_BACK) return null;
  const fresh = visits.filter(
    ({ page, turn }, at) =>
      turn.step > last && !visits.slice(0, at).some((other) => isSame(other.page, page)),
  );
  const isOver = fresh.length >= (isCircle ? NEW_PAGES : 1);
  const within = isOver ? turns.filter(({ step }) => step <= last) : turns;
  return { stretch: stretchFrom(within, visits, Math.min(first, stayed[0] ?? Infinity)), isOver };
}

/** Where the same call shows the same part of the same page for the third time in a row, and each time after that. */
function stays(visits: readonly Visit[]): readonly number[] {
  const again = visits.filter(({ page, turn }, at) =>
    [1, 2].every((back) => {
      const before = visits[at - back];
      if (before === undefined || !isSame(before.page, page) || before.page.part !== page.part) return false;
      // The first of them may have been brought there by another call.
      return back === 2 || before.turn.call === turn.call;
    }),
  );
  return again.map(({ turn }) => turn.callStep);
}

interface Visit {
  readonly page: PageShown;
  readonly turn: RecordedTurn;
}

function visitsOf(turns: readonly RecordedTurn[]): readonly Visit[] {
  return turns.flatMap((turn) => {
    const page = pageIn(turn.output);
    return page === null ? [] : [{ page, turn }];
  });
}

function isSame(a: PageShown, b: PageShown): boolean {
  return a.address === b.address;
}

function stretchFrom(
  turns: readonly RecordedTurn[],
  visits: readonly Visit[],
  fromStep: number,
): StuckStretch {
  const byPage = [...Map.groupBy(visits, ({ page }) => page.address)]
    .filter(([, same]) => same.length > 1)
    .sort(([, a], [, b]) => b.length - a.length);
  const groups = byPage.map(([key, same]) => {
    const seen = same.map(({ turn }) => turn);
    return repeatedBy('page', key, seen, seen[0]);
  });
  return { fromStep, groups, turns: turns.filter(({ callStep }) => callStep >= fromStep) };
}

const SHOWN_PAGES = 3;

export function reasonOfWandering(entries: readonly TranscriptEntry[], { groups }: StuckStretch): Reason {
  const pages = groups.slice(0, SHOWN_PAGES).map(({ turn, count }) => {
    const page = pageIn(turn.output);
    return `${quote(page?.title || (page?.address ?? ''))} (${counted(count, 'time')})`;
  });
  const said = entries.filter((entry) => SAYS_LOOP.test(wordsOf(entry))).length;
  const own = said < SAID ? '' : `; the run itself noted ${said} times that it was in a loop or stalled`;
  if (said < SAID && groups.length === 1)
    return {
      cause: `\`${callText(groups[0]?.last as RecordedTurn)}\` stayed on the same page each time: ${pages[0]}`,
      startHere: SAME_PAGE,
    };
  const seen =
    pages.length === 0 ? 'page after page' : `the same pages again and again: ${pages.join(' · ')}`;
  const cause = `${seen}${own}`;
  const refused = firstRefusal(entries);
  if (refused !== null) {
    const { where, line, isFile } = refused;
    return isFile
      ? { cause: `${where} could not be read (${quote(line)}); then ${cause}`, startHere: OTHER_TOOL(where) }
      : { cause: `${where} was not reached (${quote(line)}); then ${cause}`, startHere: ELSEWHERE(where) };
  }
  const [most] = groups;
  const scrolls = most?.turns.filter(({ input }) => SCROLLS.test(input)).length ?? 0;
  if (most !== undefined && scrolls * 2 >= most.count)
    return {
      cause: `${counted(scrolls, 'call')} scrolled through ${pages[0]}${own}`,
      startHere:
        'Do not page through it. Open the address of the one entry that is wanted, or search for that by its words, then read only that.',
    };
  return {
    cause,
    startHere:
      'Do not open these pages again. Say which fact is missing, and search for that fact in other words or in another source; ' +
      'if no source has it, say so instead of guessing.',
  };
}

const ELSEWHERE = (where: string) =>
  `Do not try ${where} again. Take the fact from another source, or ask a person to get it from there.`;

const OTHER_TOOL = (where: string) =>
  `Do not open ${where} that way again. Read it with another tool (a program or a library on the machine), or ask a person what is in it.`;

/** A browser that cannot load a page shows one of its own, under the name of the host. */
const NOT_LOADED = /^(?:chrome-error|about:neterror)/;
const TURNED_AWAY = oneOf(
  /^.{0,80}\b(?:just a moment|attention required|access (?:to this page has been )?denied|403 forbidden|verify you are human).*$/im,
  /^.{0,80}\b(?:unusual traffic|are you a robot|complete the captcha|(?:sign|log) in to (?:continue|view|see|read)).*$/im,
  /^.{0,40}\b(?:could not|cannot|unable to|failed to) (?:transcribe|open|play|decode|load) this\b.*$/im,
);

interface TurnedAway {
  readonly where: string;
  readonly line: string;
  readonly isFile: boolean;
}

/** Null if nothing turned the run away, or if it got there later. */
function firstRefusal(entries: readonly TranscriptEntry[]): TurnedAway | null {
  const shown = entries.map((entry) => {
    const text = entry.type === 'tool_result' ? entry.output : entry.type === 'message' ? entry.text : '';
    const page = pageIn(text);
    const line =
      page === null
        ? undefined
        : NOT_LOADED.test(page.address)
          ? 'the page could not be loaded'
          : (TURNED_AWAY.exec(page.title) ?? TURNED_AWAY.exec(text))?.[0];
    return { page, line };
  });
  const first = shown.find(({ line }) => line !== undefined);
  if (first?.line === undefined || first.page === null) return null;
  const { page, line } = first;
  const where = NOT_LOADED.test(page.address) ? page.title : placeOf(page.address);
  const later = shown.slice(shown.indexOf(first) + 1);
  const isReached = later.some(
    (each) => each.line === undefined && each.page && placeOf(each.page.address) === where,
  );
  return isReached ? null : { where, line, isFile: page.address.startsWith('file:') };
}

/** The host of a page, the name of a file. */
function placeOf(address: string): string {
  const [, scheme, rest = address] = /^(\w+):\/\/(.*)$/.exec(address) ?? [];
  return scheme === 'file' ? rest.slice(rest.lastIndexOf('/') + 1) : rest.replace(/[/?].*$/, '');
}

function wordsOf(entry: TranscriptEntry): string {
  if (entry.type === 'message' && entry.role !== 'person') return entry.text;
  return entry.type === 'tool_call' ? entry.input : '';
}
