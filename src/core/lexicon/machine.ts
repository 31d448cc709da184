/** `OF_MACHINES`: what a machine ran out of or does not permit, how it is set up, the network, deadlines. */
import { inLines } from '../text/in-lines.ts';

/** Files that a tool itself needs to run: without them the place is wrong, not the code. */
const FILE = inLines('')`
  package\.json|Cargo\.toml|CMakeLists\.txt|pom\.xml|\bPOM\b|build\.gradle(?:\.kts)?|settings\.gradle|go\.mod|pyproject\.toml|
  setup\.py|setup\.cfg|tsconfig[\w.]{0,40}\.json|[Mm]akefile|Dockerfile|(?:docker-)?compose\.ya?ml|Gemfile|composer\.json|mix\.exs|
  build\.sbt|Package\.swift|deno\.jsonc?|\w{1,40}\.config(?:\.\w{1,5})?|\.eslintrc|phpunit\.xml|tox\.ini|noxfile\.py|manage\.py|
  Chart\.yaml|kubeconfig|\.env\b|build\.xml|build\.ninja|meson\.build|WORKSPACE\.bazel|SConstruct|[Gg]ulpfile|[Gg]runtfile|conf\.py|
  alembic\.ini|\.[\w-]{1,40}(?:rc|config|conf|ignore|cfg)(?:\.\w{1,5})?|Pipfile(?:\.lock)?|\w{1,40}\.lock|
  [\w.-]{1,40}\.(?:conf|config)(?:\.\w{1,5})?|MODULE\.bazel|Rakefile|Procfile|Taskfile|[Jj]ustfile|requirements[\w.-]{0,40}\.txt|
  \w{1,60}\.(?:csproj|sln|cabal|gemspec|podspec|tf)|pubspec\.yaml|debian\/(?:changelog|control|rules)|project\.clj|deps\.edn|
  stack\.yaml|shard\.yml|dune-project|rebar\.config|elm\.json|angular\.json|nx\.json|turbo\.json|lerna\.json|ansible\.cfg|
  Vagrantfile|Jenkinsfile|serverless\.yml|wrangler\.toml|fly\.toml|netlify\.toml|configuration file|config file|project file|
  solution file|playbook`.source;

export const OF_MACHINES = String.raw`
  resource.disk resource_exhausted 0.7
    i \bEDQUOT\b|wrote only \d{1,12} of \d{1,12} bytes|(?:not enough|insufficient|out of) (?:free )?(?:disk )?(?:space|inodes)|\bENOSPC\b|
      No space left on device|disk (?:is )?full|Disk quota exceeded|database or disk is full|could not extend file|(?:\[Errno |
      os error )(?:2[78]|122)\b
    unless i file watchers|413|too large for (?:the )?(?:model|context)
  resource.memory resource_exhausted 0.7
    i cannot (?:allocate|reserve)|failed to allocate|(?:not enough|insufficient|virtual) memory|memory exhausted|oom-kill|GC overhead limit|
      out of memory|OutOfMemory|heap out of memory|MemoryError\b|\bENOMEM\b|bad_alloc|memory allocation of \d{1,12} bytes failed|
      Allocation failed|Unable to allocate|\bOOM\b(?:Killed| command|-kill|\b)|Java heap space|memory (?:usage )?limit (?:exceeded|of|
      reached)|Allowed memory size of|std::bad_alloc|used memory > 'maxmemory'|runtime: out of
    c ^(?:.{0,60}: )?(?:line \d{1,12}: )?(?:\d{1,12} )?Killed(?: .{0,200})?$|\(?(?:exit code|status) 137\)?
    unless i recommend|increase|MaxListeners|Killed by (?:signal|user)|failed to allocate (?:ip|port|address)
  resource.handles resource_exhausted 0.6
    i (?:cannot|can't) fork|fork failed|unable to create (?:new )?native thread|connection slots|pool (?:is )?exhausted|
      argument list too long|(?:\[Errno |os error )(?:12|23|24)\b|\bEMFILE\b|\bENFILE\b|too many open files|Too many open files|
      can't start new thread|(?:fork|clone|pthread_create)\S{0,20}:? .{0,40}Resource temporarily unavailable|
      retry: Resource temporarily unavailable|too many (?:clients|connections|processes|threads|users)|Too many connections|
      too many clients already|Resource temporarily unavailable
  http.auth auth_failure 0.6
    c  HTTP (?:401|403|407)$|^(?:\w{0,60}(?:Error|Exception): )?(?:Unauthorized|Forbidden)\.?$
  http.payment budget_exhausted 0.6
    c  HTTP (?:402)$
  http.too-many rate_limited 0.6
    c  HTTP (?:429)$
  http.timeout timeout 0.6
    c  HTTP (?:408)$
  http.server overloaded 0.6
    i ^(?:\w{0,60}(?:Error|Exception): )?(?:Bad Gateway|Service (?:Temporarily )?Unavailable|Gateway Time-?out|Internal Server Error)\.?$
    c  HTTP (?:5\d\d)$
  permission.agent permission_denied 0.6
    i requested permissions? (?:to|for) .{1,300}(?:haven't|have not|hasn't|has not|not) (?:been )?granted|(?:tool|command|edit|write|
      action) (?:use )?(?:was )?(?:rejected|declined|denied|not approved) by the (?:user|person|policy)|(?:doesn't|does not|didn't|
      did not) want to (?:proceed with|take) this (?:tool use|action)|(?:requires?|needs?|waiting for|pending) (?:the )?(?:user's |
      your )?(?:approval|permission|confirmation)\b
  permission.local permission_denied 0.5
    i \bEACCES\b|Permission denied|Read-only file system|AccessDeniedException|must be (?:run as )?(?:root|owner|superuser)|not permitted|
      insufficient permission|permission denied for (?:table|relation|schema|database|sequence|function|view|column)|
      attempt to write a readonly database|readonly database|permission (?:to use|for tool)|NotCapable|(?:cannot|can't|could not|unable to|
      failed to) (?:open|create) .{1,200} for (?:writing|output|append)|(?:do you|one you) trust
    unless i \((?:publickey|password)|dubious ownership in repository
  environment.port environment 0.6
    i \bEADDRINUSE\b|address (?:is )?already in use|port \d{1,12} is (?:already )?(?:in use|allocated|being used|occupied|taken)|(?:port|
      address) (?:is )?already (?:allocated|in use|bound)|BindException|Port \d{1,12} was already in use
    unless i trying (?:another|the next)|using (?:available )?port \d{1,12} instead|switching to
  environment.variable environment 0.5
    c \b(?<name>[A-Z][A-Z0-9]{0,80}_[A-Z0-9_]{1,80})\b["'´]? ?(?:environment variable )?(?:is |was |: )?(?:not set|unset|undefined|missing|
      required|must be set|not defined|unbound variable|parameter not set|is empty|not found in (?:the )?env|(?:not )?(?:defined|set|
      pointing) (?:in)?correctly|set to an? (?:invalid|wrong)|does not point to)|(?:[Mm]issing|[Rr]equired|[Uu]n(?:defined|
      set)) (?:required )?env(?:ironment variables?| vars?)?\b:? ?["'´]?(?:\b(?<name>[A-Z][A-Z0-9_]{2,60})\b)?|ImproperlyConfigured|
      (?<name>[A-Z][A-Z0-9_]{1,80}): unbound variable|JAVA_HOME|settings are not configured|KeyError: ['"](?<name>[A-Z][A-Z0-9_]{2,60})['"]|
      key not found: "(?<name>[A-Z][A-Z0-9_]{2,60})" \(KeyError\)
  environment.compiler-option environment 0.6 recoverable=true
    i \b(?:unknown|unrecogni[sz]ed|unsupported|invalid) (?:compiler|linker|command[- ]line|codegen|unstable|warning|
      debug output level) (?:option|flag|argument)\b|unknown argument:? '?-
  environment.version environment 0.6
    i \bEBADENGINE\b|requires (?:a )?(?:newer |a newer |at least )?(?:node|python|ruby|php|java|go|rust|rustc|gcc|npm|\.NET|glibc|cmake|
      gradle|perl)(?:\.js)?(?: version)?\b.{0,40}(?:\d|or (?:newer|later|higher))|requires a different Python|class file has wrong version|
      Unsupported class file|has been compiled by a more recent version|go\.mod requires go|CMake \d[\d.]{0,80} or higher is required|
      exec format error|error: externally-managed-environment|(?:\.venv|venv|virtualenv|\benv)\/(?:bin|Scripts)\/\w{1,80}: No such file|
      Unable to access jarfile
  environment.service environment 0.7
    i System has not been booted with systemd|Failed to connect to bus|cannot connect to Podman|
      connect(?:ion)? to (?:server on )?(?:unix )?socket .{0,120}failed|Can't connect to local .{0,60}socket|unix:\/\/\/\S{1,200}\.sock|
      (?:cannot|can't|could not|unable to) open (?:the )?display|Missing X server|gpg: .{0,60}(?:no secret key|agent)|dbus|ollama serve\b
    unless c \bECONNREFUSED\b|127\.0\.0\.1|port \d{1,12}
  environment.database-locked environment 0.5 recoverable=true transient=true
    i database is locked|(?:[Cc]ould not|[Cc]ouldn't|[Cc]annot|[Cc]an't|[Uu]nable to|[Ff]ailed to) (?:create\/)?(?:acquire|obtain|get|take|
      create) (?:the |an? )?(?:\w{1,20} )?lock\b|Error acquiring the state lock
    unless i \.git\/|index\.lock|git
  environment.database environment 0.65
    i \b(?:not an?|unknown|no such|unable to open|can(?:'|no)t open|could not open) (?:\w{1,20} )?database\b|
      \bdatabase\b.{0,100}\b(?:does not exist|malformed|corrupt(?:ed)?|damaged|incompatible|starting up|shutting down|in recovery)\b
  environment.configuration environment 0.6
    i \bEUSAGE\b|\b(?:existing|missing|no|without an?|needs an?|requires an?) [´'"]?[\w./-]{0,80}(?:package-lock|npm-shrinkwrap|\.lock\b|
      -lock\.|lock ?file)|frozen[ -]lockfile|(?:${FILE})['"´’]?(?: file)?(?::| was| is| could| does| not|,)? ?.{0,40}(?:No such file|
      not found|could not be found|does not exist|missing|\bENOENT\b|cannot find)|(?:\bENOENT\b|No such file or directory|does not exist|
      not found|cannot find).{0,120}(?:${FILE}|\binventory)\b|No POM|MSB1003|Could not find a Mix\.Project|
      does not appear to (?:be an? (?:\w{1,20} )?(?:project|workspace|application|app|directory|checkout)\b|contain)|
      couldn't find (?:an? )?(?:eslint|config|configuration)|ESLint couldn't find|context "[^"]{1,80}" does not exist|Failed to load config|
      You must specify a region|\b[Nn]o \w{2,30}file (?:was )?found|(?:config(?:uration)?|project|source) director(?:y|
      ies) .{0,40}(?:doesn't|does not|not) contain|No '\w{1,60}' key found in configuration|(?:can't|cannot|
      could not) find any (?:collection|task file|config)|[Cc]onfiguration error: |No ruleset|add rules to your|No (?:rules|
      plugins) (?:found|configured|specified)|Could not (?:locate|find) (?:a |an |the )?[A-Z]\w{1,20} (?:application|app|project|
      workspace)\b|config(?:uration)? file .{0,60}(?:not available|unavailable|not readable|is empty)|(?:didn't|did not|could not|
      couldn't) find .{0,60}in (?:the )?config(?:uration)?(?: file)?\b|(?:run|execute|running|
      use) [´'"“$ ]{0,3}(?:[\w./-]{2,40} ){1,3}(?:init|setup|configure|config|lock|bootstrap)\b|model_not_found|(?:model|engine|
      deployment) [´'"]?[\w.:/-]{2,80}[´'"]? (?:does not exist|not found|is not (?:available|supported|found)|was not found|
      isn't supported)|pull model manifest|\b(?:unknown|unrecogni[sz]ed|no such|invalid|unexpected|bad|illegal|undefined|
      ambiguous) (?:[\w-]{1,20} )?(?:options?|flags?|switch|subcommand)\b|\b(?:unknown|unrecogni[sz]ed|unexpected) arguments?\b
    c (?:[Cc]ould not|[Cc]ouldn't|[Cc]an ?not|[Cc]an't|[Uu]nable to|\bNo|\bnot|[Ff]ailed to|Neither directory)(?: find| read| locate| open|
       load| contain| contains| stat| access)?(?: a| an| the| any| build file)?(?: build file)?[ "'´]{1,2}[\w./@-]{0,160}(?:${FILE})\b|
      \b(?:[Nn]o|[Mm]issing)\b.{1,80}\b(?:specified|defined|configured|set|given) in (?:the |your )?[\w./-]{0,80}(?:${FILE})
    unless i git repository|ERR_MODULE_NOT_FOUND|fatal error: .{0,60}\.h|unknown option to ´s'|COPY failed|failed to (?:compute|
      calculate) cache
  network.connect-timeout network_failure 0.55
    i connect \bETIMEDOUT\b|\[Errno 110\]|connection (?:attempt )?(?:to \S{1,200} )?timed out(?! after \d{1,12} milliseconds with)
      (?: after (?<limit>[\d.]{1,12} ?(?:milliseconds|seconds|minutes|ms|s|m)\b))?|dial tcp .{0,80}i\/o timeout|TLS handshake timeout|
      Timed out while connecting|Unable to connect .{0,60}timed? ?out|os error 110|Operation timed out.{0,30}(?:connect|host)|
      \bconnect(?:ing)? time(?:d |-)?out\b|\bConnectTimeout(?:Error|Exception)?\b
    unless i Read error|APIConnectionTimeoutError|Read timed out|Operation timed out after
  timeout.limit timeout 0.6
    i \b(?:exceeded|failed|error)\b.{0,20}\btime-?out\b.{0,8}\b(?<limit>[\d.]{1,12} ?m?s)\b|Timeout of (?<limit>\d{1,12} ?ms) exceeded|
      \b(?:test|hook) timed out in (?<limit>\d{1,12} ?ms)|test timed out after|Test timeout of (?<limit>\d{1,12} ?ms) exceeded|
      timed out after (?<limit>[\d.]{1,80} ?(?:milliseconds|minutes|seconds|min|sec|ms|s|m))|panic: test timed out after|(?:did not|didn't|
      failed to|does not) (?:complete|finish|respond|answer|reply|return|start|stop|become \w{1,20}) (?:within|in|
      after) (?<limit>[\d.]{1,80} ?\w{1,80})
    unless i ^should |^Timeout of \d{1,12}ms exceeded by
  timeout.work timeout 0.5
    i time limit exceeded|deadline (?:has )?(?:elapsed|passed)|timer expired|socket\.timeout|MCP error -32001|-32001\b.{0,40}timed? ?out|
      time(?:d[ _]?)?out(?:Error|Exception|Expired|Failure)\b|(?:^|[\s:=])["']?Timeout["']?[.!]?$|\b(?:read|write|request|pool|client|
      socket|gateway|query|statement|response|task|job|step|command|operation)[ _]time-?out\b|\b(?:process|navigation|api|tool|lock|session|
      future|wait|lock wait|page|script)[ _]time-?out\b|canceling statement due to (?:statement|lock) timeout|\btimed[ -]?out\b|
      time-?out (?:exceeded|expired|reached|waiting|after)|timeout of \d{1,12}|(?:took|waited) (?:too long|longer than)|no (?:response|
      answer|reply)\b.{0,60}(?:within|after|in) \d{1,12}|The operation was aborted due to timeout|
      exceeded (?:the )?(?:maximum )?(?:execution )?time(?:out| limit)|Maximum execution time of|\bTimeout\b.{0,40}\bexceeded\b|
      Operation too slow|(?:connection|client|handshake) ?time-?out(?: expired|ed)?|\bE(?:SOCKET)?TIMEDOUT\b|deadline[ _]?exceeded|
      context deadline|UND_ERR_(?:HEADERS|BODY)_TIMEOUT|Timeout::(?:Error|ExitException)|(?:read|lock)timeout
    unless i retrying|will retry|attempt \d{1,12} of|Connection refused|ECONNREFUSED|sentinel|timed out: 0|0 timed out
  network.tls network_failure 0.7 recoverable=false transient=false
    i CERTIFICATE_VERIFY_FAILED|certificate verif(?:y|ication) failed|self[- ]signed certificate|SELF_SIGNED_CERT|
      unable to (?:get local issuer|verify the first) certificate|UNABLE_TO_VERIFY_LEAF_SIGNATURE|UNABLE_TO_GET_ISSUER_CERT|
      certificate (?:has expired|is not (?:yet )?valid|is not trusted|signed by unknown authority|required|problem)|
      certificate (?:validation failed|chain|hostname|subject name)|CERT_HAS_EXPIRED|ERR_CERT|ERR_TLS_CERT|x509:[ ]|
      does not match certificate|SSLHandshakeException|SSLPeerUnverified|PKIX path|SSL(?: certificate)? problem|SSLCertVerificationError|
      SSL routines|TLS handshake|ssl handshake|handshake (?:failed|failure)|tls: |invalid peer certificate|UnknownIssuer|CertificateUnknown|
      TLSV1_ALERT|WRONG_VERSION_NUMBER|\bEPROTO\b|SSL_ERROR|SSL_connect|no alternative certificate|certificate is not trusted|
      issuer is not trusted|could not establish (?:a )?trust|wrong version number
    unless i TLS handshake timeout
  network.name network_failure 0.65
    i \bENOTFOUND\b|EAI_AGAIN|EAI_NONAME|getaddrinfo (?:failed|error|for|E)|gaierror|Name or service not known|
      Temporary failure in name resolution|Temporary failure resolving|Could not resolve (?:host|proxy|hostname)|couldn't resolve host|
      no such host|[Ff]ailed to resolve ["'‘]?(?:[\w-]{1,60}\.){1,6}(?:com|net|org|io|dev|local|internal|invalid|example|lan|cloud)\b|
      nodename nor servname|UnknownHostException|unable to resolve host|name resolution failed|failed to lookup address|
      No address associated with hostname|unknown host|dns error|DNS lookup failed|NXDOMAIN|SERVFAIL|server misbehaving|
      ERR_NAME_NOT_RESOLVED|NameResolutionError|could not translate host name|Unknown MySQL server host|unable to resolve address|
      Network is unreachable and|php_network_getaddresses
  network.refused network_failure 0.6
    i \bECONNREFUSED\b|Connection refused|ConnectionRefused|[Ff]ailed (?:to )?download(?:ing)? https?:|actively refused|
      Couldn't connect to server|could not connect to (?:server|the server|host|\S{1,200}:\d{1,12})|Failed to connect to \S{1,200} port|
      [Cc]ould not (?:create|establish|open|make) (?:an? )?(?:\w{1,20} )?connection to|can(?:'|no)t connect to (?:\S{1,200} )?(?:MySQL|
      server|remote host|local MySQL|host|\S{1,200}:\d{1,12})|ERR_CONNECTION_REFUSED|connection (?:to|with) .{0,100}failed|
      failed to connect to (?:all addresses|server|host|the server)|unable to connect to\b|Error connecting to|No connection could be made|
      os error 111|\[Errno 111\]|ServerSelectionTimeoutError|MongoServerSelectionError|MongoNetworkError|tcp connect error|
      NewConnectionError|Could not connect to Redis|ServiceUnavailable.{0,20}bolt|NoBrokersAvailable|(?:can ?not|can't|could not|couldn't|
      unable to|failed to) (?:reach|contact|communicate with|talk to|establish a? ?connection)|could not be established|failed to dial
    unless i Podman|Docker daemon|docker API|unix:\/\/|\.sock\b|password authentication|does not exist|no password supplied|no pg_hba|
      too many|role "
  network.dropped network_failure 0.5
    i \bECONNRESET\b|Connection reset|ConnectionReset|connection (?:was )?(?:closed|dropped|lost|aborted|terminated|forcibly closed)|
      \bECONNABORTED\b|\bEPIPE\b.{0,40}(?:socket|connect|write)|socket hang up|other side closed|UND_ERR_SOCKET|Premature close|
      ERR_STREAM_PREMATURE_CLOSE|RemoteDisconnected|Remote end closed|server (?:closed|disconnected)|unexpected(?:ly)? (?:disconnect|
      closed)|: unexpected EOF$|EOF occurred in violation|ServerDisconnectedError|IncompleteRead|ChunkedEncodingError|incomplete (?:chunked|
      message|body)|RemoteProtocolError|peer closed connection|empty reply from server|transfer closed with|early EOF|
      the remote end hung up|hung up unexpectedly|stream (?:disconnected|closed|ended|error)|broken pipe.{0,40}(?:remote|connection|socket)|
      Connection (?:to|with) .{0,60} (?:closed|lost)|connection error\b|APIConnectionError|ERR_CONNECTION_(?:RESET|CLOSED)|\bENETUNREACH\b|
      \bEHOSTUNREACH\b|\bENETDOWN\b|Network is (?:unreachable|down)|No route to host|network (?:error|failure|is offline)|
      TypeError:? \(?(?:fetch failed|Failed to fetch|NetworkError)|fetch failed|terminated: other side|kex_exchange_identification|
      error reading from remote|HTTP\/2 stream .{0,40}(?:not closed|reset)|RPC failed;[ ]|curl 18|curl 56|Recv failure|Received HTTP\/0\.9|
      protocol error: bad line length|ClientConnectorError|ClientOSError|NetworkError|ConnectionError\b|(?:\[Errno |os error )(?:10[1-4]|
      113)\b|lost connection to|server has gone away|SSL connection has been closed unexpectedly|received fast shutdown|
      terminating connection due to administrator
    unless i MCP error|-32000|transport closed
`;
