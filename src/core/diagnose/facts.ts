/** `factsOf`: what the lines around the cause name: the place in the code, the failing test, the host, the files. */
import { inOrder } from '../text/in-order.ts';
import { oneOf } from '../text/one-of.ts';
import type { LineFinding } from './finding.ts';
import type { Line } from './lines/read-lines.ts';

export interface CauseFacts {
  /** The cause without its prefixes, for a sentence. */
  readonly message: string;
  readonly file: string;
  readonly row: number;
  readonly test: string;
  readonly host: string;
  readonly path: string;
  readonly groups: Readonly<Record<string, string>>;
}

/** Traces are read this far around the cause. */
const AROUND = 60;
const LIBRARY = oneOf(
  /node_modules|site-packages|dist-packages|\/usr\/lib|\/usr\/local\/lib|node:|internal\/|<anonymous>|<frozen|\/rustc\//,
  /\.cargo\/registry|\/go\/pkg|lib\/ruby|\.pyenv|\/opt\/|_pytest|vendor\//,
);
/** Frames of test runners and build tools: the place is the user's. */
const HARNESS = oneOf(
  /^at (?:org\.junit|org\.opentest4j|junit\.|org\.testng|org\.gradle|org\.apache\.maven|org\.hamcrest)/,
  /^at (?:java\.|jdk\.|sun\.|scala\.|kotlin\.|node:)/,
);
const PLACES: readonly RegExp[] = [
  /File "(?<file>[^"]{1,300})", line (?<row>\d+)/,
  /\((?:file:\/\/)?(?<file>[^\s()]{1,300}):(?<row>\d+):\d+\)/,
  /(?:^|at |[\s❯>])(?:async )?(?:file:\/\/)?(?<file>[./\w@-]{0,300}\.[a-z]{1,5}):(?<row>\d+)(?::\d+)?/,
  /-->\s(?<file>[^\s:]{1,300}):(?<row>\d+)/,
  /\((?<file>[\w$]{1,120}\.(?:java|kt|scala|groovy)):(?<row>\d+)\)/,
  /in (?<file>\/[^\s:]{1,300}\.php)(?: on line |:)(?<row>\d+)/,
  /(?<file>[\w./-]{1,300}\.[a-z]{1,5})\((?<row>\d+),\d+\)/,
];
const TESTS: readonly RegExp[] = [
  /^(?:FAILED|ERROR) (?<test>[^\s]{1,300}::[^\s]{1,200})/,
  /^_{3,} (?:ERROR (?:at \w+ of |collecting ))?(?<test>.{1,200}?) _{3,}$/,
  /^(?:●|✗|✕|×|✖|✘|⨯) (?<test>(?!Console).{1,200}?)(?: \(\d+ ?ms\)| \d+ms)?$/,
  /^--- FAIL: (?<test>\S{1,200})/,
  /^not ok \d+ (?:- )?(?<test>.{1,200})/,
  /^test (?<test>\S{1,200}) \.\.\. FAILED/,
  /^(?:FAIL|ERROR): (?<test>\w{1,200}) \(/,
  /^thread '(?<test>[^']{1,200}::[^']{1,200})'/,
  /^\d+\) (?<test>[A-Za-z].{1,200}?):?$/,
  /^FAIL (?<test>\S{1,200} > .{1,200})/,
  /^\[ FAILED \] (?<test>\S{1,200})/,
];

export function factsOf(cause: LineFinding | null, lines: readonly Line[], command = ''): CauseFacts {
  if (cause === null) return { message: '', file: '', row: 0, test: '', host: '', path: '', groups: {} };
  const text = cause.line.text;
  const place = placeNear(cause, lines);
  return {
    message: plainMessage(cause),
    file: place.file,
    row: place.row,
    test: testNear(cause, lines),
    host: hostIn(withoutAdvice(text)) || hostIn(addressIn(command)) || hostNear(cause, lines),
    path: cause.groups['path'] ?? cause.groups['path2'] ?? cause.groups['path3'] ?? pathIn(text),
    groups: cause.groups,
  };
}

/** Where to read more is not where it failed. */
function withoutAdvice(text: string): string {
  return text.replace(
    /"(?:documentation|docs|help|more_info|info)_?(?:url|uri|link)?": ?"[^"]{0,300}"/gi,
    '',
  );
}

/** The address that the command itself calls. */
function addressIn(command: string): string {
  return /https?:\/\/[^\s'"]{1,300}/.exec(command)?.[0] ?? '';
}

/** What a JSON body says in words. */
function saidInJson(text: string): string {
  if (!text.startsWith('{')) return '';
  const said =
    /"(?:message|error_description|detail|error)": ?"(?<said>(?:[^"\\]|\\.){3,300})"/.exec(text)?.groups?.[
      'said'
    ] ?? '';
  const status = /"(?:status|code|status_code)": ?"?(?<status>[45]\d\d)\b/.exec(text)?.groups?.['status'];
  return said === '' || status === undefined ? said : `${said} (${status})`;
}

function plainMessage(cause: LineFinding): string {
  const body =
    saidInJson(cause.line.text) ||
    (cause.shape.kind === 'diagnostic' ? cause.shape.message : cause.line.text);
  const told = body
    .replace(/^E /, '')
    .replace(/^(?:npm (?:error|ERR!)|remote:|\[[^\]]{1,40}\]) /, '')
    .replace(/^(?:fatal error|fatal|error|Error|ERROR|FATAL|E)(?: TS\d+|\[\w+\])?: {0,2}/, '');
  return told.length > 240 ? `${told.slice(0, 239)}…` : told;
}

function placeNear(
  cause: LineFinding,
  lines: readonly Line[],
): { readonly file: string; readonly row: number } {
  if (cause.shape.file !== '') return { file: shorten(cause.shape.file), row: cause.shape.row };
  const order: number[] = [];
  for (let step = 0; step <= AROUND; step += 1) order.push(cause.at + step, cause.at - step);
  for (const at of order) {
    const text = lines[at]?.text;
    if (text === undefined || text.length > 600 || !/\d/.test(text) || HARNESS.test(text)) continue;
    for (const pattern of PLACES) {
      const found = pattern.exec(text)?.groups;
      if (found === undefined) continue;
      const file = found['file'] ?? '';
      if (
        file === '' ||
        LIBRARY.test(file) ||
        /^https?:|^\/\//.test(file) ||
        /\.(?:com|org|net|io|dev)$/.test(file)
      )
        continue;
      return { file: shorten(file), row: Number(found['row'] ?? 0) };
    }
  }
  return { file: '', row: 0 };
}

/** The file as the text names it: its folders tell which of several it is. */
function shorten(file: string): string {
  return file.replace(/^\.\//, '');
}

/** How long a test took, behind its name. */
const TOOK = / \(?\d[\d.]{0,20} ?m?s\)?$/;

function testNear(cause: LineFinding, lines: readonly Line[]): string {
  const order = [...Array(AROUND).keys()].map((step) => cause.at - step);
  for (const at of [...order, ...lines.keys()].slice(0, 4_000)) {
    const text = lines[at]?.text;
    if (text === undefined || text.length > 400) continue;
    for (const pattern of TESTS) {
      const test = pattern.exec(text)?.groups?.['test'];
      if (test !== undefined && !/^\d+ problems?/.test(test)) return test.replace(TOOK, '');
    }
  }
  return '';
}

const HOSTS: readonly RegExp[] = [
  /https?:\/\/(?:[^\s/@'"]{1,100}@)?(?<host>[\w.-]{1,120}(?::\d{1,5})?)/,
  /host=?['" ]+(?<host>[\w.-]{1,120})['"]?,? port=?[' "]*(?<port>\d{1,5})/,
  /at "(?<host>[\w.-]{1,120})"(?: \([\d.]+\))?, port (?<port>\d{1,5})/,
  /[Cc]onnection to (?<host>[\w.-]{1,120}:\d{1,5})/,
  inOrder(
    [
      /connect to|to host|host:?|connecting to|resolve(?: host(?: address)?)?:?|ENOTFOUND|EAI_AGAIN|lookup/,
      /address/,
    ],
    / [‘'"]?(?<host>[\w-]{1,63}(?:\.[\w-]{1,63}){0,6})[’'"]? ?(?:port (?<port>\d{1,5}))?/,
  ),
  /(?<host>\b(?:\d{1,3}\.){3}\d{1,3}:\d{1,5}|\blocalhost:\d{1,5}|(?<![\w:]):::?\d{2,5}\b|\b[\w-]{1,63}(?:\.[\w-]{1,63}){1,5}:\d{2,5}\b)/,
  /port (?<port>\d{2,5})/i,
];

/** `host`, `host:port` or `port N` that a line names; empty when it names none. */
export function hostIn(text: string): string {
  for (const pattern of HOSTS) {
    const found = pattern.exec(text)?.groups;
    if (found === undefined) continue;
    const host = found['host'] ?? '';
    const port = found['port'] ?? '';
    if (
      /\.(?:js|ts|py|rb|go|rs|java|mjs|cjs|c|php):\d+$/.test(host) ||
      /^(?:the|an?|any|this|that|server|host|port|on|in|for)$/.test(host)
    )
      continue;
    return port === '' ? host : host === '' ? `port ${port}` : `${host}:${port}`;
  }
  return '';
}

function hostNear(cause: LineFinding, lines: readonly Line[]): string {
  for (let step = 1; step <= 6; step += 1)
    for (const at of [cause.at + step, cause.at - step]) {
      const text = lines[at]?.text ?? '';
      if (/docs?\.|platform\.|visit|help/i.test(text)) continue;
      const host = hostIn(text);
      if (host !== '') return host;
    }
  return '';
}

function pathIn(text: string): string {
  return (
    /['"‘`](?<path>[^'"’`]{1,300}[./][^'"’`]{0,300})['"’`]/.exec(text)?.groups?.['path'] ??
    /(?:^|[\s:])(?<path>\.{0,2}\/[\w./@+-]{2,300}|[\w-]{1,80}\/[\w./-]{1,300}\.\w{1,6})/.exec(text)?.groups?.[
      'path'
    ] ??
    ''
  );
}
