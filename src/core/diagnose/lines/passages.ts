/** `quotedLines`: which lines quote something instead of stating it: help texts, diffs, captured logs of tests, source listings. */
import type { Shape } from './shape.ts';
import type { Line } from './read-lines.ts';
import { markTables } from './table-passages.ts';

/** True where a line is quoted. */
export function quotedLines(lines: readonly Line[], shapes: readonly Shape[]): readonly boolean[] {
  const quoted = lines.map(() => false);
  markConsole(lines, quoted);
  markPytest(lines, quoted);
  markBetween(lines, quoted, DIFF, ({ text, shown }) => text !== '' && !IN_DIFF.test(shown));
  markBetween(lines, quoted, HELP, ({ indent, text }) => indent === 0 && FAILS.test(text));
  markGrep(lines, shapes, quoted);
  markTraceSource(lines, quoted);
  markCounted(lines, quoted);
  markTables(lines, shapes, quoted);
  return quoted;
}

const CONSOLE = /^(?:console\.(?:log|error|warn|info|debug)|(?:stderr|stdout) \| )/;
const CAPTURED = /^-+ ?Captured (?:std\w+|log)|^=+ warnings summary/;
const CONSOLE_END = /^(?:[✓✔✗✕×●]|PASS|FAIL|Test Suites|Tests?:|⎯|❯|Test Files)/;

/** jest prints what a test logged under `console.log`; vitest under `stderr | file`; pytest under "Captured". */
function markConsole(lines: readonly Line[], quoted: boolean[]): void {
  let mode: 'none' | 'console' | 'captured' = 'none';
  let blanks = 0;
  for (const [at, line] of lines.entries()) {
    if (CONSOLE.test(line.text)) {
      mode = 'console';
      blanks = 0;
      quoted[at] = true;
      continue;
    }
    if (CAPTURED.test(line.text)) {
      mode = 'captured';
      quoted[at] = true;
      continue;
    }
    if (mode === 'captured' && /^(?:=|_|-){4,}/.test(line.text)) mode = 'none';
    if (mode === 'console') {
      if (line.text === '') blanks += 1;
      else if (line.indent === 0 && (CONSOLE_END.test(line.text) || blanks > 0)) mode = 'none';
    }
    if (mode !== 'none') quoted[at] = true;
  }
}

/** In pytest's failure blocks only the `E` lines speak; the rest is the source of the test and its callers. */
function markPytest(lines: readonly Line[], quoted: boolean[]): void {
  let inside = false;
  for (const [at, line] of lines.entries()) {
    if (/^={3,} (?:FAILURES|ERRORS) ={3,}$/.test(line.text)) inside = true;
    else if (/^={3,} (?!FAILURES|ERRORS)/.test(line.text)) inside = false;
    else if (inside && !/^E\s/.test(line.shown) && !/^_{3,} /.test(line.text)) quoted[at] = true;
  }
}

/** The lines from one that begins a passage up to the one that ends it. */
function markBetween(
  lines: readonly Line[],
  quoted: boolean[],
  begins: RegExp,
  ends: (line: Line) => boolean,
): void {
  let inside = false;
  for (const [at, line] of lines.entries()) {
    inside = begins.test(line.text) || (inside && !ends(line));
    if (inside) quoted[at] = true;
  }
}

const DIFF = /^(?:diff --git |--- a\/|\+\+\+ b\/|@@ -\d+)/;
const IN_DIFF = /^[+\- \\]|^(?:index|new file|deleted|similarity|rename|Binary)/;
const HELP = /^usage: |^Usage: |^Usage:$|^(?:OPTIONS|Options):?$/;
const FAILS = /^(?:[\w./-]+: )?(?:error|fatal|Error)\b/;

/** Python shows the source under each `File "…", line N`. */
function markTraceSource(lines: readonly Line[], quoted: boolean[]): void {
  for (let at = 1; at < lines.length; at += 1) {
    const above = lines[at - 1] as Line;
    const line = lines[at] as Line;
    if (/^File "[^"]{1,300}", line \d+/.test(above.text) && line.indent > above.indent) quoted[at] = true;
  }
}

/** `file:12:text` or `12:text` for most lines, without a severity word in its place, is a listing of matches. */
function markGrep(lines: readonly Line[], shapes: readonly Shape[], quoted: boolean[]): void {
  const filled = lines.filter((line) => line.text !== '').length;
  if (filled < 2) return;
  const hits: number[] = [];
  for (const [at, line] of lines.entries()) {
    const shape = shapes[at] as Shape;
    if (
      /^(?:[\w./@-]{1,200}:)?\d+[:-](?! (?:error|warning|fatal|note))\S/.test(line.text) ||
      /^[\w./@-]{1,200}\.\w{1,6}:\d+:(?! )/.test(line.text)
    ) {
      // A column behind the row is how checkers speak; grep gives the row alone.
      const column = /^[\w./@-]{1,200}:\d+:\d+: \S/.test(line.text);
      if (!column && (shape.kind !== 'diagnostic' || shape.authority < 0.8)) hits.push(at);
    }
  }
  if (hits.length >= filled * 0.7) for (const at of hits) quoted[at] = true;
}

/** `uniq -c`, `wc`, a histogram: every line starts with a count. */
function markCounted(lines: readonly Line[], quoted: boolean[]): void {
  const filled = lines.filter((line) => line.text !== '');
  if (filled.length < 2 || !filled.every((line) => /^\d{1,9} [\w(/"']/.test(line.text))) return;
  for (const [at] of lines.entries()) quoted[at] = true;
}
