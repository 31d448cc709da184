/** `plain`, `plainLine`: text from outside, made safe to print: no control, bidirectional or zero-width characters reach the terminal. */
import { visibleText } from '../../core/text/visible-text.ts';
import { cutToWidth } from '../../core/text/width.ts';

export function plain(text: string): string {
  return visibleText(text);
}

/** `width` counts the cells of the terminal. */
export function plainLine(text: string, width: number): string {
  return cutToWidth(plain(text).replaceAll(/\s+/g, ' ').trim(), width);
}
