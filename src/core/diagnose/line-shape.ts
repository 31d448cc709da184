/**
 * What kind of line it is, before anybody asks what it means. `authority` says how surely a line of this shape states
 * that something failed: an exception header does, a log record with level INFO does not, whatever words it holds.
 */
import type { Line } from './read-lines.ts';

export type ShapeKind =
  | 'blank'
  | 'frame'
  | 'source'
  | 'pass'
  | 'note'
  | 'wrapper'
  | 'test-mark'
  | 'log'
  | 'json'
  | 'diagnostic'
  | 'exception'
  | 'statement'
  | 'text';

export type Level = 'fatal' | 'error' | 'warning' | 'info' | 'none';

export interface Shape {
  readonly kind: ShapeKind;
  readonly authority: number;
  readonly level: Level;
  /** The line without prefixes such as `E   `, `npm error`, a time stamp or a level. */
  readonly body: string;
  /** What a recogniser may read: the message, without file names and test names. */
  readonly message: string;
  /** Of an exception. */
  readonly name: string;
  readonly file: string;
  readonly row: number;
  /** The program says itself that it goes on. */
  readonly tempered: boolean;
}

const FRAME =
  /^(?:at (?:async |new |Object\.|<?[\w.$/<>[\] -]{1,200} ?\(?(?:file:|node:|\/|[A-Z]:|[\w@./-]{1,200}:\d)|[\w.$/<>]{1,200}\(|<anonymous>|async |internal)|File "[^"]{1,300}", line \d+|from [^ ]{1,300}:\d+:in |\d+: (?:0x|std::|core::|rust_|__)|#\d+ |-->|❯ \S{1,200}:\d+(?::\d+)?$|\.\.\. \d+ more|goroutine \d|Require stack|- \/\S{1,300}\.\w{1,4}$|[\w./@-]{1,200}\.go:\d+ \+0x|\[0x|Stack trace:|stack backtrace:|Traceback \(most|note: run with|Node\.js v\d|[\w/.-]{1,200}\.(?:py|rb|js|ts|mjs|cjs|php|ex|exs):\d+: in |created by |\[C\]: in|stack traceback:|Backtrace|\S{1,200}:\d+: in (?:main chunk|function|local|upvalue|method|field)|\(\w+ [\d.]+\) \S+\.ex|\S{1,200}\.exs?:\d+: [(\w]|by 0x|\d+: \(\(?[A-Z("])/;
const SOURCE =
  /^(?:>? ?\d+ ?[|│┃]|[|│┃╵╷·](?: ?$| ?[\^~|=+-])|[\^~]+[\^~ -]*(?:$|[^\w]*$)|\^+|╰|╭|┌|└|> (?!Task|Could|A problem|There|Build|Failed|Process|Plugin|Compilation|Cannot|No |Error|Execution)\S|\+ (?!FAIL)\w+ |\$ |@@ |diff --git|index [0-9a-f]{7,}|---? a?\/|\+\+\+ )/;
const PASS =
  /^(?:[✓✔√☑✅] ?|ok \d+|ok\b|OK\b(?! to)|PASS(?:ED)?\b|\[ ?(?:PASS(?:ED)?|OK|ok)\b ?\]|--- PASS|passed\b)|(?:\.\.\. ok|\bPASSED(?: \[ *\d+%\])?| \.\.\. PASS| \bok| - ok)$/;
const WRAPPER =
  /^(?:(?:npm (?:error|ERR!)|ERROR|error|Error:?|ERR!) ?(?:code (?:ELIFECYCLE|\d+)$|errno|path |command |signal$|workspace |location |Lifecycle script|Command failed(?: with exit code)?|A complete log|Test failed\.|Failed at the)|npm (?:error|ERR!)$|make(?:\[\d+\])?: \*\*\* .{0,300}(?:Error \d+|Aborted|Segmentation)|ELIFECYCLE|error: (?:script|command|process|Recipe|task)\b.{0,100}(?:exited|failed|exit)|(?:ninja|gmake): build stopped|(?:Process|Command|Script|Job|Task|Step|The command|The process|Program)\b.{0,160}(?:exit(?:ed)?|failed|returned|completed)\b.{0,30}(?:code|status|non-zero)|exit (?:status|code):? \d+|##\[error\]|error: test failed, to rerun|error: aborting due to|error: could not compile|collect2: error: ld returned|subprocess\.CalledProcessError|child process exited|Found [1-9]\d* errors? (?:in|\.)|\d+ errors?(?: generated)?\.?$|error Command failed|info Visit|FAILURE: Build failed with an exception|BUILD FAILED|BUILD FAILURE|Build FAILED|Compilation failed|compilation terminated|To rerun|rerun|\[ERROR\] (?:->|To see|Re-run|For more|After correcting)|ERROR: (?:Job|Command) (?:failed|errored)|Exited with|.{0,40}\bexited (?:with|abnormally)|FAILURES!$|ERRORS!$|.{0,60}failed with exit code|\[?ERROR\]? Failed to execute goal|Error: Process completed)/i;
const COMPILATION = /^\[ERROR\] COMPILATION ERROR/;
const ZERO =
  /(?:^|[^\d.,])0 (?:failed|failures?|errors?|problems?|failing|issues?|offenses?|vulnerabilities|warnings?|conflicts?|broken|timed out|violations?|fatal|denied|rejected|lost)\b|\b(?:failed|failures?|errors?|fail|errored|problems)\b["']?[:=] ?0\b(?!\.)|\bno (?:errors?|failures?|problems?|issues?|conflicts?|violations?|warnings?)\b(?! handler)|without (?:any )?(?:errors?|problems?|failures?)|not? (?:an )?error\b|error-?free/i;
const COUNTED =
  /\b[1-9]\d* (?:failed|failures?|errors?|failing|errored|problems?)\b(?![/.\w])|\b(?:failed|failures|errors?|fail)\b[:=] ?[1-9]/i;
const SUMMARY =
  /^(?:Tests?|Test Suites|Test Files|Suites|Snapshots|Assertions|Ran|Failed|Totals?|Result|Results|Summary|# (?:fail|pass|tests)|=+ )\b|^\d+ (?:tests?|passing|failing|passed|failed|examples?|specs?|scenarios?|steps?|failures?|errors?)\b|\d+ passed|\b(?:passed|total|skipped|ignored)\b/i;
const TEST_MARK =
  /^(?:not ok\b|[✗✕×✖✘⨯☒❌] (?!\d+ problems?)|●(?! Console)|FAIL(?:ED|URE)?\b(?!:? ?$)|--- FAIL|\d+\) (?!\d)|\[ ?(?:FAIL(?:ED)?|FAILED)\b ?\]|ERROR (?:at (?:setup|teardown)|collecting)|_{4,} |={4,} |(?:FAIL|ERROR): \w+ \(|test .{1,200} \.\.\. (?:FAILED|failed)|-{2,} .{1,200} stdout -{2,}|\d+\. .{1,160}FAILED|\[FAILED\]|(?:# {0,3})?Failed test\b|Failure -> |Failed example:|XCTFail|\* test )|(?:\.\.\. (?:FAIL(?:ED)?|ERROR)|\b(?:FAILED|ERROR)(?: +\[ *\d+%\])?| <<< (?:FAILURE|ERROR)!?)$|\*\*\*(?:Failed|Exception|Timeout|Not Run)\b/;
const TEMPER =
  /\b(?:retrying|will retry|(?:^|\s)retry \d|re-?trying|handled|ignored|ignoring|recovered|\(expected\)|as expected|falling back|fallback|non-fatal|continuing|skipping|skipped|trying again|try(?:ing)? (?:next|another)|not fatal|caught (?:and|error)|suppressed|swallowed|tolerated|simulated|best effort|backing off|attempt \d+(?:\/\d+)? (?:failed|of)|attempt \d+\/\d+|previous attempt)\b|\.\.\. ok\b|retry \d+\/\d+/i;

const STAMP =
  /^(?:\[?\d{4}[-/]\d\d[-/]\d\d[T _]?(?:\d\d:\d\d:\d\d(?:[.,]\d{1,9})?(?: ?(?:Z|UTC|[+-]\d\d:?\d\d))?)?\]?:? ?|\[?\d\d:\d\d:\d\d(?:[.,]\d{1,9})?\]? ?|(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec) {1,2}\d{1,2} \d\d:\d\d:\d\d \S{1,60} )/;
const LEVEL =
  /^[[(<]?(?<level>TRACE|DEBUG|INFO|NOTICE|WARN(?:ING)?|ERROR|ERR|FATAL|CRITICAL|CRIT|SEVERE|PANIC|EMERG|ALERT|trace|debug|info|notice|warn(?:ing)?|error|fatal|critical|err|Warning|Error|Info|Fatal|Note|note|hint|W|E|I|D|F)[\])>]?(?<end>[:\s\]|-]|$)/;
const TAG = /^\[[\w .:/@#-]{1,60}\]:? /;
const PREFIXES: readonly RegExp[] = [
  /^==\d{1,9}== {0,3}/,
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
  /^(?:remote|stderr|stdout|err|out): /,
  /^(?:[✖✗×✘⨯❌⎿●▲■│┃|*•→➜›»>!#-]|=>|->) {0,3}(?=\S)/,
  /^(?:PHP )(?=(?:Fatal|Parse|Warning|Notice))/,
  /^(?:thrown|Thrown|raised|reason|cause|Reason|Cause|Details?|Message|message|Error message): "?(?=\w)/,
  /^Sorry: /,
  /^\[!\] ?(?:\([^)]{1,60}\) )?/,
  /^= (?:note|help): /,
  /^\d+\) (?=\w)/,
];

const EXCEPTION =
  /^(?<name>(?:[A-Za-z_$][\w$]{0,80}(?:\.|::|\\|\/)){0,12}(?:Error|Exception|[A-Za-z_$][\w$]{0,80}?(?:Error|Exception|Failure|Fault|Timeout|Interrupt|Refused|NotFound|Denied|Exhausted|Expired|Violation|Panic|Exit|Disconnected|Exceeded|Limit|Warning|Impossible|NotCapable|Overloaded)))(?: \[[\w-]{1,60}\])?(?<tail>:(?: |$)|$| \(|,? (?:with|at) )/;
const NAMED_EXCEPTION =
  /^(?<name>(?:java|javax|kotlin|scala|org|com|net|io|System|Microsoft|builtins|akka|sun|jakarta)\.[\w.$]{3,160})(?::(?: |$)|$)|^(?<tuple>\*\* \([\w.]{1,80}\)) |^(?<panic>panic: |thread '[^']{0,160}'(?: \(\d+\))? panicked at|fatal error: all goroutines|terminate called|\*\*\* (?:stack smashing|buffer overflow)|Segmentation fault|Aborted|Illegal instruction|Bus error|Floating point exception|Killed|KeyboardInterrupt|StopIteration|Traceback|FATAL ERROR: )/;
const RUBY =
  /^(?<file>[^\s:]{1,300}):(?<row>\d+):in [`'][^`']{0,200}': (?<msg>.{0,1500}?) ?\((?<name>[A-Z][\w:]{1,100})\)$/;
const DIAGNOSTIC =
  /^(?:ERROR in |error: |\[ERROR\] |Error: )?(?<file>(?:[A-Za-z]:)?[^\s:()"'<>|]{0,300}?(?:\.[\w+]{1,12}|Makefile|Dockerfile|\/[\w-]{1,60}|-))(?::|\(|:\[)(?<row>\d+)(?:[:,.-](?<col>\d+))?(?:[-:]\d+(?:[:.]\d+)?)?[)\]]?(?:: | - | )(?:\[?(?<sev>fatal error|error|Error|ERROR|warning|Warning|WARNING|note|info|style|convention|refactor|remark|hint|[A-Z]{1,5}\d{2,5}|[CWEFRD]: ?)\]?\b)?/;
const STATEMENT =
  /^(?:(?<prog>[\w./+@-]{1,80}|CMake|cc1(?:plus)?|psql|\/\S{1,200}): ){0,2}(?:\[?(?<sev>fatal error|Fatal error|FATAL ERROR|fatal|FATAL|error|Error|ERROR|E|PANIC|ERR|abort|CRITICAL|emerg|Parse error|panic|Failure|FAILURE|failed|ERRO|FTL|Fatal|ABORT)\]?(?:\[[\w:/-]{1,60}\]| [A-Z]{1,5}\d{2,5}| \[[\w-]{1,60}\]| in \S{1,200}| \d{3,5} \(\w{1,8}\)| response from daemon| at \S{1,200}:\d+ \([\w-]{1,60}\)| while [\w ]{1,60}| during [\w ]{1,40}| running [\w ]{1,40}| \([\w. -]{1,60}\))?(?:: ?| - | (?=[A-Z`'"])))/;
const STRERROR =
  /^(?:[\w./+@-]{1,80}|-?bash|\/\S{1,200}): .{0,600}(?:No such file or directory|Permission denied|Is a directory|Not a directory|No space left on device|Read-only file system|Operation not permitted|command not found|: not found|Connection refused|Connection timed out|Connection reset by peer|No route to host|Network is unreachable|File exists|Directory not empty|Too many open files|Cannot allocate memory|Text file busy|Device or resource busy|Argument list too long|Input\/output error|cannot execute|Exec format error|Disk quota exceeded|File too large|Broken pipe|Name or service not known|Temporary failure in name resolution|Resource temporarily unavailable|unbound variable|syntax error|Invalid argument|Host key verification failed|No such command|invalid option|unrecognized option|cannot \w+|can't \w+|failed|refused|not found|unable to|Could not|timed out|Killed|Terminated|required file not found)/i;
const TOOL_NUMBER =
  /^(?:curl: \((?!22\))\d+\)|ERROR \d{3,5}(?: \(\w+\))?|\(error\)|[✘✖] \[ERROR\]|Error response from daemon|Sorry,|(?:fatal|error): |E: |MSBUILD : error|CMake Error|ORA-\d{5}|SQL(?:STATE|ERROR)|rpc error: |WRONGTYPE|NOAUTH|WRONGPASS|NOPERM|OOM command|API Error|Module (?:not found|build failed|parse failed)|Cannot |Could not |Can't |Couldn't |Unable to |Failed to |failed to |No such |Unknown |Invalid |Missing |Unexpected |There is no |You must |ERR_\w+|E[A-Z]{4,12}: )/;
const JSON_ERROR =
  /^[{["].{0,400}?["'](?:error|errors|message|detail|error_description|code|fault|reason|title|status)["'] ?: ?/;
const OWN_PROSE = /^(?:usage|Usage|USAGE|options|Options|or):? /;

const BASE: Readonly<Record<Level, number>> = { fatal: 0.75, error: 0.6, warning: 0.15, info: 0.05, none: 0 };

function levelOf(word: string): Level {
  switch (word.toLowerCase()) {
    case 'fatal':
    case 'critical':
    case 'crit':
    case 'severe':
    case 'panic':
    case 'emerg':
    case 'alert':
    case 'f':
      return 'fatal';
    case 'error':
    case 'err':
    case 'e':
      return 'error';
    case 'warn':
    case 'warning':
    case 'w':
      return 'warning';
    default:
      return 'info';
  }
}

export function shapeOf(line: Line): Shape {
  const text = line.text;
  const make = (kind: ShapeKind, authority: number, more: Partial<Shape> = {}): Shape => {
    const tempered = more.tempered ?? TEMPER.test(text);
    return {
      kind,
      authority,
      level: 'none',
      body: text,
      message: text,
      name: '',
      file: '',
      row: 0,
      tempered,
      ...more,
    };
  };
  if (text === '') return make('blank', 0);
  if (FRAME.test(text)) return make('frame', 0);
  if (PASS.test(text)) return make('pass', 0);
  if (SOURCE.test(text) && !/^[|│] (?:Error|error)/.test(text)) return make('source', 0);
  if (ZERO.test(text) && !COUNTED.test(text)) return make('note', 0);
  if (OWN_PROSE.test(text)) return make('note', 0);
  const told = /^E\s{3,}\S/.test(line.raw) ? text.slice(2) : '';
  if (told !== '' && (FRAME.test(told) || SOURCE.test(told))) return make('source', 0);
  if (told !== '' && !EXCEPTION.test(told))
    return make('exception', /^assert\b/.test(told) ? 0.88 : 0.62, {
      level: 'error',
      body: told,
      message: told,
    });
  if (/^[✖✗×] \d+ problems? \(/.test(text)) return make('wrapper', 0.4);
  if (COMPILATION.test(text)) return make('wrapper', 0.3);
  if (WRAPPER.test(text) || (COUNTED.test(text) && SUMMARY.test(text)))
    return text.endsWith('(ignored)') ? make('note', 0) : make('wrapper', 0.3);
  if (
    /^={3,} .{1,60} ={3,}$|^-{3,}$|^={3,}$|^[\w./-]{1,100}:$/.test(text) &&
    !/^(?:Error|ERROR|FATAL|Exception|\w{3,80}(?:Error|Exception)):$/.test(text)
  )
    return make('note', 0);

  const tuple = /^\*\* \((?<name>[\w.]{1,80})\) /.exec(text)?.groups?.['name'];
  if (tuple !== undefined) return make('exception', 0.92, { level: 'error', name: tuple });
  if (text.startsWith('Failure/Error: ')) return make('source', 0);
  const located = /^[\w./+-]{1,60}: (?<file>[^\s:]{1,200}\.\w{1,6}):(?<row>\d{1,7}): (?<msg>.{1,1500})$/.exec(
    text,
  )?.groups;
  if (located !== undefined)
    return make('statement', 0.85, {
      level: 'error',
      file: located['file'] ?? '',
      row: Number(located['row']),
      message: located['msg'] ?? '',
    });
  const stripped = strip(text);
  const { body, level, stamped } = stripped;
  const isLog = stamped || stripped.tagged;

  const ruby = RUBY.exec(body);
  if (ruby?.groups !== undefined) {
    const { file = '', row = '0', msg = '', name = '' } = ruby.groups;
    return make('exception', 0.92, {
      body,
      level: 'error',
      name,
      file,
      row: Number(row),
      message: `${msg} (${name})`,
    });
  }
  const thrown = EXCEPTION.exec(body) ?? NAMED_EXCEPTION.exec(body);
  if (thrown !== null && !(thrown.groups?.['name'] ?? '').endsWith('Warning')) {
    const name = thrown.groups?.['name'] ?? thrown.groups?.['panic'] ?? '';
    // A bare "Error:" behind a tag or a clock is a log line that speaks of an error; a named class is one that was thrown.
    const authority = isLog && /^(?:\w{0,3}Error)$/.test(name) ? 0.6 : stripped.pytest || !isLog ? 0.9 : 0.72;
    return make('exception', authority, { body, level: 'error', name, message: body });
  }
  const die = /^(?<msg>.{1,1500}) at (?<file>[\w./-]{1,200}) line (?<row>\d+)(?:, near .{1,200})?\.?$/.exec(
    body,
  );
  if (die?.groups !== undefined) {
    const { msg = '', file = '', row = '0' } = die.groups;
    return make('exception', 0.85, { body, level: 'error', message: msg, file, row: Number(row) });
  }
  const bare = /^(?<row>\d+):\d+ (?:- )?(?<sev>error|warning|info)\b:? /.exec(text);
  if (bare?.groups !== undefined) {
    const mild = bare.groups['sev'] !== 'error';
    return make('diagnostic', mild ? 0.22 : 0.86, {
      body,
      level: mild ? 'warning' : 'error',
      row: Number(bare.groups['row']),
      message: text.slice(bare[0].length),
    });
  }
  const diagnostic = DIAGNOSTIC.exec(body);
  if (diagnostic?.groups !== undefined && /[./]|file$|^-$/.test(diagnostic.groups['file'] ?? '')) {
    const { file = '', row = '0', sev = '' } = diagnostic.groups;
    const message = body.slice(diagnostic[0].length - sev.length);
    if (
      sev !== '' ||
      diagnostic.groups['col'] !== undefined ||
      /^[:(]?\d+\)?: /.test(body.slice(file.length))
    ) {
      const mild = /^(?:warning|note|info|style|convention|refactor|remark|hint|[WCRD])/i.test(sev);
      const strong = /error|^E|^F/i.test(sev) || message.startsWith('*** ') || level === 'error';
      const authority = mild ? 0.22 : strong ? 0.86 : 0.45;
      return make('diagnostic', authority, {
        body,
        level: mild ? 'warning' : 'error',
        file,
        row: Number(row),
        message,
      });
    }
  }
  if (level === 'warning' || level === 'info')
    return make('log', BASE[level], { body, level, message: body });
  if (stripped.mark || TEST_MARK.test(text)) {
    const dash = body.indexOf(' - ');
    const plain = /^(?:Timed out|Timeout\b|No tests|Couldn't find|Uncaught|Unhandled|Rejected|Error: )/.test(
      body,
    );
    const message = plain ? body : dash > 0 && /^(?:FAILED|ERROR) /.test(text) ? body.slice(dash + 3) : '';
    return make('test-mark', 0.7, { body, level: 'error', message });
  }
  if (isLog && level !== 'none') return make('log', BASE[level], { body, level, message: body });
  if (text.startsWith('curl: (22)')) return make('statement', 0.45, { body, level: 'error', message: body });
  if (/^! \[(?:remote )?rejected\]/.test(text)) return make('statement', 0.87, { level: 'error' });
  if (STATEMENT.test(body) || STRERROR.test(body) || level === 'error' || level === 'fatal')
    return make('statement', isLog ? 0.66 : 0.85, { body, level: 'error', message: body });
  if (
    /^(?:Error in .{0,300} ?: |Unhandled [A-Z][\w-]{2,80}|[\w.-]{1,40}: E\d{3,7}: |ERROR! |[\w./-]{1,60}: \[(?:emerg|error|crit|alert|fatal)\] |>> Issue: )/.test(
      body,
    )
  )
    return make('statement', 0.85, { body, level: 'error', message: body });
  if (TOOL_NUMBER.test(body))
    return make('statement', isLog ? 0.6 : 0.72, { body, level: 'error', message: body });
  if (JSON_ERROR.test(body)) return make('json', 0.6, { body, message: body });
  // `prog: message` is how programs complain, and how they greet: it counts only when nothing better does.
  if (!isLog && /^[\w./+@-]{1,60}: (?!\d)\S/.test(body) && !/^https?:/.test(body))
    return make('text', 0.3, { body, message: body });
  return make('text', 0, { body, message: body });
}

interface Stripped {
  readonly body: string;
  readonly level: Level;
  readonly stamped: boolean;
  readonly tagged: boolean;
  readonly pytest: boolean;
  readonly mark: boolean;
}

/** At most six prefixes: real lines have three. */
const PREFIX_ROUNDS = 6;

function strip(text: string): Stripped {
  let body = text;
  let level: Level = 'none';
  let stamped = false;
  let tagged = false;
  const pytest = /^E +\S/.test(text);
  const mark = /^(?:not ok|[✗✕×⨯☒●] )/.test(text);
  if (/^(?:npm|pnpm) (?:error|ERR!)/.test(text)) level = 'error';
  if (/^npm (?:warn|WARN|notice)|^warning /.test(text)) level = 'warning';
  const logfmt = /(?:^|\s)level=(?<level>\w+).{0,200}?msg="(?<msg>.{0,1500})/.exec(text);
  if (logfmt?.groups !== undefined)
    return {
      body: logfmt.groups['msg'] ?? '',
      level: levelOf(logfmt.groups['level'] ?? ''),
      stamped: true,
      tagged,
      pytest,
      mark,
    };
  const klog = /^(?<letter>[IWEF])\d{4} \d\d:\d\d:\d\d\.\d{1,9} \d{1,9} [\w.]{1,60}:\d{1,6}\] /.exec(text);
  if (klog?.groups !== undefined)
    return {
      body: text.slice(klog[0].length),
      level: levelOf(klog.groups['letter'] ?? ''),
      stamped: true,
      tagged,
      pytest,
      mark,
    };
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
      if (stamped || bracketed || mild || tagged) {
        if (word.length > 1 || stamped) {
          level = levelOf(word);
          body = body.slice(levelled[0].length).trimStart();
        }
      }
    }
    if (body === before) break;
  }
  return { body, level, stamped, tagged, pytest, mark };
}
