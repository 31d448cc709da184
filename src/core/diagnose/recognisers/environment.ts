/** `ENVIRONMENT`: the machine is set up wrongly: versions, variables, ports, daemons, databases. */
import { inOrder } from '../../text/in-order.ts';
import { oneOf } from '../../text/one-of.ts';
import { recogniser as r } from '../recogniser.ts';

export const ENVIRONMENT = [
  r('environment.port', 'environment', {
    says: oneOf(
      /\bEADDRINUSE\b|address (?:is )?already in use|Address in use/i,
      /port \d{1,12} is (?:already )?(?:in use|allocated|being used|occupied|taken)/i,
      /(?:port|address) (?:is )?already (?:allocated|in use|bound)|\[Errno 98\]|\[Errno 48\]|os error 98/i,
      /Only one usage of each socket address|bind\(?\)?:? .{0,80}(?:in use|failed)|BindException|\bEADDRNOTAVAIL\b/i,
      /Cannot assign requested address|Port \d{1,12} was already in use/i,
    ),
    alone: 0.6,
    unless: /trying (?:another|the next)|using (?:available )?port \d{1,12} instead|switching to/i,
    cause: 'The address or port {host} is taken',
    fix: 'Stop the process that uses {host|it}, or choose another port',
  }),
  r('environment.variable', 'environment', {
    says: [
      inOrder(
        /\b(?:[Ee]nvironment variable|[Ee]nv var(?:iable)?|[Ee]nv|ENV)\b.{0,20}?["'`]?\b/,
        /(?<name>[A-Z][A-Z0-9_]{2,60})\b["'`]?.{0,30}/,
        /(?:not set|missing|required|undefined|unset|not defined|not found|must be|empty)/,
      ),
      inOrder(
        /\b(?<name>[A-Z][A-Z0-9]{0,80}_[A-Z0-9_]{1,80})\b["'`]? ?(?:environment variable )?(?:is |was |: )?/,
        [
          /not set|unset|undefined|missing|required|must be set|not defined|unbound variable|parameter not set/,
          /is empty|not found in (?:the )?env/,
        ],
      ),
      inOrder(
        /(?:[Mm]issing|[Rr]equired|[Uu]n(?:defined|set)) (?:required )?env(?:ironment variables?| vars?)?/,
        /\b:? ?["'`]?(?:\b(?<name>[A-Z][A-Z0-9_]{2,60})\b)?/,
      ),
      /(?:[Ss]et the|\b[Nn]o) (?:required )?env(?:ironment variables?| vars?)?\b:? ?["'`]?(?:\b(?<name>[A-Z][A-Z0-9_]{2,60})\b)?/,
      oneOf(
        /Set the (?<name>[A-Z][A-Z0-9_]{1,80}) environment variable|ImproperlyConfigured/,
        /(?<name>[A-Z][A-Z0-9_]{1,80}): unbound variable|(?<name>[A-Z][A-Z0-9_]{1,80}): parameter (?:null or )?not set/,
        /JAVA_HOME|ANDROID_HOME|DJANGO_SETTINGS_MODULE|Missing required (?:config|setting|configuration|secret)/,
        /settings are not configured|requires (?:the )?[A-Z_]{4,60} to be set|could not find env/,
      ),
      /KeyError: ['"](?<name>[A-Z][A-Z0-9_]{2,60})['"]/,
      /key not found: "(?<name>[A-Z][A-Z0-9_]{2,60})" \(KeyError\)/,
    ],
    alone: 0.5,
    unless: /\b(?:defined|set) (?:in)?correctly|set to an? (?:invalid|wrong|missing)/,
    cause: 'The environment variable {name} is not set',
    fix: 'Set {name|the variable} where this command runs: shell, .env file or CI settings',
  }),
  r('environment.wrong-variable', 'environment', {
    says: inOrder(
      /\b(?<name>[A-Z][A-Z0-9]{0,80}_[A-Z0-9_]{1,80})\b["'`]? (?:environment variable )?(?:is |was )?/,
      [
        /(?:not )?(?:defined|set|pointing) (?:in)?correctly|set to an? (?:invalid|wrong|missing)/,
        /invalid\b|does not point to/,
      ],
    ),
    alone: 0.5,
    cause: 'The environment variable {name} does not name what is needed',
    fix: 'Correct the value of {name|the variable} where this command runs',
  }),
  r('environment.compiler-option', 'environment', {
    says: oneOf(
      inOrder(
        /\b(?:unknown|unrecogni[sz]ed|unsupported|invalid) /i,
        /(?:compiler|linker|command[- ]line|codegen|unstable|warning|debug output level) (?:option|flag|argument)\b/i,
      ),
      /unknown argument:? '?-|unsupported option '|invalid flag: -/i,
      /Option '[\w-]{1,80}' (?:cannot be|has been removed|requires value|can only be)/i,
    ),
    alone: 0.6,
    recoverable: true,
    cause: 'The compiler does not know an option that it was given: {message}',
    fix: 'Remove or correct the option, or use a compiler that knows it: {message}',
  }),
  r('environment.version', 'environment', {
    says: [
      /\bEBADENGINE\b|Unsupported engine|engine "?\w{1,80}"? is incompatible/i,
      /incompatible (?:with (?:your|this|the) (?:\w{1,80} )?version|version)/i,
      inOrder(
        /requires (?:a )?(?:newer |a newer |at least )?/i,
        /(?:node|python|ruby|php|java|go|rust|rustc|gcc|npm|\.NET|glibc|cmake|gradle|perl)(?:\.js)?(?: version)?/i,
        /\b.{0,40}(?:\d|or (?:newer|later|higher))/i,
      ),
      /Requires-Python|requires Python|requires-python|requires a different Python/i,
      /does not support (?:this )?(?:node|python|java|ruby) version/i,
      /unsupported (?:Python|Node|Java|Ruby|PHP|class file|major|minor) version|UnsupportedClassVersionError/i,
      /class file has wrong version|Unsupported class file|has been compiled by a more recent version/i,
      /release version \d{1,12} not supported|invalid (?:target|source) release|requires rustc/i,
      /package .{0,80} requires (?:rustc|node|go)|toolchain .{0,40}(?:not available|unavailable)|go\.mod requires go/i,
      /note: module requires Go|Your Ruby version is|php version|requires php|CMake \d[\d.]{0,80} or higher is required/i,
      /version mismatch|is not a supported (?:version|runtime)|wrong (?:node|python|java|ruby) version/i,
      /is not supported on this platform|Unsupported (?:platform|architecture|OS|operating system)|exec format error/i,
      /wrong ELF class|Bad CPU type|NODE_MODULE_VERSION|compiled against a different Node|ERR_DLOPEN_FAILED/i,
      /ERR_PNPM_UNSUPPORTED_ENGINE|current (?:Node|node|Python) version .{0,60}(?:not|doesn't)|unsupported locale/i,
      /cannot change locale|locale\.Error|Invalid or unsupported version/i,
      /You are using (?:Node|node|Python|npm) .{0,60}(?:require|support)/i,
      /error: externally-managed-environment|externally managed|not in a virtual ?env|No virtual environment/i,
      /(?:\.venv|venv|virtualenv|\benv)\/(?:bin|Scripts)\/\w{1,80}: No such file|Unable to access jarfile/i,
      /Could not find an activated virtualenv|virtualenv (?:is )?(?:not|required|missing)/i,
      /venv .{0,40}(?:not found|does not exist|missing)|ensurepip is not available/i,
    ],
    alone: 0.6,
    cause: 'The installed version does not fit',
    fix: 'Use the version that is asked for: {message}',
  }),
  r('environment.service', 'environment', {
    says: oneOf(
      /Cannot connect to the Docker daemon|Error while fetching server API version|Is the docker daemon running/i,
      /docker daemon is not running|failed to connect to the docker API|System has not been booted with systemd/i,
      /Failed to connect to bus|could not connect to .{0,60}socket|daemon (?:is )?not (?:running|responding)/i,
      /is (?:the )?(?:server|daemon|service) running|cannot connect to Podman|Unable to connect to Podman/i,
      /connect(?:ion)? to (?:server on )?(?:unix )?socket .{0,120}failed|through socket '[^']{0,120}'/i,
      /Can't connect to local .{0,60}socket|dial unix|unix:\/\/\/\S{1,200}\.sock|adb: no devices|no display/i,
      /(?:cannot|can't|could not|unable to) open (?:the )?display/i,
      /Missing X server|DISPLAY environment|DevToolsActivePort|no usable sandbox|No X11 DISPLAY/i,
      /agent refused operation|gpg: .{0,60}(?:no secret key|agent)|D-Bus|dbus|ollama (?:server )?(?:is )?not running/i,
      /ollama serve\b|no kubeconfig|current-context is not set|no configuration has been provided/i,
    ),
    alone: 0.7,
    unless: /\bECONNREFUSED\b|127\.0\.0\.1|port \d{1,12}/,
    cause: 'A service of this machine is not running',
    fix: 'Start the service and check that this user may use it: {message}',
  }),
  r('environment.database-locked', 'environment', {
    says: oneOf(
      /database is locked|SQLITE_BUSY|database table is locked|Could not get lock \/var|Unable to acquire the dpkg/i,
      /Resource deadlock|is another process using it|Waiting for (?:cache|another) .{0,40}lock/i,
      inOrder(
        /(?:[Cc]ould not|[Cc]ouldn't|[Cc]annot|[Cc]an't|[Uu]nable to|[Ff]ailed to) (?:create\/)?/i,
        /(?:acquire|obtain|get|take|create) (?:the |an? )?(?:\w{1,20} )?lock\b/i,
      ),
      /is (?:already )?locked by|lock file .{0,60}(?:exists|held)|\bEBUSY\b|Text file busy|already locked/i,
      /Error acquiring the state lock|ConditionalCheckFailed|Timeout waiting to lock/i,
    ),
    alone: 0.5,
    unless: /\.git\/|index\.lock|git/i,
    recoverable: true,
    transient: true,
    cause: 'Something else holds the lock',
    fix: 'Wait until the other process lets go of the lock, or end that process',
  }),
  r('environment.database', 'environment', {
    says: oneOf(
      /\b(?:not an?|unknown|no such|unable to open|can(?:'|no)t open|could not open) (?:\w{1,20} )?database\b/i,
      /\bdatabase\b.{0,100}\b(?:does not exist|malformed|corrupt(?:ed)?|damaged|incompatible|starting up|shutting down|in recovery)\b/i,
      /SQLITE_(?:CORRUPT|NOTADB|CANTOPEN)|is not a SQLite|3D000|LOADING Redis|MISCONF|READONLY You can't write/i,
    ),
    alone: 0.65,
    cause: 'The database is absent or damaged',
    fix: 'Create or restore the database: {message}',
  }),
];
