/** `stripPrefixes`: removes what stands before a message: time stamps, levels, tags, the marks of runners and package managers. */
import { inLines } from '../../text/in-lines.ts';

export type LogLevel = 'fatal' | 'error' | 'warning' | 'info' | 'none';

const STAMP = inLines('')`
  ^\[?\d{4}[-/]\d\d[-/]\d\d[T _]?(?:\d\d:\d\d:\d\d(?:[.,]\d{1,9})?(?: ?(?:Z|UTC|[+-]\d\d:?\d\d))?)?\]?:? ?|
  ^\[?\d\d:\d\d:\d\d(?:[.,]\d{1,9})?\]? ?|^(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec) {1,2}\d{1,2} \d\d:\d\d:\d\d \S{1,60} `;
const LEVEL = inLines('')`
  ^[[(<]?(?<level>TRACE|DEBUG|INFO|NOTICE|WARN(?:ING)?|ERROR|ERR|FATAL|CRITICAL|CRIT|SEVERE|PANIC|EMERG|ALERT|trace|debug|info|notice|
  warn(?:ing)?|error|fatal|critical|err|Warning|Error|Info|Fatal|Note|note|hint|W|E|I|D|F)[\])>]?(?<end>[:\s\]|-]|$)`;
const TAG = /^\[[\w .:/@#-]{1,60}\]:? /;
const PREFIXES: readonly RegExp[] = [
  /^==\d{1,9}== {0,3}/,
  /^%(?=(?:Error|Warning|Info)\b)/,
  /^E {1,}(?=\S)/,
  /^(?:npm|pnpm|yarn|lerna) (?:error|ERR!) ?/,
  /^npm (?:warn|WARN|notice) ?/,
  /^YN\d{4}: ?/,
  /^\[cause\]: /,
  /^Caused by: /,
  /^(?:error: )?Uncaught (?:\(in promise\) )?/,
  /^Unhandled (?:exception|rejection|Rejection|promise rejection|error)[^:]{0,60}: /,
  /^Exception in thread "[^"]{0,100}" /,
  /^Exception (?:during run|in \w+ \w+): /,
  /^(?:remote|stderr|stdout|err|out): ['"]?/,
  /^<ref \*\d{1,6}> /,
  /^(?:[✖✗×✘⨯❌⎿●▲■│┃|*•→➜›»>!#-]|=>|->) {0,3}(?=\S)/,
  /^(?:PHP )(?=(?:Fatal|Parse|Warning|Notice))/,
  /^(?:thrown|Thrown|raised|reason|cause|Reason|Cause|Details?|Message|message|Error message): "?(?=\w)/,
  /^Sorry: /,
  /^\[!\] ?(?:\([^)]{1,60}\) )?/,
  /^= (?:note|help): /,
  /^\p{Extended_Pictographic}\uFE0F? {1,3}(?=error\b)/u,
  /^\d+\) (?=\w)/,
];

function levelOf(word: string): LogLevel {
  if (/^(?:fatal|critical|crit|severe|panic|emerg|alert|f)$/i.test(word)) return 'fatal';
  if (/^(?:error|err|e)$/i.test(word)) return 'error';
  return /^(?:warn|warning|w)$/i.test(word) ? 'warning' : 'info';
}

export interface Stripped {
  readonly body: string;
  readonly level: LogLevel;
  readonly stamped: boolean;
  readonly tagged: boolean;
  readonly pytest: boolean;
  readonly mark: boolean;
}

/** At most six prefixes: real lines have three. */
const PREFIX_ROUNDS = 6;

export function stripPrefixes(text: string): Stripped {
  let body = text;
  let level: LogLevel = 'none';
  let stamped = false;
  let tagged = false;
  const pytest = /^E +\S/.test(text);
  const mark = /^(?:not ok|[✗✕×⨯☒●] )/.test(text);
  if (/^(?:npm|pnpm) (?:error|ERR!)/.test(text)) level = 'error';
  if (/^npm (?:warn|WARN|notice)|^warning /.test(text)) level = 'warning';
  const logfmt = /(?:^|\s)level=(?<level>\w+).{0,200}?msg="(?<msg>.{0,1500})/.exec(text);
  if (logfmt?.groups !== undefined) {
    const { msg = '', level: said = '' } = logfmt.groups;
    // The message says what was tried, the field beside it what went wrong.
    const error = /\berr(?:or)?="(?<error>(?:[^"\\]|\\.){1,600})"/.exec(text)?.groups?.['error'];
    return {
      body: error === undefined ? msg : `${msg.replace(/"\s.*$/, '')}: ${error}`,
      level: levelOf(said),
      stamped: true,
      tagged,
      pytest,
      mark,
    };
  }
  for (let round = 0; round < PREFIX_ROUNDS; round += 1) {
    const before = body;
    const stamp = STAMP.exec(body);
    if (stamp !== null && stamp[0].length > 4) {
      stamped = true;
      body = body.slice(stamp[0].length).trimStart();
    }
    const tag = TAG.exec(body);
    if (tag !== null && !/^\[(?:E?RROR|error|Errno|SSL|cause)/i.test(body)) {
      const inner = /^\[(\w+)\]/.exec(body)?.[1] ?? '';
      if (/^(?:warn|warning|debug|info|notice|trace|error|fatal|crit|critical|emerg|alert)$/i.test(inner))
        level = levelOf(inner);
      else tagged = true;
      body = body.slice(tag[0].length);
    }
    for (const prefix of PREFIXES) {
      const found = prefix.exec(body);
      if (found !== null && found[0].length < body.length) {
        body = body.slice(found[0].length);
        break;
      }
    }
    const levelled = LEVEL.exec(body);
    if (levelled?.groups !== undefined && level === 'none') {
      const word = levelled.groups['level'] ?? '';
      const bracketed = /^[[(<]/.test(body);
      const mild = /^(?:trace|debug|info|notice|warn|note|hint)/i.test(word);
      if ((stamped || bracketed || mild || tagged) && (word.length > 1 || stamped)) {
        level = levelOf(word);
        body = body.slice(levelled[0].length).trimStart();
      }
    }
    if (body === before) break;
  }
  return { body, level, stamped, tagged, pytest, mark };
}
