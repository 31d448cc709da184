/**
 * `OF_WORK`: an answer that tells only a status, a refusal of git, and what is wrong with the work itself; last what a sentence is about,
 * where nothing tells what kind of program spoke. It comes late: a cause from outside explains more.
 */
export const OF_WORK = String.raw`
  http.too-large context_overflow 0.4
    c  HTTP (?:413)$
  http.bad-request tool_protocol_error 0.4
    c  HTTP (?:400|405|406|409|415|422)$
  http.not-found environment 0.3
    c  HTTP (?:404|410)$
  git.dead-end git_error 0.75 recoverable=false
    i not a git (?:repository|directory|repo\b|checkout)|to be (?:in|inside|within) an? (?:\w{1,20} )?repository|InvalidGitRepositoryError|
      NoSuchPathError|no repository found|is not a working copy|dubious ownership|does not appear to be a git repository|(?:object file|
      loose object|index file|pack|packfile) .{0,160}(?:is empty|corrupt|smaller than expected)|bad object|(?:index|object|
      repository) (?:file )?(?:is )?corrupt|bad (?:index file|signature|config line)|unable to read (?:tree|sha1|object)|missing (?:blob|
      tree|commit)|invalid object|inflate: data stream error|protected branch|GH006|GH013|repository (?:'[^']{0,80}' |rule |
      not )?(?:not found|violations)|Repository not found|repository .{0,160}not found|not (?:within|inside|in) (?:a|an|any|
      the)(?: \w{1,20}){0,2} (?:check-?out|working copy|working tree|repository|repo\b)|No such remote|no such remote|remote origin (?:not|
      does)|pre-receive hook declined|remote rejected|push declined|No configured push destination|not have any commits yet|
      does not have a commit checked out|bad default revision
  git.refusal git_error 0.4 roles=git
    i non-fast-forward|already checked out at|local changes|nothing to commit|no tracking information|submodule
    c ^(?:fatal|error|hint):[ ]
  code.architecture build_failure 0.6 byRole=build_failure recoverable=false category=constraint_conflict
    c \b[Aa]rchitect(?:ure|ural) (?:violation|rule|constraint)s?\b|\b(?:must|should|may) not (?:import|depend on|be imported (?:by|from))\b|
      is not allowed to (?:import|depend on)\b
  code.cycle build_failure 0.6 byRole=build_failure recoverable=false category=constraint_conflict
    c import cycle not allowed|\(most likely due to a circular import\)|cyclic (?:package )?dependency|[Ff]ound \d{1,12} (?:circular|cyclic)
    unless c dependency dropped|Warning
  code.own-import-resolved build_failure 0.6 byRole=build_failure
    i (?:Could not|Couldn't|Can't|Cannot|Failed to|Unable to) (?:resolve|load|find)(?! module) (?:import |module |file |
      path )?["'´](?<module>\.[^"'´]{1,300})["'´]|(?:Could not|Couldn't|Can't|Cannot|Failed to|Unable to) (?:open|find|load|read|
      locate) (?:import|include|template|partial|source|input)(?:d? file)? ["'´]?(?<module>(?![<@])[\w./-]{1,300})
  build.named-stage build_failure 0.6
    c ^(?:STATIC|COMPILE|COMPILATION|COMPILER|LINK|LINKER|LEXICAL|LEXER|SEMANTIC|TYPE|TEMPLATE|MACRO|ELABORATION) ERROR\b|^(?:[Ss]tatic|
      [Cc]ompile|[Cc]ompilation|[Cc]ompiler|[Ll]inker|[Ll]exical|[Ll]exer|[Ss]emantic|[Tt]emplate) error\b
  build.parse build_failure 0.35
    c SyntaxError|IndentationError|TabError|ParserError|[Ss]yntax error|[Pp]arse [Ee]rror|(?:[Cc]annot|[Cc]an't|[Cc]ould not|
      [Uu]nable to) parse|pars(?:e|ing) (?:failed|errors?)|Unexpected token|[Uu]nexpected [;,)\]}:(](?: |$)|unclosed|YAMLException|
      TOMLDecodeError|mapping values are not allowed|Non-parseable POM|missing separator|near (?:<eof>|'[^']{1,20}')$|
      unexpected '[^']{1,10}' in|Syntax Error\b|unknown (?:directive|keyword|section)|read-syntax|unable to read either as JSON
    unless c \.(?:gz|tgz|xz|zip|tar|zst|bz2|7z|rar|pdf|png|jpe?g|gif)\b|\bSQL\b|\bquery\b|near "|LINE \d{1,12}:|JSON at position|
      is not valid JSON
  build.target build_failure 0.7
    i needed by (?:target )?[´'"]|\b(?:missing|unknown) script:? ["'´]?(?<script>[\w:.-]{1,80})|(?:no (?:known )?rule|
      don't know how) to (?:make|build)|No idea what '|\b(?:missing|unknown|no such|could(?: not|n't) find(?: an?| the)?|
      does not contain) (?:\w{1,12} )?(?:script|task|target|recipe|goal|session|lifecycle phase)\b|\b(?:script|task|target|recipe|session|
      command)s? (?:["'´][^"'´]{1,80}["'´] |[\w:.-]{1,60} )?(?:(?:was |is |does )?not (?:found|defined|exist|declared)|
      never defined)\b(?!: \S{0,200}[/.])
  build.compile build_failure 0.5
    c error TS\d{1,12}|error CS\d{1,12}|error MSB\d{1,12}|error\[E\d{1,12}\]|could not compile|BUILD FAILURE|Build failed|
      undefined reference to|undefined symbol|linking with|undefined: \w{1,80}|is not assignable|No matching export|is not exported (?:by|
      from)|cannot find symbol|compile error|Could not load|Unsupported (?:argument|block type|attribute)|undeclared inclusion
    unless c ModuleNotFound|ERR_MODULE_NOT_FOUND
  build.shown-diff build_failure 0.6
    c ^diff --git a\/(?<path>\S{1,300}) b\/
  build.lint build_failure 0.55 roles=lint,build,package,git,shell,unknown,test,runtime
    c file is not ´?\w{0,12}(?:fmt|import)s?´?-?e?d\b.{0,40}\((?<tool>[\w-]{2,30})\)$|\bwould reformat\b|would be reformatted|
      Code style issues|Imports are incorrectly sorted|\bSC\d{4}\b|\bMD\d{3}\b|[✖✗×] \d{1,12} problems? \([1-9]|
      Found [1-9]\d{0,12} (?:error|errors|issue|issues|problem|problems|violation|fixable)|offenses? detected|checkstyle|
      ^(?:\w{1,30} ){0,2}schema validation failed
  test.harness test_failure 0.85
    i collected 0 items$|\bno tests? (?:found|ran|were (?:found|run|executed)|files? found|to run|matched)|Required test coverage|
      (?:minimum|required) (?:\w{1,20} )?coverage|coverage .{0,60}(?:not met|does not meet|below|less than|under)
  test.assertion test_failure 0.4 roles=test
    i AssertionError|assertion ´|Failed asserting|XCTAssert|expect\(.{0,60}\)\.(?:not\.)?to|expected:? ?.{0,200}(?:but (?:was|got|received)|
      to (?:be|equal|have|eq|match|contain|include|throw|deeply)|, (?:got|but))|Expected .{0,120}(?:Received|Actual|to (?:equal|be|match))|
      Minitest::Assertion|Assertion with |^expected:[ ]|Assert\.\w{1,80}\(\) Failure
  runtime.crash runtime_error 0.6
    c ^(?:(?:RUNTIME|RUN-TIME|EXECUTION|EVALUATION) ERROR|(?:[Rr]un-?time|[Ee]xecution|[Ee]valuation) error)\b
    i Segmentation fault|overflow\w{0,2} .{0,20}\bstack\b|Maximum call stack|RecursionError|stack smashing|free\(\): |AddressSanitizer|
      terminate called|Floating point exception|panic: |panicked at|fatal error: all goroutines|Uncaught (?:Exception|Error|\w{0,80}Error)|
      unhandled (?:exception|rejection|promise)|Traceback \(most recent|init terminating|assertion failed
  runtime.sql runtime_error 0.5
    i no such (?:table|column|function)|relation "[^"]{1,120}" does not exist|UNIQUE constraint failed|Table '[^']{1,120}' doesn't exist|
      syntax error at or near|near "[^"]{0,60}": syntax error|division by zero|WRONGTYPE|E11000|already exists.{0,10}$
  runtime.file runtime_error 0.35 byRole=runtime_error
    i No such file or directory|\bENOENT\b|NoSuchFile|Could not open (?:input )?file|does not exist
  topic.certificate network_failure 0.3 roles=unknown,model recoverable=false transient=false
    i \b(?:certificates?|altnames?|TLS|SSL|x509|issuer|self[- ]signed)\b
    and i \b(?:match|mismatch|invalid|untrusted|not (?:trusted|valid|yet))\b|\b(?:expired|unable to (?:get|verify)|verif\w{1,8}|unknown|
      handshake|in certificate chain)\b
  topic.rate rate_limited 0.35 roles=unknown,model
    i \b(?:quota|rate|usage|requests?|limits?|limit(?:ed|ing)|capacity|throttl(?:ed|ing|e)|slow down)\b
    and i \b(?:resets?|will reset|reset (?:in|after|at)|try again (?:in|at|after)|wait (?:a|until|before|for)|slow down)\b|\b(?:limiting|
      throttled|throttling|exhausted|rate-?limited|too (?:many|fast|often)|per (?:minute|day|hour|user))\b
    unless i \b(?:credits?|billing|balance|budget|payment|memory|disk|turns?|iterations?|attempts?|steps)\b
  topic.turns budget_exhausted 0.35 roles=unknown,model
    i \b(?:turns?|iterations?|steps|attempts|retries|reflections|tool calls|rounds|recursion|loops?)\b
    and i \b(?:max(?:imum)?|limit|exceed(?:ed|s)?|allowed|exhausted|used up|halted|no more|none left|giv(?:en|ing) up)\b
    unless i \b(?:connect\w{0,5}|https?|host|status|timed out|call stack|network|per request)\b
  topic.money budget_exhausted 0.35 roles=unknown,model
    i \b(?:credits?|balance|funds|billing|budget|spend(?:ing)?|cost|quota|allowance|payment|premium requests?|dollars)\b
    and i \b(?:exceed(?:ed|s)?|too low|low|insufficient|exhausted|out of|used up|limit|cap|ended|afford|required|reached)\b|\b(?:no|
      none) .{0,40}\b(?:left|remaining)\b
    unless i \b(?:per (?:minute|day|hour|second)|resets?|slow|low latency|memory|disk|cpu)\b
  topic.login auth_failure 0.35 roles=unknown,model
    i \b(?:log(?:ged)? ?in|sign(?:ed)?[ -]in|login|authenticat\w{1,6})\b|\b(?:authori[sz]ation|credentials?|keychain|(?:api|host|
      public)[ _-]?keys?|password)\b|\b(?:OAuth|SSO|bearer)\b|\b(?:(?:access|auth|refresh|id|api|session) tokens?|auth (?:method|mode|
      provider|type)|your (?:organi[sz]ation|account|admin))\b
    and i \b(?:expired|revoked|not (?:supported|found|set|provided|logged|configured|valid|allowed)|removed|invalid|missing|required)\b|
      \b(?:failed|refused|rejected|denied|could not|couldn't|unable|again)\b|\b(?:disabled|suspended|terminated|please|must|needs?|no|
      unauthori[sz]ed|unsupported)\b
  topic.permission permission_denied 0.35 roles=unknown,model
    i \b(?:permissions?|approv(?:al|e|ed)|trust(?:ed)?|untrusted|sandbox(?:ed|ing)?|privileges?|consent|landlock|seatbelt)\b
    and i \b(?:denied|rejected|declined|blocked|insufficient)\b|\b(?:refused|cannot|can't|not (?:granted|allowed|permitted|approved|trusted|
      inside)|restrict\w{0,4})\b|\b(?:requires?|required|needs?|error|failed|do you|one you)\b
  topic.model environment 0.35 roles=unknown,model
    i \b(?:model|provider|deployment|sessions?|conversation)\b|\b(?:daemon|env(?:ironment)? vars?|profile|trusted directory|
      config(?:uration)?|settings)\b
    and i \b(?:not (?:found|supported|exist|set|running|configured|installed|inside|recogni[sz]ed)|unknown|unsupported|does not exist)\b|
      \b(?:no .{1,40}(?:found|available|configured)|(?:can't|cannot|could not) (?:find|load)|error loading|not enabled)\b|
      \b(?:may not exist|requires setting|was not specified|is it running)\b
  topic.protocol tool_protocol_error 0.35 roles=unknown,model
    i \b(?:tools?(?: calls?| results?| use)?|function calls?|arguments|schema|(?:API )?response)\b|\b(?:LLM|model|completion|payload|
      output items?)\b
    and i \b(?:malformed|unpars[ae]ble|empty|unexpected|missing)\b|\b(?:invalid|incomplete|corrupt(?:ed)?|truncated|did not (?:conform|
      match|provide|return))\b|\b(?:(?:execution|call|use) failed|cannot be used|could not interpret|expected (?:exactly|one|a|
      an) .{1,60}\bgot)\b|\b(?:could not (?:be )?pars|failed to parse|not valid|without a)\b
  topic.stopped interrupted 0.35 roles=unknown,model
    i \b(?:interrupted|cancell?(?:ed|ing)|pane is dead|stopped by (?:the )?(?:user|person|operator)|aborted by)\b
    unless i \b(?:0|no|if|when|not) (?:\w{1,20} )?(?:interrupted|cancell?ed)\b|\b(?:interrupted|cancell?ed)[:=] ?\d
`;
