/**
 * `vainSearches`, `reasonOfSearches`: a run that looks for one name again and again, in other words each time, and finds nothing new; and
 * what the record tells about that name.
 */
import { inOrder } from '../../text/in-order.ts';
import type { RecordedTurn } from './recorded-turn.ts';
import { commandOf, isShellCall } from '../call-kind.ts';
import { callText, quote } from '../detector.ts';
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
/** As many, where the person named it: the task says that it is there. */
const NAMED_VAIN = 6;
const NAMED_BEGINS = 5;
/** So many of them ask for the whole name: its words alone may mean something else. */
const NAMED_WHOLE = 2;
/** A name of code in the words of a person. */
const NAMED = /\b(?:[A-Za-z]+[a-z][A-Z]\w+|[a-z]\w*_\w+)\b/g;
/** A command line that found nothing, and then told only how it ended. */
const STATUS_ALONE = /^(?:rc|exit|status|code)\W{0,2}\d{1,3}$/i;
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

/** `task`: what the person asked for. */
export function vainSearches(turns: readonly RecordedTurn[], task: string): StuckStretch | null {
  return vainInOtherWords(turns) ?? vainForNamed(turns, task);
}

function vainInOtherWords(turns: readonly RecordedTurn[]): StuckStretch | null {
  const { vain } = huntIn(turns) ?? { vain: [] };
  const [begin, last] = [vain[BEGINS - 1], vain.at(-1)];
  if (vain.length < VAIN || begin === undefined || last === undefined) return null;
  const later = turns.filter(({ callStep }) => callStep >= begin.callStep);
  if ((vain.length - BEGINS + 1) * 2 < later.length || usefulAfter(turns, last.step) >= RECOVERED_TURNS)
    return null;
  return stretchOf(turns, repeatedBy('search', 'search', vain, last), begin.callStep);
}

/** Nothing but looks since the last change, and no part of a name of the task is found anywhere, as a whole or by its words. */
function vainForNamed(turns: readonly RecordedTurn[], task: string): StuckStretch | null {
  const since = turns.slice(turns.findLastIndex(changes) + 1);
  const empty = since.filter(isVain).map((turn) => ({ turn, letters: lettersOf(askedFor(turn) ?? '') }));
  for (const name of empty.length < NAMED_VAIN ? [] : new Set(task.match(NAMED))) {
    const stems = wordStems(name);
    const hunt = empty.filter(({ letters }) => stems.some((stem) => letters.includes(stem)));
    const whole = hunt.filter(({ letters }) => letters.includes(lettersOf(name)));
    const vain = hunt.map(({ turn }) => turn);
    const [first, begin, last] = [vain[0], vain[NAMED_BEGINS - 1], vain.at(-1)];
    if (vain.length < NAMED_VAIN || whole.length < NAMED_WHOLE) continue;
    if (first === undefined || begin === undefined || last === undefined) continue;
    const later = since.filter(({ step }) => step > first.step);
    const isOther = later.some(
      ({ kind, output }) => kind === 'test' || (kind === 'search' && output.includes(name)),
    );
    if (isOther || usefulAfter(turns, last.step) >= RECOVERED_TURNS) continue;
    return stretchOf(turns, repeatedBy('search', 'search', vain, last), begin.callStep);
  }
  return null;
}

function wordStems(name: string): readonly string[] {
  const words = (name.match(WORD) ?? []).filter((word) => !GENERAL.test(word));
  return words
    .map((word) => word.slice(0, STEM_CHARS).toLowerCase())
    .filter((stem) => stem.length === STEM_CHARS);
}

function isVain({ kind, failed, barren, output }: RecordedTurn): boolean {
  return kind === 'search' && (failed || barren || STATUS_ALONE.test(output.trim()));
}

const RENAMED = /\b(?:renam\w*|mov(?:ed?|ing)|replac\w+|migrat\w+|extract\w*|remov\w+)\b/i;
const NEW_NAME = /\b(?:to|into|by|with|as)\s+([\w ./-]{3,60})/;
const COMMIT = /^\W{0,3}([0-9a-f]{7,40})\b/;
const PATH = /(?:[\w.@+-]*\/){1,40}[\w.@+-]{1,120}/g;

/** What became of the name, by a line that speaks of it, and the file that has its new name. */
export function reasonOfSearches(turns: readonly RecordedTurn[], { turns: vain, count }: Repeated): Reason {
  const stem = huntIn(turns)?.stem ?? '';
  const names = vain.flatMap((turn) => (askedFor(turn) ?? '').match(/[\w.-]{4,}/g) ?? []);
  const [name] = mostFrequent(names.filter((each) => lettersOf(each).includes(stem)));
  const wanted = name ?? callText(vain.at(-1) as RecordedTurn);
  const told = `${count} searches for ${wanted}, in other words each time, found nothing new`;
  const outputs = turns.map((turn) => turn.output);
  const lines = outputs.flatMap((output) => output.split('\n'));
  const renamed = (
    lines.find((line) => RENAMED.test(line) && lettersOf(line).includes(stem) && !line.includes(wanted)) ??
    // What the history tells of a name need not repeat it.
    turns
      .filter(({ given }) => /\bgit log\b/.test(given) && given.includes(wanted))
      .flatMap(({ output }) => output.split('\n'))
      .find((line) => RENAMED.test(line))
  )?.trim();
  if (renamed === undefined) return [`${told}: it is not there under that name`, BARREN];
  const newName = lettersOf(NEW_NAME.exec(renamed)?.[1] ?? '');
  const path = outputs
    .flatMap((output) => output.match(PATH) ?? [])
    .find((each) => newName !== '' && lettersOf(each.slice(each.lastIndexOf('/'))).includes(newName));
  const commit = COMMIT.exec(renamed)?.[1];
  const had = lines
    .filter((line) => line.includes(wanted))
    .flatMap((line) => COMMIT.exec(line)?.[1] ?? [])[0];
  const check = commit === undefined ? '' : ` (\`git show ${commit}\` tells)`;
  return [
    `${told}: the name is gone. The record says what became of it: ${quote(renamed)}${path === undefined ? '' : `; ${path} was shown`}`,
    path === undefined
      ? `Do not search for ${wanted} again. Work with what took its place${check}; if that is not on this machine, tell the person ` +
        `that ${wanted} is gone and ask what to use${had === undefined ? '' : `: the history has it (\`git show ${had}\`)`}.`
      : `Do not search for ${wanted} again. Work with its new name${check}: open ${path}.`,
  ];
}
