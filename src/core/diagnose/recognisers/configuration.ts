/** `CONFIGURATION`: a file, a setting, a model or an option that the tool needs is absent or wrong. */
import { inOrder } from '../../text/in-order.ts';
import { oneOf } from '../../text/one-of.ts';
import { recogniser as r } from '../recogniser.ts';

/** Files that a tool itself needs to run: without them the place is wrong, not the code. */
const PROJECT_FILE = oneOf(
  /package\.json|Cargo\.toml|CMakeLists\.txt|pom\.xml|\bPOM\b|build\.gradle(?:\.kts)?|settings\.gradle/,
  /go\.mod|pyproject\.toml|setup\.py|setup\.cfg|tsconfig[\w.]{0,40}\.json|[Mm]akefile|Dockerfile/,
  /(?:docker-)?compose\.ya?ml|Gemfile|composer\.json|mix\.exs|build\.sbt|Package\.swift|deno\.jsonc?/,
  /\w{1,40}\.config(?:\.\w{1,5})?|\.eslintrc|phpunit\.xml|tox\.ini|noxfile\.py|manage\.py|Chart\.yaml/,
  /kubeconfig|\.env\b|build\.xml|build\.ninja|meson\.build|WORKSPACE\.bazel|SConstruct|[Gg]ulpfile/,
  /[Gg]runtfile|conf\.py|alembic\.ini|\.[\w-]{1,40}(?:rc|config|conf|ignore|cfg)(?:\.\w{1,5})?/,
  /Pipfile(?:\.lock)?|\w{1,40}\.lock|[\w.-]{1,40}\.(?:conf|config)(?:\.\w{1,5})?|MODULE\.bazel|Rakefile/,
  /Procfile|Taskfile|[Jj]ustfile|requirements[\w.-]{0,40}\.txt/,
  /\w{1,60}\.(?:csproj|sln|cabal|gemspec|podspec|tf)|pubspec\.yaml|debian\/(?:changelog|control|rules)/,
  /project\.clj|deps\.edn|stack\.yaml|shard\.yml|dune-project|rebar\.config|elm\.json|angular\.json/,
  /nx\.json|turbo\.json|lerna\.json|ansible\.cfg|Vagrantfile|Jenkinsfile|serverless\.yml|wrangler\.toml/,
  /fly\.toml|netlify\.toml|configuration file|config file|project file|solution file|playbook/,
);
const PROJECT_FILE_IN_ANY_CASE = new RegExp(PROJECT_FILE, 'i');

export const CONFIGURATION = [
  r('environment.configuration', 'environment', {
    says: [
      /\bEUSAGE\b|can only install packages when/i,
      inOrder(
        /\b(?:existing|missing|no|without an?|needs an?|requires an?) [`'"]?[\w./-]{0,80}/i,
        /(?:package-lock|npm-shrinkwrap|\.lock\b|-lock\.|lock ?file)/i,
      ),
      inOrder(
        [
          /package-lock|npm-shrinkwrap|yarn\.lock|pnpm-lock|Cargo\.lock|poetry\.lock|Gemfile\.lock|composer\.lock/i,
          /uv\.lock|go\.sum|requirements\.txt|lock ?file/i,
        ],
        /.{0,120}/i,
        [
          /not (?:be )?found|missing|does not exist|absent|out of (?:date|sync)|needs to be updated|not up to date/i,
          /outdated|is not in sync|No such file|cannot be (?:updated|parsed|found)|--locked|has changed/i,
        ],
      ),
      /ERR_PNPM_(?:OUTDATED_LOCKFILE|NO_LOCKFILE|NO_PKG_MANIFEST|NO_IMPORTER_MANIFEST)|frozen[ -]lockfile|No lockfile/i,
      inOrder(
        /(?:[Cc]ould not|[Cc]ouldn't|[Cc]an ?not|[Cc]an't|[Uu]nable to|\bNo|\bnot|[Ff]ailed to|Neither directory)/,
        /(?: find| read| locate| open| load| contain| contains| stat| access)?/,
        /(?: a| an| the| any| build file)?(?: build file)?[ "'`]{1,2}[\w./@-]{0,160}/,
        [PROJECT_FILE],
        /\b/,
      ),
      inOrder([PROJECT_FILE_IN_ANY_CASE], /['"`’]?(?: file)?(?::| was| is| could| does| not|,)? ?.{0,40}/i, [
        /No such file|not found|could not be found|does not exist|missing|\bENOENT\b|cannot find/i,
      ]),
      inOrder(
        /(?:\bENOENT\b|No such file or directory|does not exist|not found|cannot find).{0,120}/i,
        [PROJECT_FILE_IN_ANY_CASE, /\binventory/i],
        /\b/i,
      ),
      inOrder(
        /\b(?:[Nn]o|[Mm]issing)\b.{1,80}\b(?:specified|defined|configured|set|given) in /,
        /(?:the |your )?[\w./-]{0,80}/,
        [PROJECT_FILE],
      ),
      /There is no POM|No POM|requires a project to execute but there is no POM|No targets specified and no makefile/i,
      /No configuration file found|no configuration file provided|The specified path does not exist: '\S{1,200}\.json'/i,
      /MSB1003|MSB1009|no Gemfile|Could not locate Gemfile|could not find a Rakefile|No Rakefile found/i,
      /does not contain a Gradle build|go: cannot find main module|go\.mod file not found/i,
      /not (?:inside|in) a (?:Bazel|Cargo|Gradle|Mix|Rails|Flutter|Dart|npm|Nx|Laravel) (?:workspace|project)/i,
      /Could not find a Mix\.Project|is only supported from within a workspace/i,
      /does not appear to (?:be an? (?:\w{1,20} )?(?:project|workspace|application|app|directory|checkout)\b|contain)/i,
      /couldn't find (?:an? )?(?:eslint|config|configuration)|ESLint couldn't find/i,
      /no (?:project|configuration|config|inventory|settings) (?:file )?(?:was )?(?:found|specified|selected|given)/i,
      /not a (?:Terraform|Flutter|Dart|Yarn) |Backend initialization required|Required plugins are not installed/i,
      /run "?(?:terraform|tofu) init|Module not installed|Provider configuration not present|no context exists/i,
      /context "[^"]{1,80}" does not exist|error loading config file|Failed to load config/i,
      /profile .{0,60}(?:could not be found|not found)|You must specify a region|Could not find config/i,
      /\b[Nn]o \w{2,30}file (?:was )?found/i,
      /(?:config(?:uration)?|project|source) director(?:y|ies) .{0,40}(?:doesn't|does not|not) contain/i,
      /No '\w{1,60}' key found in configuration|(?:can't|cannot|could not) find any (?:collection|task file|config)/i,
      /[Cc]onfiguration error: |No ruleset|No configuration provided|add rules to your|Invalid(?:Config|Configuration)Error/i,
      /ConfigurationError|No (?:rules|plugins) (?:found|configured|specified)|matching configuration/i,
      /outside of (?:a|the) (?:project|workspace)|is not (?:a|an) \w{2,20} (?:project|workspace)\b/i,
      /no \w{2,20} (?:project|workspace) (?:found|detected)/i,
      /Could not (?:locate|find) (?:a |an |the )?[A-Z]\w{1,20} (?:application|app|project|workspace)\b/i,
      /the playbook: .{0,200}could not be found|Neither directory contains|Cannot read config file|failed to read config/i,
      /Unable to load configuration|config file .{0,100}(?:not found|does not exist|missing)/i,
      /configuration file .{0,100}(?:not found|does not exist|missing)/i,
      /config(?:uration)? file .{0,60}(?:not available|unavailable|not readable|is empty)/i,
      /(?:didn't|did not|could not|couldn't) find .{0,60}in (?:the )?config(?:uration)?(?: file)?\b/i,
      /(?:has|have) not (?:yet )?been (?:initiali[sz]ed|configured|set up)\b|is not (?:yet )?initiali[sz]ed\b/i,
      /(?:run|execute|running|use) [`'"“$ ]{0,3}(?:[\w./-]{2,40} ){1,3}(?:init|setup|configure|config|lock|bootstrap)\b/i,
      /(?:^|message"?: ?\\?["'])model: [\w.:@/-]{2,200}|model_not_found/i,
      inOrder(/(?:model|engine|deployment) [`'"]?[\w.:/-]{2,80}[`'"]? /i, [
        /does not exist|not found|is not (?:available|supported|found)|was not found|isn't supported/i,
      ]),
      /unknown model|invalid model|The model `[^`]{1,80}` does not exist|models\/\S{1,200} is not found|no such model/i,
      /not a valid model|DeploymentNotFound|ModelNotFound|pull model manifest|unsupported model/i,
      inOrder(
        /\b(?:unknown|unrecogni[sz]ed|no such|invalid|unexpected|bad|illegal|undefined|ambiguous) (?:[\w-]{1,20} )?/i,
        /(?:options?|flags?|switch|subcommand)\b/i,
      ),
      /\b(?:unknown|unrecogni[sz]ed|unexpected) arguments?\b/i,
      /\b(?:option|flag) .{0,40}(?:not (?:recognized|defined)|(?:requires|needs) an argument|is ambiguous)|flag needs an argument/i,
      /not a recogni[sz]ed (?:option|flag|argument)/i,
      /node_modules missing|run npm install|did you forget to run|dependencies (?:are )?not installed|pnp loader/i,
      /Usage Error: The project|This package doesn't seem to be present in your lockfile|doesn't seem to have been installed/i,
      /isn't in this lockfile|project .{0,80}not (?:part of|found in)/i,
    ],
    alone: 0.6,
    unless: oneOf(
      /git repository|ERR_MODULE_NOT_FOUND|fatal error: .{0,60}\.h|unknown option to `s'|COPY failed/i,
      /failed to (?:compute|calculate) cache/i,
    ),
    cause: 'A project or configuration file that the tool needs is absent or wrong',
    fix: 'Put the file or setting in its place, or correct it: {message}',
  }),
];
