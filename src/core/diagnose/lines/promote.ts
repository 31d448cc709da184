/**
 * `promoted`: lines that are recognised by their neighbours: the header above stack frames, the line that ends a Python traceback, the
 * message below a bare header.
 */
import type { Shape } from './shape.ts';
import type { Line } from './read-lines.ts';

/** A traceback may be deep; its exception line stands right below. */
export function promoted(lines: readonly Line[], shapes: readonly Shape[]): readonly Shape[] {
  let traceIndent = -1;
  return shapes.map((shape, at) => {
    const line = lines[at] as Line;
    if (line.text.startsWith('Traceback (most recent call last)')) {
      traceIndent = line.indent;
      return shape;
    }
    if (traceIndent >= 0 && shape.kind !== 'frame' && shape.kind !== 'blank' && line.indent <= traceIndent) {
      traceIndent = -1;
      const name = /^(?<name>[A-Za-z_][\w.]{1,120})(?::|$)/.exec(line.text)?.groups?.['name'];
      if (
        name !== undefined &&
        (shape.kind === 'text' || shape.kind === 'statement' || shape.kind === 'note')
      )
        return thrown(shape, name);
    }
    const below = lines[at + 1]?.text ?? '';
    const code =
      shape.kind === 'statement' || shape.kind === 'exception' || /^[A-Z]{1,5}\d{2,5} \S/.test(line.text)
        ? /^--> (?<file>[^\s:]{1,300}):(?<row>\d+)/.exec(below)?.groups
        : undefined;
    if (code !== undefined) return placed(shape, code);
    if (/^\.{2,3} ?ignor/.test(below)) return { ...shape, tempered: true };
    const next = shapes[at + 1];
    const above = shapes[at - 1];
    if (
      shape.kind === 'text' &&
      next?.kind === 'frame' &&
      above?.kind !== 'frame' &&
      /^(?:at |from )/.test(lines[at + 1]?.text ?? '') &&
      !/^(?:Require stack|Stack|Call)/.test(line.text)
    )
      return headless(shapes, at) ? thrown(shape, '') : shape;
    return shape;
  });
}

/** The line next to it names the file and the row. */
function placed(shape: Shape, { file = '', row }: Readonly<Record<string, string>>): Shape {
  return { ...shape, kind: 'diagnostic', authority: 0.86, level: 'error', file, row: Number(row) };
}

/** `Issues:` and below it `1. http://… timed out`: the items of a report are what a checker found, not what happened to it. */
export function reported(lines: readonly Line[], shapes: readonly Shape[]): readonly Shape[] {
  // Where one list is announced as what is wrong, the others tell what was looked at or is allowed.
  const isSorted = lines.some(isHeading);
  let announcedUntil = -1;
  return shapes.map((shape, at) => {
    const line = lines[at] as Line;
    if (isHeading(line)) announcedUntil = at + ITEM_LINES;
    if (
      !isSorted ||
      !/^\d{1,4}\. \S/.test(line.text) ||
      !(shape.kind === 'text' || shape.kind === 'statement')
    )
      return shape;
    if (at > announcedUntil) return { ...shape, kind: 'note', authority: 0 };
    announcedUntil = at + ITEM_LINES;
    return { ...shape, kind: 'diagnostic', authority: ANNOUNCED, level: 'error' };
  });
}

const TROUBLES = 'issues|problems|errors|failures|violations|offenses|offences|broken links';
const FINDINGS = new RegExp(
  `^(?:[1-9]\\d{0,5} |found |the |following |[\\w-]{2,20} ){0,3}(?:${TROUBLES})(?: found| detected)?(?: ?[:(!.-].{0,6})?$`,
  'i',
);
const NO_FINDINGS =
  /\b(?:no|zero|0|known|possible|common|allow(?:ed)?|ignored?|skipped|fixed|resolved|previous)\b/i;

function isHeading({ text }: Line): boolean {
  return FINDINGS.test(text) && !NO_FINDINGS.test(text);
}

const ANNOUNCED = 0.6;
/** An item has a few lines of detail at most. */
const ITEM_LINES = 4;

/** A message of several lines belongs to the header above it. */
function headless(shapes: readonly Shape[], at: number): boolean {
  for (let look = at - 1; look >= Math.max(0, at - MESSAGE_LINES); look -= 1) {
    const kind = shapes[look]?.kind;
    if (kind === 'exception' || kind === 'statement') return false;
    if (kind === 'frame') return true;
  }
  return true;
}

/** Lines of a message that are read at most. */
const MESSAGE_LINES = 8;

function thrown(shape: Shape, name: string): Shape {
  return { ...shape, kind: 'exception', authority: 0.88, level: 'error', name };
}
