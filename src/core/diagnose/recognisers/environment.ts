/** The machine is set up wrongly: versions, variables, ports, daemons, configuration files, databases. */
import { recogniser as r } from '../recogniser.ts';

export const ENVIRONMENT = [
  r(
    'environment.port',
    'environment',
    [
      /\bEADDRINUSE\b|address (?:is )?already in use|Address in use|port \d{1,12} is (?:already )?(?:in use|allocated|being used|occupied|taken)|(?:port|address) (?:is )?already (?:allocated|in use|bound)|\[Errno 98\]|\[Errno 48\]|os error 98|Only one usage of each socket address|bind\(?\)?:? .{0,80}(?:in use|failed)|BindException|\bEADDRNOTAVAIL\b|Cannot assign requested address|Port \d{1,12} was already in use/i,
    ],
    {
      alone: 0.6,
      unless: /trying (?:another|the next)|using (?:available )?port \d{1,12} instead|switching to/i,
      cause: 'The address or port {host} is taken',
      examples: [
        'Error: listen EADDRINUSE: address already in use :::3000',
        'OSError: [Errno 98] Address already in use',
        'nginx: [emerg] bind() to 0.0.0.0:80 failed (98: Address already in use)',
        'java.net.BindException: Address already in use',
      ],
    },
  ),
  r(
    'environment.variable',
    'environment',
    [
      /(?:environment variable|env var(?:iable)?|env)\b.{0,20}["'`]?(?<name>[A-Z][A-Z0-9_]{2,60})["'`]?.{0,30}(?:is |was |are )?(?:not set|missing|required|undefined|unset|not defined|not found|must be|empty)/i,
      /\b(?<name>[A-Z][A-Z0-9]{0,80}_[A-Z0-9_]{1,80})\b["'`]? ?(?:environment variable )?(?:is |was |: )?(?:not set|unset|undefined|missing|required|must be set|not defined|unbound variable|parameter not set|is empty|not found in (?:the )?env)/,
      /(?:missing|required|undefined|unset|set the|no) (?:required )?(?:environment variables?|env vars?|env)\b:? ?["'`]?(?<name>[A-Z][A-Z0-9_]{2,60})?/i,
      /Set the (?<name>[A-Z][A-Z0-9_]{1,80}) environment variable|ImproperlyConfigured|(?<name>[A-Z][A-Z0-9_]{1,80}): unbound variable|(?<name>[A-Z][A-Z0-9_]{1,80}): parameter (?:null or )?not set|JAVA_HOME|ANDROID_HOME|DJANGO_SETTINGS_MODULE|Missing required (?:config|setting|configuration|secret)|settings are not configured|requires (?:the )?[A-Z_]{4,60} to be set|could not find env/,
      /KeyError: ['"](?<name>[A-Z][A-Z0-9_]{2,60})['"]/,
      /key not found: "(?<name>[A-Z][A-Z0-9_]{2,60})" \(KeyError\)/,
    ],
    {
      alone: 0.5,
      cause: 'The environment variable {name} is not set',
      examples: [
        'Error: Missing required environment variable: DATABASE_URL',
        'DATABASE_URL is not set',
        "KeyError: 'STRIPE_API_URL'",
        './deploy.sh: line 3: REGION: unbound variable',
        'django.core.exceptions.ImproperlyConfigured: The SECRET_KEY setting must not be empty.',
        "ERROR: JAVA_HOME is not set and no 'java' command could be found in your PATH.",
        'key not found: "PORT_NUMBER" (KeyError)',
      ],
    },
  ),
  r(
    'environment.compiler-option',
    'environment',
    [
      /Unknown compiler option|unrecognized (?:command[- ]line|debug output level) option|unknown argument:? '?-|unsupported option '|invalid flag: -|error: unknown (?:codegen|unstable) option|unknown warning option|Option '[\w-]{1,80}' (?:cannot be|has been removed|requires value|can only be)/i,
    ],
    {
      alone: 0.6,
      recoverable: true,
      cause: 'The compiler does not know an option that it was given: {message}',
      examples: [
        "error TS5023: Unknown compiler option '--strictt'.",
        'gcc: error: unrecognized command-line option ‘-fnope’; did you mean ‘-fdce’?',
        "clang: error: unknown argument: '-fnope'",
      ],
    },
  ),
  r(
    'environment.version',
    'environment',
    [
      /\bEBADENGINE\b|Unsupported engine|engine "?\w{1,80}"? is incompatible|incompatible (?:with (?:your|this|the) (?:\w{1,80} )?version|version)|requires (?:a )?(?:newer |a newer |at least )?(?:node|python|ruby|php|java|go|rust|rustc|gcc|npm|\.NET|glibc|cmake|gradle|perl)(?:\.js)?(?: version)?\b.{0,40}(?:\d|or (?:newer|later|higher))|Requires-Python|requires Python|requires-python|requires a different Python|does not support (?:this )?(?:node|python|java|ruby) version|unsupported (?:Python|Node|Java|Ruby|PHP|class file|major|minor) version|UnsupportedClassVersionError|class file has wrong version|Unsupported class file|has been compiled by a more recent version|release version \d{1,12} not supported|invalid (?:target|source) release|requires rustc|package .{0,80} requires (?:rustc|node|go)|toolchain .{0,40}(?:not available|unavailable)|go\.mod requires go|note: module requires Go|Your Ruby version is|php version|requires php|CMake \d[\d.]{0,80} or higher is required|version mismatch|is not a supported (?:version|runtime)|wrong (?:node|python|java|ruby) version|is not supported on this platform|Unsupported (?:platform|architecture|OS|operating system)|exec format error|wrong ELF class|Bad CPU type|NODE_MODULE_VERSION|compiled against a different Node|ERR_DLOPEN_FAILED|ERR_PNPM_UNSUPPORTED_ENGINE|current (?:Node|node|Python) version .{0,60}(?:not|doesn't)|unsupported locale|cannot change locale|locale\.Error|Invalid or unsupported version|You are using (?:Node|node|Python|npm) .{0,60}(?:require|support)/i,
      /error: externally-managed-environment|externally managed|not in a virtual ?env|No virtual environment|(?:\.venv|venv|virtualenv|\benv)\/(?:bin|Scripts)\/\w{1,80}: No such file|Unable to access jarfile|Could not find an activated virtualenv|virtualenv (?:is )?(?:not|required|missing)|venv .{0,40}(?:not found|does not exist|missing)|ensurepip is not available/i,
    ],
    {
      alone: 0.6,
      cause: 'The installed version does not fit',
      examples: [
        'npm error code EBADENGINE',
        'error: externally-managed-environment',
        'java.lang.UnsupportedClassVersionError: App has been compiled by a more recent version of the Java Runtime',
        "ERROR: Package 'x' requires a different Python: 3.11.2 not in '>=3.13'",
        'go: go.mod requires go >= 1.99 (running go 1.22)',
        'CMake Error at CMakeLists.txt:1 (cmake_minimum_required): CMake 9.0 or higher is required.',
      ],
    },
  ),
  r(
    'environment.service',
    'environment',
    [
      /Cannot connect to the Docker daemon|Is the docker daemon running|docker daemon is not running|failed to connect to the docker API|System has not been booted with systemd|Failed to connect to bus|could not connect to .{0,60}socket|daemon (?:is )?not (?:running|responding)|is (?:the )?(?:server|daemon|service) running|cannot connect to Podman|Unable to connect to Podman|connect(?:ion)? to (?:server on )?(?:unix )?socket .{0,120}failed|through socket '[^']{0,120}'|Can't connect to local .{0,60}socket|dial unix|unix:\/\/\/\S{1,200}\.sock|adb: no devices|no display|cannot open display|Missing X server|DISPLAY environment|DevToolsActivePort|no usable sandbox|No X11 DISPLAY|agent refused operation|gpg: .{0,60}(?:no secret key|agent)|D-Bus|dbus|ollama (?:server )?(?:is )?not running|no kubeconfig|current-context is not set|no configuration has been provided/i,
    ],
    {
      alone: 0.7,
      unless: /\bECONNREFUSED\b|127\.0\.0\.1|port \d{1,12}/,
      cause: 'A service of this machine is not running',
      examples: [
        'Cannot connect to the Docker daemon at unix:///var/run/docker.sock. Is the docker daemon running?',
        "System has not been booted with systemd as init system (PID 1). Can't operate.",
        "ERROR 2002 (HY000): Can't connect to local MySQL server through socket '/run/mysqld/mysqld.sock' (2)",
        'psql: error: connection to server on socket "/var/run/postgresql/.s.PGSQL.5432" failed: No such file or directory',
        'error: Missing X server or $DISPLAY',
      ],
    },
  ),
  r(
    'environment.database-locked',
    'environment',
    [
      /database is locked|SQLITE_BUSY|database table is locked|Could not get lock \/var|Unable to acquire the dpkg|Resource deadlock|is another process using it|Waiting for (?:cache|another) .{0,40}lock|Could not acquire lock|lock file .{0,60}(?:exists|held)|\bEBUSY\b|Text file busy|already locked|Error acquiring the state lock|ConditionalCheckFailed|Timeout waiting to lock/i,
    ],
    {
      alone: 0.5,
      unless: /\.git\/|index\.lock|git/i,
      recoverable: true,
      transient: true,
      cause: 'Another process holds the lock',
      examples: ['sqlite3.OperationalError: database is locked', 'Error: Error acquiring the state lock'],
    },
  ),
  r(
    'environment.database',
    'environment',
    [
      /database "?[\w-]{1,80}"? does not exist|Unknown database|no such database|file is not a database|database disk image is malformed|SQLITE_CORRUPT|SQLITE_NOTADB|unable to open database file|SQLITE_CANTOPEN|is not a SQLite|database files are incompatible|the database system is (?:starting up|shutting down|in recovery)|3D000|Can't open database|LOADING Redis|MISCONF|READONLY You can't write/i,
    ],
    {
      alone: 0.65,
      cause: 'The database is absent or damaged',
      examples: [
        'FATAL:  database "shop" does not exist',
        "ERROR 1049 (42000): Unknown database 'shop'",
        'sqlite3.DatabaseError: file is not a database',
        'Error: unable to open database file',
      ],
    },
  ),
  r(
    'environment.configuration',
    'environment',
    [
      /\bEUSAGE\b|can only install (?:with|packages when)|(?:package-lock|npm-shrinkwrap|yarn\.lock|pnpm-lock|Cargo\.lock|poetry\.lock|Gemfile\.lock|composer\.lock|uv\.lock|go\.sum|requirements\.txt|lock ?file).{0,120}(?:not (?:be )?found|missing|does not exist|absent|out of (?:date|sync)|needs to be updated|not up to date|outdated|is not in sync|No such file|cannot be (?:updated|parsed|found)|--locked|has changed)|ERR_PNPM_(?:OUTDATED_LOCKFILE|NO_LOCKFILE|NO_PKG_MANIFEST|NO_IMPORTER_MANIFEST)|frozen[ -]lockfile|No lockfile/i,
      /(?:Could not|could not|Couldn't|cannot|can't|unable to|Unable to|No|not|failed to|Failed to) (?:find |read |locate |open |load |contain |stat )?(?:a |an |the |any )?["'`]?[\w./@-]{0,160}(?:package\.json|Cargo\.toml|CMakeLists\.txt|pom\.xml|\bPOM\b|build\.gradle|go\.mod|pyproject\.toml|setup\.py|tsconfig[\w.]{0,80}\.json|Makefile|makefile|Dockerfile|docker-compose\.ya?ml|compose\.ya?ml|Gemfile|composer\.json|mix\.exs|build\.sbt|Package\.swift|deno\.jsonc?|jest\.config|vite\.config|webpack\.config|eslint\.config|\.eslintrc|rollup\.config|playwright\.config|phpunit\.xml|tox\.ini|noxfile\.py|manage\.py|Chart\.yaml|kubeconfig|\.env|build\.xml|meson\.build|WORKSPACE|MODULE\.bazel|Rakefile|Procfile|Taskfile|justfile|BUILD|configuration file|config file|project file|solution file|configuration files?)\b/,
      /(?:package\.json|Cargo\.toml|CMakeLists\.txt|pom\.xml|build\.gradle|go\.mod|pyproject\.toml|tsconfig[\w.]{0,80}\.json|Dockerfile|compose\.ya?ml|Gemfile|composer\.json|mix\.exs|Package\.swift|Chart\.yaml|meson\.build|Rakefile|justfile|manage\.py|requirements\.txt|setup\.cfg|\w{1,80}\.config\.\w{1,80}|\w{1,80}\.toml|\.csproj|\.sln)['"`’]?(?: file)?(?::| was| is| could| does| not|,)? ?.{0,40}(?:No such file|not found|could not be found|does not exist|missing|\bENOENT\b|cannot find)/i,
      /(?:\bENOENT\b|No such file or directory|does not exist|not found|cannot find).{0,120}(?:package\.json|Cargo\.toml|CMakeLists\.txt|pom\.xml|build\.gradle|go\.mod|pyproject\.toml|tsconfig[\w.]{0,80}\.json|Dockerfile|compose\.ya?ml|Gemfile|composer\.json|mix\.exs|Package\.swift|Chart\.yaml|meson\.build|requirements[\w.-]{0,80}\.txt|\.csproj|\w{1,80}\.config\.\w{1,80}|inventory|\.env)\b/i,
      /There is no POM|No POM|requires a project to execute but there is no POM|No targets specified and no makefile|No configuration file found|no configuration file provided|The specified path does not exist: '\S{1,200}\.json'|MSB1003|MSB1009|no Gemfile|Could not locate Gemfile|could not find a Rakefile|No Rakefile found|does not contain a Gradle build|go: cannot find main module|go\.mod file not found|not (?:inside|in) a (?:Bazel|Cargo|Gradle|Mix|Rails|Flutter|Dart|npm|Nx|Laravel) (?:workspace|project)|Could not find a Mix\.Project|is only supported from within a workspace|does not appear to (?:be a|contain)|couldn't find (?:an? )?(?:eslint|config|configuration)|ESLint couldn't find|no (?:project|configuration|config|inventory|settings) (?:file )?(?:was )?(?:found|specified|selected|given)|not a (?:Terraform|Flutter|Dart|Yarn) |Backend initialization required|Required plugins are not installed|run "?(?:terraform|tofu) init|Module not installed|Provider configuration not present|no context exists|context "[^"]{1,80}" does not exist|error loading config file|Failed to load config|profile .{0,60}(?:could not be found|not found)|You must specify a region|Could not find config|Cannot read config file|failed to read config|Unable to load configuration|config file .{0,100}(?:not found|does not exist|missing)|configuration file .{0,100}(?:not found|does not exist|missing)/i,
      /model: \S{1,200}|model_not_found|(?:model|engine|deployment) [`'"]?[\w.:/-]{2,80}[`'"]? (?:does not exist|not found|is not (?:available|supported|found)|was not found|isn't supported)|unknown model|invalid model|The model `[^`]{1,80}` does not exist|models\/\S{1,200} is not found|no such model|not a valid model|DeploymentNotFound|unsupported model/i,
      /unrecognized (?:arguments?|option|subcommand)|unknown (?:option|flag|argument|switch|shorthand flag|long option)|no such option|invalid (?:option|flag|switch)|unexpected argument|bad option|illegal option|Unknown argument|option .{0,40}(?:not recognized|requires an argument|is ambiguous)|flag provided but not defined|Unrecognized option|not a recognized option|flag needs an argument/i,
      /node_modules missing|run npm install|did you forget to run|dependencies (?:are )?not installed|pnp loader|Usage Error: The project|This package doesn't seem to be present in your lockfile|doesn't seem to have been installed|isn't in this lockfile|project .{0,80}not (?:part of|found in)/i,
    ],
    {
      alone: 0.6,
      unless:
        /git repository|ERR_MODULE_NOT_FOUND|fatal error: .{0,60}\.h|unknown option to `s'|COPY failed|failed to (?:compute|calculate) cache/i,
      cause: 'A project or configuration file that the tool needs is absent or wrong',
      examples: [
        'npm error The `npm ci` command can only install with an existing package-lock.json',
        'error: could not find `Cargo.toml` in `/srv/app` or any parent directory',
        'CMake Error: The source directory "/srv/app" does not appear to contain CMakeLists.txt.',
        "npm error enoent Could not read package.json: Error: ENOENT: no such file or directory, open '/srv/app/package.json'",
        'make: *** No targets specified and no makefile found.  Stop.',
        'MSBUILD : error MSB1003: Specify a project or solution file.',
        'Could not locate Gemfile or .bundle/ directory',
        "go: go.mod file not found in current directory or any parent directory; see 'go help modules'",
        'The model `gpt-9` does not exist or you do not have access to it.',
        'error: unrecognized arguments: --cov=src',
        "ESLint couldn't find an eslint.config.(js|mjs|cjs) file.",
      ],
    },
  ),
];
