/**
 * `placeTold`: reads checkers that tell the place in words or in a table: `"plot.gp" line 2: …`, `line 1 column 13 - Error: …`, `2 | ERROR
 * | …`.
 */
import { complains } from '../../text/complains.ts';
import { LOCATED } from './line-patterns.ts';
import type { Shape } from './shape.ts';

type Place = Pick<Shape, 'authority' | 'level' | 'file' | 'row' | 'message'>;

const TABLED = /^(?<row>\d{1,7}) \| (?<sev>ERROR|WARNING) \| (?<msg>.{1,1500})$/;
const WORDED =
  /^line (?<row>\d{1,7})(?:,? col(?:umn)? \d{1,6})?(?: - |: )(?<sev>[Ee]rror|[Ww]arning|[Ii]nfo): (?<msg>.{1,1500})$/;
const MILD = 0.22;
const STATED = 0.86;
/** A row without a column and without a complaint may be progress. */
const MENTIONED = 0.45;

export function placeTold(text: string): Place | null {
  const graded = (TABLED.exec(text) ?? WORDED.exec(text))?.groups;
  if (graded !== undefined) {
    const mild = !/error/i.test(graded['sev'] ?? '');
    return {
      authority: mild ? MILD : STATED,
      level: mild ? 'warning' : 'error',
      file: '',
      row: Number(graded['row']),
      message: graded['msg'] ?? '',
    };
  }
  const located = LOCATED.exec(text)?.groups;
  if (located === undefined) return null;
  const message = located['msg'] ?? '';
  const mild = /^warning\b/i.test(message);
  return {
    authority: mild ? MILD : located['col'] !== undefined || complains(text) ? STATED : MENTIONED,
    level: mild ? 'warning' : 'error',
    file: located['file'] ?? '',
    row: Number(located['row']),
    message,
  };
}
