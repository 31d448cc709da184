/**
 * `OF_AGENTS`: content that two sides changed, what git and an agent's tools refuse, limits of models and providers,
 * logins.
 */
export const OF_AGENTS = String.raw`
  git.conflict git_conflict 0.9
    c conflicts while merging (?<path>\S{1,300})!|use 'hg resolve|(?:^| )(?<path>\S{1,300}): needs merge$|
      CONFLICT \([\w /-]{1,80}\): (?:Merge conflict in (?<path>.{1,300})|(?<path>\S{1,200}) deleted in|.{1,300})|Automatic merge failed|
      (?:Text|Tree|Property) conflicts: [1-9]|Summary of conflicts|fix conflicts and then commit|(?:merge|rebase|cherry-pick|
      content) conflicts? (?:in|with|detected)|Merge conflicts? .{0,80}(?:could not|cannot|must)|unresolved (?:merge )?conflicts?|
      \bunmerged\b|you need to resolve (?:your|all)|Resolve all conflicts|patch does not apply|Patch failed at|
      patch failed: (?<path>\S{1,200}?):\d{1,12}|Hunk #\d{1,12} FAILED|hunks? FAILED|\.rej$|saving rejects|could not apply [0-9a-f]{7,60}|
      Applied patch .{0,120}with conflicts|(?:both (?:modified|added|deleted)|deleted by (?:us|them)): {0,20}(?<path>.{1,300})|
      Committing is not possible because|error: could not revert|does not match index|Merge conflict|conflicts? in (?:the )?files?|
      needs to be resolved|has conflicts (?:that must|with)|conflict markers|CONFLICTING|mergeable: false|Pull request .{0,40}not mergeable|
      Exiting because of an unresolved conflict|remains in conflict|It seems there is already a rebase-(?:merge|apply) directory|
      previous rebase directory .{0,120}still exists
    unless i peer dep|dependency conflict|conflicting peer|409|conflict markers are|merge conflict markers|No conflicts?|0 conflicts?|
      without conflicts?
  git.words git_error 0.7
    c index\.lock'?|unable to auto-detect email|failed to push some refs|a branch named '[^']{1,200}' already exists|
      is already (?:checked out|used by worktree)|unable to read sha1 file|corrupt patch at line|unknown revision or path|
      could not find repository
    unless c Permission denied|No space left|Read-only|insufficient permission
  model.refusal model_refusal 0.8
    i appears to violate our usage polic|flagged as potentially violating our usage polic|content_policy_violation|
      rejected as a result of our safety system|stop_reason["':= ]{1,4}refusal
    unless i AssertionError|\bexpect(?:ed|s|\()
  context.length context_overflow 0.7
    i (?:maximum|max) context length(?: is (?<limit>[\d,]{1,80}))?|
      prompt is too long(?:: (?<asked>[\d,]{1,80}) tokens > (?<limit>[\d,]{1,80}))?|\b(?:prompt|input|conversation|context|message|
      request)s? (?:is |are )?too long(?: for|\b)|\b(?:prompt|input|conversation|context|message|request)s? (?:is|are) (?:longer|larger|
      bigger) than (?:the|this|your|what)|\b[\d,]{4,12} of [\d,]{4,12} tokens\b|ran out of (?:room|space) in .{0,30}context|
      context[_ ](?:length|window)[_ ](?:has been )?exceed|exceed(?:s|ed)? (?:the )?(?:model'?s? |maximum |available |
      current ){0,80}(?:context|token)[_ ]?(?:length|window|limit|size|count)|exceed(?:s|ed)? the (?:maximum|
      max) (?:allowed )?(?:number of )?(?:input )?(?:tokens|request size|size|token count)|
      (?:input )?tokens? (?:count )?(?:\([\d,]{1,80}\) )?exceeds? (?:the )?(?:maximum|limit|max)|
      input token count \(?(?<asked>[\d,]{1,80})\)? exceeds|context window (?:is )?(?:full|exceeded|overflow)|context (?:limit|overflow|
      size) (?:reached|exceeded)|exceeds? (?:the )?context (?:window|limit|size)|request_too_large|Request (?:too large|
      exceeds the maximum size)|payload too large.{0,40}(?:token|prompt|model)|context_length_exceeded|string_above_max_length|
      model_context_window_exceeded|ContextWindowExceeded|reduce the length of (?:the|your) (?:messages|prompt|input)|
      too many (?:input )?tokens(?! per)|input is longer than the|maximum (?:input|prompt) (?:tokens|length)|
      requested tokens \([\d,]{1,80}\) exceed context window|the request exceeds the available context size
    unless i tokens per (?:min|day|hour)|\bTPM\b|\bTPD\b|rate.?limit
  budget.money budget_exhausted 0.7
    i quota exceeded\. check your plan|insufficient[_ ](?:quota|credits?|funds|balance)|out of credits|credit balance (?:is )?too low|
      no credits? (?:left|remaining)|credits? (?:exhausted|depleted|used up)|not enough credits|exceeded your current quota|
      billing hard limit|billing_hard_limit_reached|billing (?:limit|not active)|payment required|\b402\b.{0,60}(?:payment|credit|premium|
      allowance|billing)|(?:spend(?:ing)?|cost|usd|dollar|money|team|user|key|run|task)[ _](?:budget|cap|limit)(?: has been| was|
       is)? (?:exceeded|reached|exhausted|hit)|budget (?:has been |was |is )?(?:exceeded|exhausted|reached|used up)|exceed(?:s|ed)? (?:the |
      its |your )?(?:[\w-]{1,80} )?budget|over budget|max(?:imum)? budget|reached your specified (?:API )?usage limits?|key limit exceeded|
      exceeded (?:the )?max(?:imum)? (?:number of )?(?:attempts|retries|turns|iterations|steps)|exceeded (?:your )?(?:premium request|
      monthly) allowance|quota (?:for this )?(?:billing|month)|max(?:imum)?[_ -](?:number of )?(?:turns|iterations|steps|retries|tool calls|
      attempts|reflections)(?: \(?\d{1,12}\)?)? (?:reached|exceeded|exhausted|hit)|reached (?:the )?max(?:imum)? (?:number of )?(?:turns|
      iterations|steps|retries|attempts)|(?:turn|iteration|step|recursion|retry) (?:limit|cap|
      budget)(?: of \d{1,12})? (?:has been )?(?:reached|exceeded|exhausted|hit)|GraphRecursionError|stopped due to (?:iteration|max)|
      (?:limit|cap|maximum|allowance|budget|quota) (?:of|for) .{0,60}?(?:steps|turns|iterations|tokens|dollars|credits|task|
      run)\b.{0,40}(?:reached|used|exceeded|exhausted|hit|spent)|(?:steps?|turns?|iterations?|tokens?|cost|spending) (?:limit|cap|maximum|
      allowance|budget)\b.{0,60}(?:reached|used|exceeded|exhausted|hit|spent)|(?:iteration|turn|step|retry) budget (?:is )?(?:exhausted|
      used up|spent)|no (?:retries|turns|attempts|steps) left|retries exhausted|exhausted (?:all )?(?:\d{1,12} )?(?:retries|attempts|turns)|
      giving up after \d{1,12} (?:turns|iterations|steps)|Agent stopped after \d{1,12} (?:turns|iterations|steps)|hit the (?:turn|step|
      iteration|spend|budget) (?:limit|cap)|max_turns=\d{1,12} reached|(?:token|tokens) budget (?:exceeded|exhausted|reached|used)|
      used (?:all|up) (?:of )?(?:its|the|your) (?:token |turn |money )?budget|(?:free (?:tier|trial)|trial) (?:credits? )?(?:has |
      have )?(?:expired|ended|exhausted)|upgrade your plan to continue|purchase (?:more )?credits
    unless i retrying|backing off|refused|per request|Could not connect|tokens? per minute|Max retries exceeded with url|ConnectionPool
  rate.limit rate_limited 0.65
    i rate[ _-]?limit(?:s|ed|ing)?\b|RateLimit|ratelimit|too many requests|TOOMANYREQUESTS|toomanyrequests|quota exceeded|
      RESOURCE_EXHAUSTED|Resource has been exhausted|limiting requests|(?:Request|API|user) (?:rate|quota) (?:limit )?exceeded|
      Throttling(?:Exception|Error)?|ThrottledException|throttled|request was throttled|SlowDown|Rate exceeded|
      ProvisionedThroughputExceeded|usage[_ ]limit(?:[_ ]reached| has been reached| reached|$|\b)|(?:session|weekly|daily|5-hour|five_hour|
      hourly|Opus|usage|plan|message) limit (?:reached|hit|exceeded)|hit your (?:usage |session |weekly )?limit|
      reached your (?:\w{1,80} )?(?:usage|message|session|weekly|daily|plan) limit|You've hit your|limit will reset|(?:limit|quota|
      exceed\w{0,3}|allowed|maximum|too many)\b.{0,80}(?:tokens|requests) per (?:min|minute|day|hour|second)|(?:tokens|requests) per (?:min|
      minute|day|hour|second)\b.{0,80}(?:limit|quota|exceed|allowed)|(?:tokens|requests) per (?:min|minute|day) \([RT]P[MD]\)|
      \bTPM\b.{0,20}limit|exhausted your (?:daily|capacity|quota)|Retry-After|please (?:slow down|wait (?:a few minutes|\d{1,12}))|
      exceeded (?:your )?(?:unauthenticated )?(?:pull|api|request) (?:rate )?(?:limit|quota)|abuse detection|secondary rate
    unless i Disk quota|memory|\bCPU\b|insufficient_quota|check your plan and billing|rate.?limit(?:ing)? (?:disabled|enabled|passed|ok|
      remaining)|x-ratelimit-remaining: [1-9]
  overload.words overloaded 0.6
    i server is (?:currently )?(?:overloaded|busy)|insufficient capacity|scheduled maintenance|too busy|high (?:demand|load|traffic)|
      overloaded(?:_error|Error)?\b|model is (?:currently )?overloaded|engine is currently overloaded|no capacity (?:available|left)|
      at capacity|no healthy upstream|service (?:is )?(?:temporarily |currently )?unavailable|temporarily (?:overloaded|unavailable)|
      ServiceUnavailable|(?:under|down for) maintenance|upstream (?:connect error|request timeout|unavailable)|internal[_ ]server[_ ]error|
      InternalServerError|"status": ?"UNAVAILABLE"|status: UNAVAILABLE|code = Unavailable|StatusCode\.UNAVAILABLE|"type": ?"api_error"
    unless i name resolution|resource temporarily unavailable|Temporary failure|overloaded (?:method|function|operator)|no overload|
      dial tcp|connection refused|failed to connect to all addresses|overload resolution
  auth.ssh auth_failure 0.9
    i Permission denied \([\w,-]{0,80}(?:publickey|password|keyboard-interactive|gssapi)[\w,-]{0,80}\)|Host key verification failed|
      REMOTE HOST IDENTIFICATION HAS CHANGED|No \S{1,200} host key is known|Too many authentication failures|no matching host key|
      Authentication failed for '|Load key .{0,80}(?:invalid format|error in libcrypto)|no supported authentication methods
  auth.key auth_failure 0.6
    i bad credentials|invalid (?:username or (?:password|token)|credentials?\b|login|api[ _-]?key|x-api-key|authentication|access token)|
      invalid (?:bearer token|auth token|token\b|client(?:_id| id| secret))|(?:incorrect|wrong|missing|no|malformed|revoked|
      unknown) (?:api[ _-]?key|access key|credentials)|(?:incorrect|wrong|missing|no|malformed|revoked|unknown) (?:auth(?:entication|
      orization)? (?:token|header)|password)|invalid_api_key|api[ _-]?key (?:is |was )?(?:not valid|invalid|missing|expired|required|
      not (?:found|set|provided))|API key not valid|authentication_error|AuthenticationError|UnauthorizedError|UnauthenticatedError|
      AuthenticationException|NotAuthenticated|AuthError\b|Unauthenticated\b|UNAUTHENTICATED|authentication (?:is )?(?:failed|required|
      error|failure)|failed to authenticate|could not authenticate|auth(?:entication|orization)? failed|login (?:failed|required|incorrect|
      expired)|not logged in|please (?:run )?[´"']?(?:\/login|log ?in|sign in|authenticate)|must be (?:logged in|authenticated)|
      requires authentication|no auth(?:entication)? credentials|not authenticated|(?:token|credential|session|login|key|
      password)s? (?:has |have |is |was |included in the request {1,20}is )?(?:been )?(?:expired|revoked|invalid|rejected)|SecKeychain|
      sign in again|have an active account|please set an auth method|log ?in again|could not be refreshed|ExpiredToken|InvalidClientTokenId|
      UnrecognizedClientException|SignatureDoesNotMatch|InvalidAccessKeyId|invalid_grant|invalid_client|jwt expired|JsonWebTokenError|
      token expired|Unable to locate credentials|NoCredentialsError|NoCredentialProviders|could not (?:find|
      load) (?:the )?(?:default )?credentials|DefaultCredentialsError|CredentialsProviderError|InvalidAuthenticationToken|
      valid credential sources|credentials? (?:were |was )?not found|could not read (?:Username|Password) for|terminal prompts disabled|
      password authentication failed|no password supplied|Access denied for user|Login failed for user|NOAUTH|WRONGPASS|
      SCRAM.{0,40}(?:failed|invalid)|no pg_hba\.conf entry|role "[^"]{0,100}" does not exist|Ident authentication failed|
      Peer authentication failed|AuthenticationFailed|auth failed|code: 18\b|ORA-01017|denied: requested access|
      unauthorized: (?:authentication|incorrect)|pull access denied|no basic auth credentials|authorization failed|(?:ANTHROPIC|OPENAI|
      GEMINI|GOOGLE|AWS|AZURE|GITHUB|GH|HF|HUGGINGFACE|COHERE|MISTRAL|GROQ|OPENROUTER|NPM|PYPI|DEEPSEEK|XAI)_?[A-Z_]{0,80}(?:KEY|TOKEN|
      SECRET|CREDENTIALS)[A-Z_]{0,80}\b.{0,60}(?:is not set|not set|must be set|missing|required|environment variable)|
      api_key client option must be set|set (?:the|your|a) (?:[\w ]{0,20})?API key|api key (?:must|needs)|Missing credentials|
      Could not resolve authentication method|GH_TOKEN environment variable|gh auth login|set an API key|SAML enforcement|
      SSO (?:authorization )?required|organization has (?:enabled|enforced)|two-factor|does not have access to (?:model|this)|
      you do not have (?:access|permission) to (?:access|use|view) (?:this|the) (?:model|resource|repository|project)|
      not authorized to (?:perform|access)|(?<!file\.)AccessDenied(?:Exception)?\b|access_denied|PERMISSION_DENIED|PermissionDeniedError|
      insufficient[_ ]scope|Resource not accessible by|Forbidden\b.{0,40}(?:token|scope|project|resource|cannot|user)|is forbidden: User|
      missing scope|permission_error|InsufficientPermissions|Proxy Authentication Required|Permission to \S{1,200} denied to|
      remote: Permission to|You are not allowed to (?:push|upload|access)|access rights\b.{0,20}$|You don't have permission to (?:publish|
      push|access)|You must be logged in to|\bENEEDAUTH\b|\bE401\b|\bE403\b|\bEOTP\b|one-time pass
    unless i protected branch|\bEACCES\b|Errno 13|auth(?:entication)? failed ok|read-?only file system|tokens? (?:limit|count|usage)|
      unexpected token|invalid token (?:in|at)|token is invalid json|Please make sure you have the correct access rights
`;
