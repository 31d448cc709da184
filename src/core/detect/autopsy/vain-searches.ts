/** `vainSearches`, `reasonOfSearches`: a run that looks for one name again and again, in other words each time, and finds nothing new. */
import { inOrder } from '../../text/in-order.ts';
import type { RecordedTurn } from './recorded-turn.ts';
import { commandOf, isShellCall } from '../call-kind.ts';
import { callText } from '../detector.ts';
import { changes } from '../staleness.ts';
import type { Reason } from './reasons/find-reason.ts';
import { mostFrequent, type Repeated, repeatedBy } from './repeated-turns.ts';
import { BARREN } from './stuck-pattern.ts';
import { RECOVERED_TURNS, type StuckStretch, stretchOf, usefulAfter } from './stuck-stretch.ts';

/** As many searches are the trouble; ordinary work ends with the one before `BEGINS`. */
const VAIN = 8;
const BEGINS = 6;
const GIVEN = /"(?:pattern|query|regex|glob|search_term|keywords?|name)" *: *"((?:[^"\\]|\\.){1,200})"/;
const ASKED = inOrder(
  /(?:-i?(?:name|path|regex)|\b(?:grep|rg|ag|which|whereis|locate|find_file|search_dir|search_file)(?:\s+-[\w-]+(?:=\S+)?)*)/,
  [/\s+("[^"]+"|'[^']+'|[^\s|;&]+)/],
);
const WORD = /[A-Z]?[a-z]{2,}|[A-Z]{3,}/g;
const GENERAL = /^(?:class|def|func|function|public|import|interface|test|tests|src|main|java|file|the)$/i;
/** Forms of one word begin alike. */
const STEM_CHARS = 4;

/** What a search asks for; null if that cannot be told. */
function askedFor({ kind, tool, input }: RecordedTurn): string | null {
  if (kind !== 'search') return null;
  const found = isShellCall(tool, input)
    ? ASKED.exec(commandOf(input))
    : (GIVEN.exec(input) ?? ASKED.exec(`${tool} ${input}`));
  return found?.[1]?.replace(/^["']|["']$/g, '') ?? null;
}

const lettersOf = (text: string) => text.toLowerCase().replace(/[^a-z\d]/g, '');

/** The searches for the most wanted name since the last change, and those of them that found nothing new. */
function huntIn(
  turns: readonly RecordedTurn[],
): { readonly stem: string; readonly vain: readonly RecordedTurn[] } | null {
  const since = turns.slice(turns.findLastIndex(changes) + 1);
  const asked = since.flatMap((turn) => {
    const text = askedFor(turn);
    return text === null ? [] : [{ turn, text, letters: lettersOf(text) }];
  });
  const stems = new Set(
    asked.flatMap(({ text }) =>
      (text.match(WORD) ?? [])
        .filter((word) => !GENERAL.test(word))
        .map((word) => word.slice(0, STEM_CHARS).toLowerCase()),
    ),
  );
  const [stem] = mostFrequent(
    asked.flatMap(({ letters }) => [...stems].filter((each) => letters.includes(each))),
  );
  if (stem === null) return null;
  const seen = new Set<number>();
  const vain = asked.filter(({ turn, letters }) => {
    const isNew = !turn.failed && !turn.barren && !seen.has(turn.result);
    seen.add(turn.result);
    return letters.includes(stem) && !isNew;
  });
  return { stem, vain: vain.map(({ turn }) => turn) };
}

export function vainSearches(turns: readonly RecordedTurn[]): StuckStretch | null {
  const { vain } = huntIn(turns) ?? { vain: [] };
  const [begin, last] = [vain[BEGINS - 1], vain.at(-1)];
  if (vain.length < VAIN || begin === undefined || last === undefined) return null;
  const later = turns.filter(({ callStep }) => callStep >= begin.callStep);
  if ((vain.length - BEGINS + 1) * 2 < later.length || usefulAfter(turns, last.step) >= RECOVERED_TURNS)
    return null;
  return stretchOf(turns, repeatedBy('search', 'search', vain, last), begin.callStep);
}

export function reasonOfSearches(turns: readonly RecordedTurn[], { turns: vain, count }: Repeated): Reason {
  const stem = huntIn(turns)?.stem ?? '';
  const names = vain.flatMap((turn) => (askedFor(turn) ?? '').match(/[\w.-]{4,}/g) ?? []);
  const [name] = mostFrequent(names.filter((each) => lettersOf(each).includes(stem)));
  const wanted = name ?? callText(vain.at(-1) as RecordedTurn);
  return {
    cause: `${count} searches for ${wanted} found nothing new`,
    startHere:
      `Do not search for ${wanted} again. ${BARREN} The history may tell what became of it (\`git log -S ${wanted}\`); ` +
      'if it does not, ask the person who named it.',
  };
}
