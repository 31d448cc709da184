/** `factsOf`: what the lines around the cause name: the place in the code, the failing test, the host, the files. */
import { inLines } from '../text/in-lines.ts';
import { causeMessage } from './cause-message.ts';
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
  /** What the message is about. */
  readonly thing: string;
  readonly groups: Readonly<Record<string, string>>;
}

/** Traces are read this far around the cause. */
const AROUND = 60;
const LIBRARY = inLines('')`
  node_modules|site-packages|dist-packages|\/usr\/lib|\/usr\/local\/lib|node:|internal\/|<anonymous>|<frozen|\/rustc\/|
  \.cargo\/registry|\/go\/pkg|lib\/ruby|\/gems\/|\.rvm\/|\.pyenv|\/opt\/|_pytest|vendor\/|\.m2\/|\.gradle\/|\/library\/(?:std|core|
  alloc)\/|\bsysdeps\/|\b(?:csu|nptl)\/|libc-start|\/glibc`;
/** Frames of test runners and build tools: the place is the user's. */
const HARNESS = inLines('')`
  ^at (?:org\.junit|org\.opentest4j|junit\.|org\.testng|org\.gradle|org\.apache\.maven|org\.hamcrest)|^at (?:java\.|jdk\.|sun\.|scala\.|
  kotlin\.|node:)`;
const PLACES: readonly RegExp[] = [
  /File "(?<file>[^"]{1,300})", line (?<row>\d+)/,
  /\((?:file:\/\/)?(?<file>[^\s()]{1,300}):(?<row>\d+):\d+\)/,
  /(?:^|at |[\s❯>])(?:async )?(?:file:\/\/)?(?<file>[./\w@-]{0,300}\.[a-z]{1,5}\d{0,2}):(?<row>\d+)(?::\d+)?/,
  /-->\s(?<file>[^\s:]{1,300}):(?<row>\d+)/,
  /\((?<file>[\w$]{1,120}\.(?:java|kt|scala|groovy)):(?<row>\d+)\)/,
  /in (?<file>\/[^\s:]{1,300}\.php)(?: on line |:)(?<row>\d+)/,
  // `f.read(10)` in a quoted line looks so too: the file has a folder, or it begins the line and a colon follows.
  /(?<file>[\w.-]{0,100}[/\\][\w./\\-]{1,200}\.[a-z]{1,5})\((?<row>\d+)(?:,\d+)?\)/,
  /^(?:\d+>)?(?<file>[\w.-]{1,300}\.[a-z]{1,5})\((?<row>\d+)(?:,\d+)?\)(?= ?:)/,
  /\[(?<file>[^\s\]:]{1,300}\.[a-z]{1,5}):(?<row>\d+)\]/,
  /(?<file>[\w./-]{1,300}\.[A-Za-z]{1,5})#(?<row>\d+)\b/,
  /(?<file>[\w./@-]{1,300}\.[a-z]{1,5}): .{1,300}\((?<row>\d+):\d+\)$/,
];
/** A record of a running program tells where it was written, not what failed. */
const RECORD = /\b(?:DEBUG|INFO|TRACE)\b/;
/** `host.de:443` looks like a file and a row. */
const PORTS: ReadonlySet<number> = new Set([22, 80, 443, 8080, 8443]);
const TESTS: readonly RegExp[] = [
  /^(?:FAILED|ERROR) (?<test>[^\s]{1,300}::[^\s]{1,200})/,
  /^_{3,} (?:ERROR (?:at \w+ of |collecting ))?(?<test>.{1,200}?) _{3,}$/,
  /^(?:●|✗|✕|×|✖|✘|⨯) (?<test>(?!Console).{1,200}?)(?: \(\d+ ?ms\)| \d+ms)?$/,
  /^--- FAIL: (?<test>\S{1,200})/,
  /^(?<test>[A-Z][\w:]{1,80}#\S.{0,200}?)\.? ?\[[^\s\]]{1,300}:\d+\]:?$/,
  /^not ok \d+ (?:- )?(?<test>.{1,200})/,
  /^test (?<test>\S{1,200}) \.\.\. FAILED/,
  /^(?:FAIL|ERROR): (?<test>\w{1,200}) \(/,
  /^thread '(?<test>[^']{1,200}::[^']{1,200})'/,
  /^\d+\) (?<test>(?!(?:Failure|Error):?$)[A-Za-z].{1,200}?):?$/,
  /^FAIL (?<test>\S{1,200} > .{1,200})/,
  /^\[ FAILED \] (?<test>\S{1,200})/,
];

export function factsOf(cause: LineFinding | null, lines: readonly Line[], command = ''): CauseFacts {
  if (cause === null)
    return { message: '', file: '', row: 0, test: '', host: '', path: '', thing: '', groups: {} };
  const text = cause.line.text;
  const place = placeNear(cause, lines);
  const path = cause.groups['path'] ?? pathIn(text);
  return {
    message: causeMessage(cause, lines),
    file: place.file,
    row: place.row,
    test: testNear(cause, lines),
    host: hostIn(withoutAdvice(text)) || hostIn(addressIn(command)),
    path,
    thing: cause.groups['module'] ?? cause.groups['name'] ?? path,
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

function placeNear(
  cause: LineFinding,
  lines: readonly Line[],
): { readonly file: string; readonly row: number } {
  const { file: own, row: ownRow, message } = cause.shape;
  if (own !== '') return { file: longest(own, cause.line.text), row: ownRow };
  const heading = ownRow > 0 ? headingAbove(cause, lines) : '';
  if (heading !== '') return { file: heading.replace(/^\.\//, ''), row: ownRow };
  const order: number[] = [];
  // A trace of its own knows the line that failed; beside the name of a test stands where the test begins.
  const below = lines.slice(cause.index, cause.index + AROUND).map(({ text }) => text);
  const trace = below.indexOf('stacktrace:');
  if (trace !== -1 && !below.slice(0, trace).includes('')) order.push(cause.index + trace + 1);
  for (let step = 0; step <= AROUND; step += 1) order.push(cause.index + step, cause.index - step);
  for (const at of order) {
    const text = lines[at]?.text;
    if (text === undefined || text.length > 600 || !/\d/.test(text)) continue;
    if (HARNESS.test(text) || (at !== cause.index && RECORD.test(text))) continue;
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
      // The message knows its line better than its neighbours do.
      const row = Number(SAID_ROW.exec(message)?.groups?.['row'] ?? found['row'] ?? 0);
      if (!file.includes('/') && PORTS.has(row)) continue;
      return { file: longest(file, text), row };
    }
  }
  return { file: '', row: 0 };
}

/** A checker that tells rows alone named the file above them. */
function headingAbove(cause: LineFinding, lines: readonly Line[]): string {
  const above = lines.slice(Math.max(0, cause.index - AROUND), cause.index);
  return above.findLast(({ text }) => FILE_ALONE.test(text))?.text.replace(/:$/, '') ?? '';
}

const SAID_ROW = /\bon line (?<row>\d{1,7})\b/;
const FILE_ALONE = /^[\w@./+-]{1,300}\.\w{1,8}:?$/;

/** As the line names it, with the most folders: they tell which of several it is. */
function longest(file: string, text: string): string {
  const paths = file.startsWith('/') ? [] : (text.match(/[\w./@+-]{3,300}/g) ?? []);
  const path = paths.find((each) => each.length > file.length && each.endsWith(`/${file}`)) ?? file;
  return path.replace(/^\.\//, '');
}

/** How long a test took, behind its name. */
const TOOK = / \(?\d[\d.]{0,20} ?m?s\)?$/;

function testNear(cause: LineFinding, lines: readonly Line[]): string {
  const order = [...Array(AROUND).keys()].map((step) => cause.index - step);
  for (const at of [...order, ...lines.keys()].slice(0, 4_000)) {
    const text = lines[at]?.text;
    if (text === undefined || text.length > 400) continue;
    for (const pattern of TESTS) {
      const test = pattern.exec(text)?.groups?.['test'];
      if (test !== undefined && !/^\d+ problems?/.test(test))
        return test.replace(TOOK, '').replace(/, expected .*$/, '');
    }
  }
  return '';
}

const HOSTS: readonly RegExp[] = [
  /https?:\/\/(?:[^\s/@'"]{1,100}@)?(?<host>[\w.-]{1,120}(?::\d{1,5})?)/,
  /host=?['" ]+(?<host>[\w.-]{1,120})['"]?,? port=?[' "]*(?<port>\d{1,5})/,
  /at "(?<host>[\w.-]{1,120})"(?: \([\d.]+\))?, port (?<port>\d{1,5})/,
  /[Cc]onnection to (?<host>[\w.-]{1,120}:\d{1,5})/,
  /(?:server|host|broker) (?:on|at) ['"](?<host>[\w.-]{1,120})['"]/,
  inLines('')`
  (?:connect to|to host|host:?|connecting to|resolve(?: host(?: address)?)?:?|ENOTFOUND|EAI_AGAIN|lookup|
  address) [‘'"]?(?<host>[\w-]{1,63}(?:\.[\w-]{1,63}){0,6})[’'"]? ?(?:port (?<port>\d{1,5}))?`,
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
      /^(?:the|an?|any|this|that|server|host|port|on|in|for|is|was|not|already)$/.test(host)
    )
      continue;
    return port === '' ? host : host === '' ? `port ${port}` : `${host}:${port}`;
  }
  return '';
}

function pathIn(text: string): string {
  return (
    /['"‘`](?<path>[^'"’`]{1,300}[./][^'"’`]{0,300})['"’`]/.exec(text)?.groups?.['path'] ??
    /(?:^|[\s:])(?<path>\.{0,2}\/(?!\/)[\w./@+-]{2,300}|[\w-]{1,80}\/[\w./-]{1,300}\.\w{1,6})/.exec(text)
      ?.groups?.['path'] ??
    ''
  );
}
