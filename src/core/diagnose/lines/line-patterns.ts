/** `FRAME`, `SOURCE` and the other patterns of line kinds. All are anchored or bounded: they run on one cleaned line in linear time. */
import { inLines } from '../../text/in-lines.ts';
import { inOrder } from '../../text/in-order.ts';
import { oneOf } from '../../text/one-of.ts';

export const FRAME = inLines('')`
  ^at (?:async |new |Object\.|<[A-Z]\w{1,40}>$|ext:|<?[\w.$/<>[\] -]{1,200} ?\(?(?:file:|node:|ext:|\/|[A-Z]:|[\w@./-]{1,200}:\d)|
  [\w.$/<>]{1,200}\(|<anonymous>|async |internal)|^(?:File "[^"]{1,300}", line \d+|from [^ ]{1,300}:\d+:in |\d+: (?:0x|std::|core::|
  rust_|__)|#\d+ |-->)|^(?:❯ \S{1,200}:\d+(?::\d+)?$|\.\.\. \d+ more|goroutine \d|Require stack|- \/\S{1,300}\.\w{1,4}$)|
  ^(?:[\w./@-]{1,200}\.go:\d+ \+0x|\[0x|Stack trace:|stack backtrace:|Traceback \(most|note: run with|Node\.js v\d)|
  ^(?:[\w/.-]{1,200}\.(?:py|rb|js|ts|mjs|cjs|php|ex|exs):\d+: in |created by |\[C\]: in|stack traceback:|Backtrace)|
  ^(?:\S{1,200}:\d+: in (?:main chunk|function|local|upvalue|method|field)|\(\w+ [\d.]+\) \S+\.ex)|^(?:\S{1,200}\.exs?:\d+: [(\w]|by 0x|
  \d+: \(\(?[A-Z("])`;
export const SOURCE = oneOf(
  /^(?:>? ?\d+ ?[|│┃]|[|│┃╵╷·](?: ?$| ?[\^~|=+-])|[\^~]+[\^~ -]*(?:$|[^\w]*$)|\^+|╰|╭|┌|└)/,
  /^> (?!Task|Could|A problem|There|Build|Failed|Process|Plugin|Compilation|Cannot|No |Error|Execution)\S/,
  // A program that is called by its path with options is echoed, whatever words its arguments hold.
  /^\/(?:usr|opt|bin|sbin|home|root|nix)\/[^\s:]{1,200} -{1,2}\w/,
  /^(?:\+ (?!FAIL)\w+ |\$ |@@ |diff --git|index [0-9a-f]{7,}|---? a?\/|\+\+\+ )/,
);
export const PASS = inLines('')`
  ^(?:[✓✔√☑✅] ?|ok \d+|ok\b|OK\b(?! to)|PASS(?:ED)?\b|\[ ?(?:PASS(?:ED)?|OK|ok)\b ?\]|--- PASS|passed\b)|^\[[+✓✔]\] \S|(?:\.\.\. ok|
  \bPASSED(?: \[ *\d+%\])?| \.\.\. PASS| \bok| - ok)$`;
export const WRAPPER = inLines('i')`
  ^(?:npm (?:error|ERR!)|ERROR|error|Error:?|ERR!) ?(?:code (?:ELIFECYCLE|\d+)$|errno|path |command |signal$|workspace |location |
  Lifecycle script|Command failed(?: with exit code)?|A complete log|Test failed\.|Failed at the)|^(?:npm (?:error|ERR!)$|
  make(?:\[\d+\])?: \*\*\* .{0,300}(?:Error \d+|Aborted|Segmentation|Interrupt|Terminated|Hangup)|ELIFECYCLE)|^(?:error: (?:script|
  command|process|Recipe|task)\b.{0,100}(?:exited|failed|exit)|(?:ninja|gmake): build stopped)|^(?:Process|Command|Script|Job|Task|Step|
  The command|The process|Program)\b.{0,160}(?:exit(?:ed)?|failed|returned|completed)\b.{0,30}(?:code|status|non-zero)|^exit (?:status|
  code):? \d+|^(?:\S{1,40}: )?(?:exiting|aborting|stopping|quitting|giving up)\b.{0,40} (?:due to|because of|
  after) (?:\d+ )?(?:previous )?errors?\b|^(?:##\[error\]|error: test failed, to rerun|error: aborting due to|error: could not compile)|
  ^(?:collect2(?:\.exe)?: error: ld returned|subprocess\.CalledProcessError|child process exited)|
  ^(?:(?:.{0,40}\b)?found [1-9]\d* (?:errors?|problems?|issues?)\b|\[warn\] Code style issues|Type checking failed)|
  ^(?:error: Type checking failed|ERROR SUMMARY: [1-9]|==\d{1,9}== ERROR SUMMARY: [1-9]|\d+ errors?(?: generated)?\.?$)|
  ^(?:error Command failed|info Visit|FAILURE: Build failed with an exception|BUILD FAILED|BUILD FAILURE|Build FAILED)|
  ^(?:Compilation failed|compilation terminated|To rerun|rerun|\[ERROR\] (?:->|To see|Re-run|For more|After correcting|\[Help \d))|
  ^(?:ERROR: (?:Job|Command) (?:failed|errored)|Exited with|(?:Error: )?(?:\w{1,20} ){1,2}tests? failed[.!]?$)|
  ^(?:.{0,40}\bexited (?:with(?! (?:exit )?(?:code|status) 0\b)|abnormally)|(?:[✗✖×✘] )?Build failed (?:in|with) \d)|^(?:FAILURES!$|
  ERRORS!$|.{0,60}failed with exit code|(?:\S{1,3} )?\w{1,30} failed with \d+ errors?\b)|^npm (?:ERR!|
  error) (?:\S{1,140}@\S{1,40} [\w:.-]{1,80}: \x60|Exit status \d|This is probably not a problem with npm)|^npm (?:ERR!|
  error) \S{1,300}-debug(?:-\d)?\.log|^(?:\S{1,100}:\d{1,6}: )?exit status \d{1,3}$|^Failed [1-9]\d{0,6} (?:tests?|checks?|specs?)\b|
  ^(?:Caused by: )?[\w.$]{1,160}Exception: (?:Compilation failure|Build failed|Failed to execute goal)\b|
  ^(?:Caused by: )?[\w.$]{1,160}Exception: There (?:are|were) (?:failing tests|test failures)\b|^(?:Aborted (?:due to|because of)\b|
  \[?ERROR\]? Failed to execute goal|Error: Process completed)`;
export const COMPILATION = /^\[ERROR\] COMPILATION ERROR/;
export const ZERO = inLines('i')`
  (?:^|[^\d.,])0 (?:failed|failures?|errors?|problems?|failing|issues?|offenses?|vulnerabilities|warnings?|conflicts?)\b|(?:^|
  [^\d.,])0 (?:broken|timed out|violations?|fatal|denied|rejected|lost)\b|\b(?:failed|failures?|errors?|fail|errored|
  problems)\b(?: count| total)?["']?(?:[:=]| count| total) ?0\b(?!\.)|\bno (?:errors?|failures?|problems?|issues?|conflicts?|
  violations?|warnings?|offenses?|vulnerabilities)\b(?! handler)|\b(?:errors?|failures?|problems|issues|conflicts)\b[:=] ?(?:none|nil|
  null|\[\]|-)(?=[\s,;]|$)|without (?:any )?(?:errors?|problems?|failures?)|not? (?:an )?error\b|error-?free`;
export const COUNTED =
  /\b[1-9]\d* (?:failed|failures?|errors?|failing|errored|problems?)\b(?![/.\w])|\b(?:failed|failures|errors?|fail)\b[:=] ?[1-9]/i;
export const SUMMARY = inLines('i')`
  ^(?:Tests?|Test Suites|Test Files|Suites|Snapshots|Assertions|Ran|Failed|Totals?|Result|Results|Summary)\b|^(?:# (?:fail|pass|tests)|
  =+ )\b|^\d+ (?:tests?|passing|failing|passed|failed|examples?|specs?|scenarios?|steps?)\b|^\d+ (?:failures?|errors?)(?:$|
  [,.;:!(]| (?:and|generated|found|total|in \d|prohibited|occurred|detected|reported)\b)|\d+ passed|\b(?:passed|total|skipped|ignored)\b`;
export const TEST_MARK = inLines('')`
  ^(?:not ok\b|[✗✕×✖✘⨯☒❌] (?!\d+ problems?)|●(?! Console)|FAIL(?:ED|URE)?\b(?!:? ?$)|--- FAIL|\d+\) (?!\d))|^(?:\[ ?(?:FAIL(?:ED)?|
  FAILED)\b ?\]|ERROR (?:at (?:setup|teardown)|collecting)|_{4,} |={4,} |(?:FAIL|ERROR): \w+ \()|^(?:test .{1,200} \.\.\. (?:FAILED|
  failed)|-{2,} .{1,200} stdout -{2,}|\d+\. .{1,160}FAILED|\[FAILED\])|^\[[-xX✗✘]\] \S|^\d{1,4}\. (?:Failure|Error) \(|
  ^(?:(?:# {0,3})?Failed test\b|Failure -> |Failed example:|XCTFail|\* test )|(?:\.\.\. (?:FAIL(?:ED)?|ERROR)|\b(?:FAILED|
  ERROR)(?: +\[ *\d+%\])?| <<< (?:FAILURE|ERROR)!?)$|\*\*\*(?:Failed|Exception|Timeout|Not Run)\b`;
/** What failed is tried again: it is counted later. */
export const RETRIES = /\b(?:retrying|will retry|re-trying|trying again)\b/i;
export const TEMPER = inLines('i')`
  \b(?:retrying|will retry|(?:^|\s)retry \d|re-?trying|handled|ignored|ignoring|recovered|\(expected\b|as expected)\b|\b(?:falling back|
  fallback|non-fatal|continuing|skipping|skipped|trying again|try(?:ing)? (?:next|another))\b|\b(?:not fatal|caught (?:and|error)|
  suppressed|swallowed|tolerated|simulated|best effort|optional)\b|\b(?:using \S{1,40} instead|backing off|attempt \d+ failed|
  attempt (?<try>\d+)(?: of |\/)(?!\k<try>\b)\d+)\b|\b(?:attempt \d+: |will be (?:created|retried|skipped)|using (?:stale|defaults?|
  cached)|previous attempt)\b|\.\.\. ok\b|\{"(?:ok|success)": ?true\}$|retry \d+\/\d+`;

export const EXCEPTION = inLines('')`
  ^(?<name>(?:[A-Za-z_$][\w$]{0,80}(?:\.|::|\\|\/)){0,12}(?:Error|Exception|[A-Za-z_$][\w$]{0,80}?(?:Error|Exception|Failure|Fault|
  Timeout|Interrupt|Refused|NotFound|Denied|Exhausted|Expired|Violation|Panic|Exit|Assertion|Disconnected|Exceeded|Limit|Warning|
  Impossible|NotCapable|Overloaded)))(?: \[[\w-]{1,60}\])?(?<tail>:(?: |$)|$| \(|,? (?:with|at) )`;
export const NAMED_EXCEPTION = inLines('')`
  ^(?<name>(?:java|javax|kotlin|scala|org|com|net|io|System|Microsoft|builtins|akka|sun|jakarta)\.[\w.$]{3,160})(?::(?: |$)|$)|
  ^(?<tuple>\*\* \([\w.]{1,80}\)) |^(?<panic>panic: |thread '[^']{0,160}'(?: \(\d+\))? panicked at|fatal error: all goroutines|
  terminate called|\*\*\* (?:stack smashing|buffer overflow)|Segmentation fault|Aborted|Illegal instruction|Bus error|
  Floating point exception|Killed|KeyboardInterrupt|StopIteration|Traceback|FATAL ERROR: )`;
export const RUBY =
  /^(?<file>[^\s:]{1,300}):(?<row>\d+):in [`'][^`']{0,200}': (?<msg>.{0,1500}?) ?\((?<name>[A-Z][\w:]{1,100})\)$/;
export const DIAGNOSTIC = inLines('')`
  ^(?:ERROR in |error: |\[ERROR\] |Error: )?(?<file>(?:[A-Za-z]:)?[^\s:()"'<>|]{0,300}?(?:\.[\w+]{1,12}|Makefile|Dockerfile|
  \/[\w-]{1,60}|-))(?::|\(|:\[)(?<row>\d+)(?:[:,.-] ?(?<col>\d+))?(?:[-:]\d+(?:[:.]\d+)?)?[)\]]?(?:: | - | )(?:\[?(?<sev>fatal error|
  error|Error|ERROR|warning|Warning|WARNING|[Nn]ote|[Ii]nfo|style|convention|refactor|[Rr]emark|[Hh]int|[A-Z]{1,5}\d{2,5}|
  [CWEFRD]: ?)\]?\b)?`;
export const STATEMENT = inOrder(/^(?:(?<prog>[\w./+@-]{1,80}|CMake|cc1(?:plus)?|psql|\/\S{1,200}): ){0,2}/, [
  inOrder(
    /\[?/,
    {
      sev: [
        /fatal error|Fatal error|FATAL ERROR|fatal|FATAL|error|Error|ERROR|E|PANIC|ERR|abort|CRITICAL|emerg/,
        /Parse error|panic|Failure|FAILURE|failed|ERRO|FTL|Fatal|ABORT/,
      ],
    },
    /\]?/,
    [
      /\[[\w:/-]{1,60}\]| [A-Z]{1,5}\d{2,5}| \[[\w-]{1,60}\]| in \S{1,200}| \d{3,5} \(\w{1,8}\)/,
      / response from daemon| at \S{1,200}:\d+ \([\w-]{1,60}\)| while [\w ]{1,60}| during [\w ]{1,40}/,
      / running [\w ]{1,40}| \([\w. -]{1,60}\)/,
    ],
    '?',
    /(?:: ?| - | (?=[A-Z`'"/~]))/,
  ),
]);
export const STRERROR = inLines('i')`
  ^(?:[\w./+@-]{1,80}|-?bash|\/\S{1,200}): .{0,600}(?:No such file or directory|Permission denied|Is a directory|Not a directory|
  No space left on device|Read-only file system|Operation not permitted|command not found|: not found|Connection refused|
  Connection timed out|Connection reset by peer|No route to host|Network is unreachable|File exists|Directory not empty|
  Too many open files|Cannot allocate memory|Text file busy|Device or resource busy|Argument list too long|Input\/output error|
  cannot execute|Exec format error|Disk quota exceeded|File too large|Broken pipe|Name or service not known|
  Temporary failure in name resolution|Resource temporarily unavailable|unbound variable|syntax error|Invalid argument|
  Host key verification failed|No such command|invalid option|unrecognized option|cannot \w+|can't \w+|failed|refused|not found|
  unable to|Could not|timed out|Killed|Terminated|required file not found)`;
export const TOOL_NUMBER = inLines('')`
  ^(?:curl: \((?!22\))\d+\)|ERROR \d{3,5}(?: \(\w+\))?|\(error\)|[✘✖] \[ERROR\]|Error response from daemon|Sorry,)|^(?:(?:fatal|
  error): |E: |MSBUILD : error|CMake Error|ORA-\d{5}|SQL(?:STATE|ERROR)|rpc error: |WRONGTYPE|NOAUTH)|^(?:WRONGPASS|NOPERM|OOM command|
  API Error|Module (?:not found|build failed|parse failed)|Cannot |Could not |Can't )|^(?:Couldn't |Unable to |Failed to |failed to |
  No such |Unknown |Invalid |Missing |Unexpected |There is no |You must )|^(?:ERR_\w+|E[A-Z]{4,12}: )`;
export const JSON_ERROR =
  /^[{["].{0,400}?["'](?:error|errors|message|detail|error_description|code|fault|reason|title|status)["'] ?: ?/;
/** `… on line 3, column 14`, `[Line 1, Column 15]`, `in a.sh line 2`: a place in a text, told in words behind the message. */
export const PLACED = inLines('')`
  (?:^|[\s([])(?:(?:in|at) (?<file>[\w./-]{1,200}\.\w{1,8}),? )?(?:(?:on|at|near|in) )?[Ll]ine (?<row>\d{1,7})(?:(?:,| at|
  :)? ?(?:at )?col(?:umn|\.)? ?\d{1,6}|(?=[\s)\].,:]|$))|(?: at |\()\d{1,6}:\d{1,6}\)?$`;
/** The rule of a checker before or behind its message: `ERROR TS2365: …`, `… [incompatible-type]`, `… (check: autoloader_layout)`. */
export const RULE =
  /^(?:error|ERROR|Error):? \[?[A-Z]{2,5}\d{3,5}\]?: | [[(](?:(?:check|rule): )?[a-z]{2,30}(?:[-_/][a-z0-9]{2,30}){1,5}[\])]$/;
/** A sentence of an agent's answer, bulleted as its terminal shows it. */
export const AGENT_SENTENCE =
  /^[●⏺•] (?:I|I've|I'm|We|The|Now|Let|All|Done|Fixed|Your|This|There)\b.{0,400}[.!:]$/;
/** A commit in a list of commits: its words are the history's. */
export const COMMIT =
  /^(?:\* )?(?:\d\d:\d\d(?::\d\d)? )?(?:\[[0-9a-f]{7,40}\]|(?=[a-f]{0,40}\d)[0-9a-f]{7,40})(?: \([^)]{1,80}\)| \*\w{1,20}\*)? [^\s:]/;
/** A place told in words: `"plot.gp" line 2: …`, `main.tf, line 3: …`, `a.js: line 2, col 9, …`. */
export const LOCATED =
  /^"?(?<file>[\w./-]{1,200}\.\w{1,8})"?[,:]? line (?<row>\d{1,7})(?:, col(?:umn)? (?<col>\d{1,6}))?(?:[,:] | - )(?<msg>\S.{1,1500})$/;
