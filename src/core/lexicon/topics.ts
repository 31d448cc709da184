/**
 * `TOPICS`: what a sentence is about, and that something is wrong with it, in any words. Asked last, where nothing tells what
 * kind of program spoke.
 */
export const TOPICS = String.raw`
  topic.time timeout 0.35 roles=unknown,model
    i \b(?:in time|time limit|deadline|too long to|too slow|within the (?:time|limit))\b
    and i \b(?:unable|failed|not|exceed(?:ed|s)?|passed|took|missed|ran out|slow)\b
  topic.resource resource_exhausted 0.3 roles=unknown,model
    i \b(?:memory|RAM|VRAM|OOM|disk|storage|heap|swap|inodes?)\b|\b(?:clients|connections|processes|threads|descriptors|open files)\b
    and i \b(?:not (?:enough|allowed)|insufficient|requires? more|too many|exhausted|full|out of|exceed(?:s|ed)?|ran out|left|low)\b
    and i \ballocation .{0,40}failed\b
    unless i \b(?:full (?:text|path|name|log)|tokens?|context)\b
  topic.certificate network_failure 0.3 roles=unknown,model recoverable=false transient=false
    i \b(?:certificates?|altnames?|TLS|SSL|x509|issuer|self[- ]signed)\b
    and i \b(?:match|mismatch|invalid|untrusted|not (?:trusted|valid|yet))\b
    and i \b(?:expired|unable to (?:get|verify)|verif\w{1,8}|unknown|handshake|in certificate chain)\b
  topic.rate rate_limited 0.35 roles=unknown,model
    i \b(?:quota|rate|usage|requests?|limits?|limit(?:ed|ing)|capacity|throttl(?:ed|ing|e)|slow down)\b
    and i \b(?:resets?|will reset|reset (?:in|after|at)|try again (?:in|at|after)|wait (?:a|until|before|for)|slow down)\b
    and i \b(?:limiting|throttled|throttling|exhausted|rate-?limited|too (?:many|fast|often)|per (?:minute|day|hour|user))\b
    unless i \b(?:credits?|billing|balance|budget|payment|memory|disk|turns?|iterations?|attempts?|steps)\b
  topic.turns budget_exhausted 0.35 roles=unknown,model
    i \b(?:turns?|iterations?|steps|attempts|retries|reflections|tool calls|rounds|recursion|loops?)\b
    and i \b(?:max(?:imum)?|limit|exceed(?:ed|s)?|allowed|exhausted|used up|halted|no more|none left|giv(?:en|ing) up)\b
    unless i \b(?:connect\w{0,5}|https?|host|status|timed out|call stack|network|per request)\b
  topic.money budget_exhausted 0.35 roles=unknown,model
    i \b(?:credits?|balance|funds|billing|budget|spend(?:ing)?|cost|quota|allowance|payment|premium requests?|dollars)\b
    and i \b(?:exceed(?:ed|s)?|too low|low|insufficient|exhausted|out of|used up|limit|cap|ended|afford|required|reached)\b
    and i \b(?:no|none) .{0,40}\b(?:left|remaining)\b
    unless i \b(?:per (?:minute|day|hour|second)|resets?|slow|low latency|memory|disk|cpu)\b
  topic.context context_overflow 0.35 roles=unknown,model
    i \b(?:context|prompt|conversation|input|history|transcript|tokens?|PDF|image|attachment|request body)\b
    and i \b(?:too (?:long|large|big)|exceed(?:ed|s)?|overflow(?:ed|s)?|ran out|out of room|full|maximum|larger than|longer than)\b
    and i \b(?:limit|low \(|0% (?:left|remaining)|run \/compact|needs? compact\w{0,4})
    unless i \b(?:per (?:min|minute|day|hour)|throttl\w{1,4}|rate|wait)\b
    unless i \b(?:access token|api token|auth|context (?:canceled|cancelled|deadline))\b
    unless i \b(?:unexpected token|invalid token|user input|full text)\b
  topic.login auth_failure 0.35 roles=unknown,model
    i \b(?:log(?:ged)? ?in|sign(?:ed)?[ -]in|login|authenticat\w{1,6})\b
    i \b(?:authori[sz]ation|credentials?|keychain|(?:api|host|public)[ _-]?keys?|password)\b|\b(?:OAuth|SSO|bearer)\b
    i \b(?:(?:access|auth|refresh|id|api|session) tokens?|auth (?:method|mode|provider|type)|your (?:organi[sz]ation|account|admin))\b
    and i \b(?:expired|revoked|not (?:supported|found|set|provided|logged|configured|valid|allowed)|removed|invalid|missing|required)\b
    and i \b(?:failed|refused|rejected|denied|could not|couldn't|unable|again)\b
    and i \b(?:disabled|suspended|terminated|please|must|needs?|no|unauthori[sz]ed|unsupported)\b
  topic.permission permission_denied 0.35 roles=unknown,model
    i \b(?:permissions?|approv(?:al|e|ed)|trust(?:ed)?|untrusted|sandbox(?:ed|ing)?|privileges?|consent|landlock|seatbelt)\b
    and i \b(?:denied|rejected|declined|blocked|insufficient)\b
    and i \b(?:refused|cannot|can't|not (?:granted|allowed|permitted|approved|trusted|inside)|restrict\w{0,4})\b
    and i \b(?:requires?|required|needs?|error|failed|do you|one you)\b
  topic.spawn missing_dependency 0.5 roles=unknown,model
    i \b(?:spawn|execvp|posix_spawn|uv_spawn|launch|command|program|executable|requires)\b
    and i \bENOENT\b|\bnot found\b|\bfailed to spawn\b|\bno such (?:file|program)\b|\b(?:doesn't|does not) exist\b|\bcannot find\b
    and i \bin(?:stalled)?\b.{0,30}\bPATH\b
  topic.model environment 0.35 roles=unknown,model
    i \b(?:model|provider|deployment|sessions?|conversation)\b
    i \b(?:daemon|env(?:ironment)? vars?|profile|trusted directory|config(?:uration)?|settings)\b
    and i \b(?:not (?:found|supported|exist|set|running|configured|installed|inside|recogni[sz]ed)|unknown|unsupported|does not exist)\b
    and i \b(?:no .{1,40}(?:found|available|configured)|(?:can't|cannot|could not) (?:find|load)|error loading|not enabled)\b
    and i \b(?:may not exist|requires setting|was not specified|is it running)\b
  topic.overload overloaded 0.35 roles=unknown,model
    i \b(?:capacity|traffic|demand|load|servers?|services?|model|backend|upstream|provider|API)\b
    and i \b(?:overload(?:ed)?|busy|temporarily|unavailable|no capacity|high (?:traffic|demand|load)|maintenance|outage)\b
    and i \b(?:try again (?:later|shortly|soon|in a (?:few|moment|minute))|having (?:trouble|issues|problems))\b
    and i \b(?:an error occurred while processing|server error|internal error)\b
  topic.protocol tool_protocol_error 0.35 roles=unknown,model
    i \b(?:tools?(?: calls?| results?| use)?|function calls?|arguments|schema|(?:API )?response)\b
    i \b(?:LLM|model|completion|payload|output items?)\b
    and i \b(?:malformed|unpars[ae]ble|empty|unexpected|missing)\b
    and i \b(?:invalid|incomplete|corrupt(?:ed)?|truncated|did not (?:conform|match|provide|return))\b
    and i \b(?:(?:execution|call|use) failed|cannot be used|could not interpret|expected (?:exactly|one|a|an) .{1,60}\bgot)\b
    and i \b(?:could not (?:be )?pars|failed to parse|not valid|without a)\b
  topic.connection network_failure 0.35 roles=unknown,model
    i \b(?:connect(?:ion|ing|ed)?|network|internet|VPN|proxy|DNS|socket|stream|host(?:name)?)\b
    and i \b(?:fail(?:ed|s|ure)?|clos(?:ed|ing)|lost|refused|reset|dropped|disconnected|unreachable|offline|error)\b
    and i \b(?:aborted|broken|ended|terminated|could not|couldn't|unable|cannot|can't|check your|no)\b
    unless i \b(?:docker|podman|daemon)\b|\.sock\b
  topic.stopped interrupted 0.35 roles=unknown,model
    i \b(?:interrupted|cancell?(?:ed|ing)|pane is dead|stopped by (?:the )?(?:user|person|operator)|aborted by)\b
    unless i \b(?:0|no|if|when|not) (?:\w{1,20} )?(?:interrupted|cancell?ed)\b|\b(?:interrupted|cancell?ed)[:=] ?\d
`;
