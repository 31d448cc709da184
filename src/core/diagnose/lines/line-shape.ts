/**
 * `shapeOf`: what kind of line it is, without its meaning. `authority` says how surely a line of this shape states a failure: an exception
 * header does, a log record with level INFO does not, whatever words it holds.
 */
import { TEMPER } from './line-patterns.ts';
import type { Line } from './read-lines.ts';
import { STRIPPED_LINE_SHAPES } from './stripped-line-shapes.ts';
import type { ReadShape, Read, Shape } from './shape.ts';
import { stripPrefixes } from './strip-prefixes.ts';
import { WHOLE_LINE_SHAPES } from './whole-line-shapes.ts';

export function shapeOf(line: Line): Shape {
  const { text } = line;
  const whole = firstOf(WHOLE_LINE_SHAPES, line);
  if (whole !== null) return { ...blankShape(text), ...whole };
  const stripped = { text, ...stripPrefixes(text) };
  const { body } = stripped;
  const read = firstOf(STRIPPED_LINE_SHAPES, stripped) ?? { kind: 'text', authority: 0 };
  return { ...blankShape(text), body, message: body, ...read };
}

function firstOf<Seen>(shapes: readonly ReadShape<Seen>[], seen: Seen): Read | null {
  for (const read of shapes) {
    const found = read(seen);
    if (found !== null) return found;
  }
  return null;
}

function blankShape(text: string): Omit<Shape, 'kind' | 'authority'> {
  return {
    level: 'none',
    body: text,
    message: text,
    name: '',
    file: '',
    row: 0,
    tempered: TEMPER.test(text),
    placed: false,
  };
}
