/**
 * `OF_SUPPLY`: what is missing or did not come: packages, commands, libraries; what stopped the work; calls of the wrong
 * shape.
 */
export const OF_SUPPLY = String.raw`
  dependency.no-version missing_dependency 0.7 lead=-8
    c Could not find a version that satisfies the requirement (?<module>\S{1,200})
  dependency.package missing_dependency 0.7
    i \bcode (?:E404|ETARGET|EINTEGRITY|ERESOLVE|ENOVERSIONS|EBADPLATFORM|ENOLOCAL)|ERR_PNPM_(?:NO_MATCHING_VERSION|FETCH_404|PEER_DEP|
      NO_VERSIONS|TARBALL_INTEGRITY)|is not in (?:this|the npm) registry|No matching distribution found|No solution found when resolving|
      Unable to find a match|No formulae? (?:or casks )?found|unable to select packages|PackagesNotFound|no matching package named|
      Could not find compatible versions|Your requirements could not be resolved|NU1101|no required module provides package
    c [Nn]o (?:results|packages?|matches|candidates|versions) (?:matching|for|found for|that match|satisfying)\b.{0,80}
    unless c \bECONNREFUSED\b|ENOTFOUND|EAI_AGAIN|\bETIMEDOUT\b|Connection refused|Name or service not known|certificate
  dependency.unobtainable missing_dependency 0 roles=package without=test,lint
    i \b(?:packages?|versions?|dependenc(?:y|ies)|distributions?|requirements?|artifacts?|gems?|crates?|formulae?|candidates?)\b
    and i \b(?:could ?n.t|could not|cannot|can't|unable to) (?:find|locate|resolve|select|satisfy)\b|\bnot (?:be )?(?:found|available|
      resolved)\b|\b(?:no (?:matching|such)|conflict(?:s|ing)?|unmet|unsatisfi\w{2,6}|does not exist)\b
  runtime.hidden-package runtime_error 0.7
    c No module named '(?<module>[\w.-]{1,80})'; '(?<name>[\w.-]{1,80})' is not a package
  dependency.module missing_dependency 0.6
    i (?:Could not|Can't|Cannot|Unable to|Failed to) (?:resolve|find|load|import) (?:module |import |the |dependency |package |
      entry module |plugin |preset |config ){0,80}["'´](?<module>(?![./\\~#]|@\/|[A-Z]:\\|file:|src\/|[^"'´]{1,120}\.(?:h|hh|hpp|inc|css|
      scss|less|md|json|ya?ml|html|proto)["'´])[@\w][^"'´]{0,200})["'´]|cannot load such file -- (?<module>(?![./])\S{1,200})|
      Can't locate (?<module>\S{1,200})\.pm in @INC|unresolved import ´(?<module>[\w:]{1,80})´|no such module '(?<module>\w{1,80})'|
      collection not found|no code for module|there is no package called|Unbound module|Could NOT find (?!(?:an?|the|any|this|director(?:y|
      ies)|files?|folders?|path)\b)(?<module>\w{1,80})|Cannot find implementation or library stub for module named "?(?<module>[\w.]{1,80})|
      \b(?:module|package|plugin|gem|extension|crate|dependency) ["'´‘]?(?<module>(?![./])[\w@][\w@./:-]{1,80})["'´’]?,? (?:is |
      was )?not (?:found|installed)\b|(?<module>[\w.+-]{2,80}) is required[;,.] (?:please )?install\b|(?:packages?|dependenc(?:y|
      ies)) (?:\S{1,80} )?required but not (?:available|installed|found)(?:: [‘'"]?(?<module>[\w.@/-]{2,80}))?
    c No module named '?(?<module>[\w.-]{1,80})'?|Error \[ERR_MODULE_NOT_FOUND\]: Cannot find package|package (?<module>(?:org|com|io|net|
      junit|javax|jakarta|lombok|kotlinx?|scala|dev|me|edu)[\w.]{0,80}) does not exist|ClassNotFoundException: (?!\w{1,80}$)|
      Failed opening required '[^']{0,200}vendor|(?:[Cc]ould not|[Cc]ouldn't|[Cc]annot|[Cc]an't|[Uu]nable to|[Ff]ailed to) (?:find|locate|
      read|load|import(?: from)?|open) (?:the |an? |undefined |unknown ){0,2}(?:module|package|library|namespace|extension|plugin|
      dependency|crate|gem|component|type definition file for)s?:? ["'´‘]?(?<module>(?![./~#]|@\/)[\w@./:-]{1,80})|
      [Cc]ould not locate \S{1,200}.{0,200} on (?:the )?class ?path
    unless c in scope|could not find repository
  dependency.command missing_dependency 0.55
    i (?:^|: )(?<module>[\w.+@-]{1,80}): (?:command )?not found(?:$| in|;)|^(?:\S{1,80}\/)?(?:ba|da|z|
      k)?sh: (?:line )?\d{1,6}: (?<module>[\w./+@-]{1,200}): not found$|spawn (?<module>\S{1,200}) \bENOENT\b|uv_spawn|
      executable (?:file )?not found|Executable doesn't exist at|exec: "(?<module>[^"]{1,80})": executable file not found|
      Unknown command:? ["']?(?<module>[\w.+-]{1,80})|(?:env|xargs|nohup|nice|timeout|sudo|stdbuf|setsid|watch|
      chronic): (?:failed to run command )?[‘'"]?(?<module>[\w.+-]{1,80})[’'"]?: No such file|cannot execute: required file not found|
      is not installed\b|command not found|
      FileNotFoundError: \[Errno 2\] No such file or directory: '(?<module>[\w+-]{1,80}(?:\.\d[\d.]{0,9})?)'$
    unless i fixture|HTTP|404|key not found|page not found|test (?:file|suite)|pattern not found|branch|revision|upstream|
      was not found in the current|no such command: '?-|in registry|Configuration|tsconfig|CMakeLists
  dependency.library missing_dependency 0.7
    i (?:find|found)\b.{0,20} -l(?<module>[^\s:]{1,200})|(?<module>lib[\w.+-]{1,80}): cannot open shared object file|
      Could not locate the bindings file|could not choose a version of
  dependency.header missing_dependency 0.7
    i fatal error: '?(?<module>[\w./+-]{1,80})'?(?:: No such file or directory| file not found)
    near c #\s{0,40}include\s{0,40}<
  interrupted.signal interrupted 0.5
    i (?:command|job) (?:was )?cancell?ed|aborted by (?:the )?user|received (?:an )?interrupt|caught (?:signal|interrupt)|
      terminated by signal|KeyboardInterrupt|\bSIG(?:INT|TERM|HUP|QUIT)\b|Interrupted by (?:user|signal)|interrupted by user|
      user (?:has )?(?:interrupted|cancell?ed|aborted)|(?:was|been) cancell?ed(?: by)?|canceling statement due to user request|
      The (?:runner|operation|process) (?:has received a shutdown signal|was cancell?ed|was interrupted)|Request interrupted|
      Interrupted: (?!\d{1,12} error)|(?:Conversation|Session|Run|Task|Turn) (?:was )?interrupted
    c ^(?:.{0,120}: )?(?:Hangup|Terminated|Interrupt)$|\] (?:Interrupt|Terminated|Hangup)$
    unless i due to timeout|during collection|stopping after|SIGTERM handler|conflict|TimeoutError
  protocol.json tool_protocol_error 0.55
    i json(?!5)
    and i \b(?:pars\w{1,5}|decod\w{1,5}|unmarshal|unexpected|expect(?:ed|ing)|invalid|malformed|unterminated|syntax|trailing)\b|
      \b(?:not valid|must be|at position \d|EOF|control character|missing field|unknown field)\b|\w(?:Pars|Decode|Syntax|
      Mapping)\w{0,5}(?:Error|Exception)
    unless i [\w-]\.jsonc?\b(?!\.)|\bEJSONPARSE\b|lockfile|config file|manifest|\byaml\b|\.eslintrc|while parsing (?:near )?'\{
  protocol.text tool_protocol_error 0.55
    i invalid character .{0,40}(?:looking for|after|in string|in literal)|(?:Expecting|Expected) (?:value|property name|',' delimiter|
      ':' delimiter).{0,40}(?:line \d{1,12} column|char \d{1,12})|(?:key must be a string|expected value|EOF while parsing|
      trailing characters).{0,80}at line \d{1,12} column \d{1,12}|parse error: (?:Invalid|Unfinished|Expected|Cut|Objects|Extra)
    unless i [\w-]\.jsonc?\b(?!\.)|\bEJSONPARSE\b|lockfile|config file|manifest|\byaml\b|\.eslintrc|while parsing (?:near )?'\{
  protocol.call tool_protocol_error 0.5
    i \b(?:unavailable|unknown|unregistered|non-?existent|invalid|unsupported) (?:tool|function)\b
    c -32(?!001)\d{3}\b|MCP server .{0,60}(?:failed|exited|disconnected|closed|not connected|crashed)|Server transport closed|
      invalid_request_error|unexpectedly modified|has not been read yet|no (?:tool|function) (?:named|called)|InputValidationError|
      tool_use(?:´| ids)|ValidationError.{0,40}(?:tool|schema|arguments)|empty or unpars|Missing required parameter|ZodError|
      protocol version
    unless i timed out|tool (?:go|chain)|context length|not found in PATH
`;
