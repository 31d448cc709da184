/** `swapped`: two failures of one check take turns: each edit mends one and brings the other back, or both are one from two sides. */
import type { RecordedTurn } from '../recorded-turn.ts';
import { checkOf } from '../../check-mark.ts';
import { quote } from '../../detector.ts';
import { changes } from '../../detectors/staleness.ts';
import type { FindReason, Reason } from './find-reason.ts';
import { editsFile } from '../repeated-turns.ts';
import { editedPath } from '../side-effects.ts';

/** So often one of two failures followed the other. */
const SWAPS = 3;

export const swapped: FindReason = ({ turns, failure }) => {
  const check = checkOf(failure.turn);
  if (check === 0 || editsFile(failure.turn)) return null;
  const runs = turns.filter((turn) => turn.failed && checkOf(turn) === check);
  const often = [...Map.groupBy(runs, ({ error }) => error).values()].filter(({ length }) => length > 1);
  if (often.length !== 2 || often.flat().length * 5 < runs.length * 4) return null;
  if (turns.filter((turn) => changes(turn) && turn.step > (runs[0]?.step ?? 0)).length < SWAPS) return null;
  const swaps = runs.filter((turn, at) => at > 0 && turn.error !== runs[at - 1]?.error).length;
  if (swaps < SWAPS) return null;
  const two = often.map((group) => group[0] as RecordedTurn);
  const lines = two.map(({ errorLine }) => quote(errorLine));
  const edits = turns.filter((turn) => changes(turn) && turn.step > (runs[0]?.step ?? 0));
  const paths = [...new Set(edits.flatMap((turn) => editedPath(turn) ?? []))];
  const where =
    paths.length === 1
      ? ` Both go through ${paths[0]}: let what they share take what differs (a parameter, a case).`
      : '';
  return (
    oneOfBoth(two) ?? [
      [
        `two failures take turns, ${often.map(({ length }) => length).join(' and ')} times: each edit mends one failure`,
        `and brings the other back: ${lines.join(' · ')}`,
      ].join(' '),
      [
        'Neither edit is enough, and going back and forth does not help. Read what both failures ask for, and make one edit that satisfies',
        `both.${where} If they ask for opposites of the same thing, ask.`,
      ].join(' '),
    ]
  );
};

const QUOTED_NAME = /(['"`‘])[^'"`’\n]{1,120}['"`’]/g;
const TRACED = /(?:File "|\bat |-->\s*|\()?((?:[\w.@+-]*\/)*[\w.@+-]+\.\w{1,5})(?:", line |[:(])\d+/g;
const MODULE = /\bmodule ['"`]([\w./@-]{2,120})['"`]/;
const CIRCULAR = /\bcircular (?:import|dependency)|partially initialized module\b/i;

/** The errors differ only in the names that they quote: one failure, met from another side. */
function oneOfBoth([first, second]: readonly RecordedTurn[]): Reason | null {
  if (first === undefined || second === undefined || bare(first.errorLine) !== bare(second.errorLine))
    return null;
  const [there, here] = [filesIn(first.output), filesIn(second.output)];
  const both = there.filter((file) => here.includes(file));
  const lines = `${quote(first.errorLine)} · ${quote(second.errorLine)}`;
  const modules = new Set([first, second].flatMap(({ errorLine }) => MODULE.exec(errorLine)?.[1] ?? []));
  if (both.length === 0 && modules.size < 2) return null;
  const files = (modules.size > 1 ? [...modules] : both.slice(-2)).join(' and ');
  return CIRCULAR.test(first.errorLine)
    ? [
        `${files} import each other: it is one failure, met from whichever side is loaded first: ${lines}`,
        `Another order of the imports does not help. Move what ${files} both need into a third file, or import it inside the function.`,
      ]
    : [
        `it is one failure in two forms, and both come through ${files}: ${lines}`,
        `Open ${files}: both forms pass there. Mend what they share; an edit for one form only brings the other.`,
      ];
}

function bare(line: string): string {
  return line.replace(QUOTED_NAME, '').replace(/\s+/g, ' ');
}

function filesIn(output: string): readonly string[] {
  return [...new Set([...output.matchAll(TRACED)].map(([, file = '']) => file))];
}
