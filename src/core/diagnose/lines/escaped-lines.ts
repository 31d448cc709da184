/**
 * `escapedLines`: the lines inside one physical line: a tool result in JSON (`{"stdout": "a\nb", "exit_code": 1}`), or a log whose newlines
 * were escaped. Each piece keeps its source text, so that evidence stays verbatim.
 */
import { wordList } from '../../text/word-list.ts';

export interface EscapedLine {
  /** As it stands in the input. */
  readonly raw: string;
  readonly decoded: string;
}

/** Fields in which tools and agents hand on what a program printed. */
const TEXT_FIELDS = new Set(
  wordList('stdout stderr output content text result log logs aggregated_output formatted_output'),
);
const EXIT_FIELD = /^(?:exit_?code|returncode|return_code|exit_status|status_code)$/i;
const ESCAPES: Readonly<Record<string, string>> = {
  t: '\t',
  r: '\r',
  b: '',
  f: '',
  '"': '"',
  '\\': '\\',
  '/': '/',
};

/** `[INFO] …`, `[ 50%] …` and `{standard input}: …` begin like JSON and are none. */
const JSON_START = /^(?:\{\s{0,80}["}]|\[\s{0,80}(?:["{[\]]|-?\d{1,20}\s?,)|"\w{1,40}"\s{0,8}:)/;

export function escapedLines(raw: string): readonly EscapedLine[] | null {
  const body = raw.trimStart();
  if (JSON_START.test(body) && /[}\]"]\s{0,80}$/.test(body)) return jsonLines(raw);
  if (!raw.includes('\\n')) return null;
  return plainLines(body.startsWith('"') ? body.trimEnd().slice(1).replace(/"$/, '') : raw);
}

/** Only what a program printed counts: a text field with several lines, or `stdout` and `stderr` themselves. */
function jsonLines(raw: string): readonly EscapedLine[] | null {
  const lines: EscapedLine[] = [];
  let isResult = false;
  let key = '';
  for (let at = 0; at < raw.length; at += 1) {
    if (raw[at] !== '"') continue;
    const end = closingQuote(raw, at);
    const said = raw.slice(at + 1, end);
    const after = /^\s{0,8}:\s{0,8}/.exec(raw.slice(end + 1, end + 20))?.[0];
    if (after !== undefined) {
      key = said;
      const exit = EXIT_FIELD.test(key)
        ? /^-?\d{1,9}/.exec(raw.slice(end + 1 + after.length, end + 40))?.[0]
        : undefined;
      if (exit !== undefined) lines.push({ raw: `"${key}"${after}${exit}`, decoded: `exit code: ${exit}` });
      at = end + after.length;
      continue;
    }
    if (TEXT_FIELDS.has(key)) {
      if (key === 'stdout' || key === 'stderr' || said.includes('\\n')) isResult = true;
      if (said !== '') lines.push(...pieces(said));
    }
    at = end;
  }
  if (!isResult) return null;
  // The exit code is told last, wherever the field stands.
  return lines.toSorted((a, b) => Number(isExit(a)) - Number(isExit(b)));
}

function isExit({ decoded }: EscapedLine): boolean {
  return /^exit code: -?\d+$/.test(decoded);
}

function closingQuote(text: string, open: number): number {
  for (let at = open + 1; at < text.length; at += 1) {
    if (text[at] === '\\') at += 1;
    else if (text[at] === '"') return at;
  }
  return text.length;
}

/** `'\n'` in quotes is a character that a message speaks of, and `C:\new` is a path. */
function plainLines(raw: string): readonly EscapedLine[] | null {
  const breaks = raw.replace(/['"`]\\n['"`]|(?<![\w/.-])[A-Za-z]:\\\S{0,200}/g, '').split('\\n').length - 1;
  return breaks === 0 ? null : pieces(raw);
}

function pieces(said: string): readonly EscapedLine[] {
  const lines: EscapedLine[] = [];
  let decoded = '';
  let start = 0;
  for (let at = 0; at < said.length; at += 1) {
    const char = said[at] as string;
    if (char !== '\\') {
      decoded += char;
      continue;
    }
    const next = said[at + 1] ?? '';
    at += 1;
    if (next === 'n') {
      lines.push({ raw: said.slice(start, at - 1), decoded });
      decoded = '';
      start = at + 1;
    } else if (next === 'u' && /^[0-9a-f]{4}$/i.test(said.slice(at + 1, at + 5))) {
      decoded += String.fromCharCode(Number.parseInt(said.slice(at + 1, at + 5), 16));
      at += 4;
    } else decoded += ESCAPES[next] ?? `\\${next}`;
  }
  if (start < said.length) lines.push({ raw: said.slice(start), decoded });
  return lines;
}
