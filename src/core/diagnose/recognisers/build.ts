/** `BUILD`: the work does not build: rules of the architecture, imports, syntax, targets, compilers, linters. */
import { inOrder } from '../../text/in-order.ts';
import { oneOf } from '../../text/one-of.ts';
import { recogniser as r } from '../recogniser.ts';

export const BUILD = [
  r('code.architecture', 'build_failure', {
    says: oneOf(
      /\b[Aa]rchitect(?:ure|ural) (?:violation|rule|constraint)s?\b|\b[Ll]ayer(?:ing)? violation|\b[Bb]oundary violation/,
      /\b(?:must|should|may) not (?:import|depend on|be imported (?:by|from))\b|is not allowed to (?:import|depend on)\b/,
      /\b[Dd]ependency rule (?:violated|broken)|[Ff]orbidden (?:import|dependency)\b/,
    ),
    alone: 0.6,
    byRole: 'build_failure',
    // Whether the code or the rule gives way is a decision: trying again decides nothing.
    recoverable: false,
    category: 'constraint_conflict',
    cause: 'The change breaks a rule of the architecture: {message}',
  }),
  r('code.cycle', 'build_failure', {
    says: oneOf(
      /import cycle not allowed|[Cc]ircular (?:import|dependency|reference)s? (?:detected|found|between|in\b|\()/,
      /\(most likely due to a circular import\)|cyclic (?:package )?dependency/,
      /[Dd]ependency cycle (?:detected|found|between|in)|cycle detected (?:when|in|while)/,
      /[Ff]ound \d{1,12} (?:circular|cyclic)/,
    ),
    alone: 0.6,
    unless: /dependency dropped|Warning/,
    byRole: 'build_failure',
    // Which side gives way is a decision about the architecture: trying again decides nothing.
    recoverable: false,
    category: 'constraint_conflict',
    cause: 'The parts depend on each other in a circle: {message}',
    fix: 'Take one dependency out of the circle, for example by moving what both sides need into a third part',
  }),
  r('code.own-import-resolved', 'build_failure', {
    says: [
      inOrder(
        /(?:Could not|Couldn't|Can't|Cannot|Failed to|Unable to) (?:resolve|load|find)(?! module) /i,
        /(?:import |module |file |path )?["'`](?<module>\.[^"'`]{1,300})["'`]/i,
      ),
      inOrder(
        /(?:Could not|Couldn't|Can't|Cannot|Failed to|Unable to) (?:open|find|load|read|locate) /i,
        /(?:import|include|template|partial|source|input)(?:d? file)? ["'`]?(?<module>(?![<@])[\w./-]{1,300})/i,
      ),
    ],
    alone: 0.6,
    byRole: 'build_failure',
    cause: 'The import of {module} points to a file that does not exist',
  }),
  r('code.own-import', 'build_failure', {
    says: oneOf(
      /Cannot find module '(?<module>(?:\.|\/|[A-Z]:)[^']{1,300})'/,
      /Failed to (?:resolve import|load url) "?(?<module>\.[^" ]{1,300})|cannot load such file -- (?<module>[./]\S{1,300})/,
      /Unable to resolve (?:path to )?module '?(?<module>\.[^' ]{1,300})|Module not found "file:/,
    ),
    alone: 0.6,
    byRole: 'runtime_error',
    cause: 'The import of {module} points to a file that does not exist',
  }),
  r('build.named-stage', 'build_failure', {
    says: [
      /^(?:STATIC|COMPILE|COMPILATION|COMPILER|LINK|LINKER|LEXICAL|LEXER|SEMANTIC|TYPE|TEMPLATE|MACRO|ELABORATION) ERROR\b/,
      /^(?:[Ss]tatic|[Cc]ompile|[Cc]ompilation|[Cc]ompiler|[Ll]inker|[Ll]exical|[Ll]exer|[Ss]emantic|[Tt]emplate) error\b/,
      /^(?:[Mm]acro|[Ee]laboration) error\b/,
    ],
    alone: 0.6,
    cause: '{message}',
  }),
  r('build.parse', 'build_failure', {
    says: oneOf(
      /SyntaxError|IndentationError|TabError|ParseError\b|ParserError|[Ss]yntax error|[Pp]arse [Ee]rror|Parsing error/,
      /(?:[Cc]annot|[Cc]an't|[Cc]ould not|[Uu]nable to) parse|pars(?:e|ing) (?:failed|errors?)|Unexpected token/,
      /unexpected token|Unterminated|unterminated|[Uu]nexpected [;,)\]}:(](?: |$)/,
      /unexpected (?:end of (?:file|input)|EOF|character|indent)|\bEJSONPARSE\b|Failed to parse|failed to parse|error parsing/,
      /invalid syntax|expected expression|unclosed|mismatched input|yaml: line|YAMLException|ScannerError|TomlDecodeError/,
      /TOMLDecodeError|could not find expected|mapping values are not allowed|Invalid JSON in|parse failure|malformed/,
      /unmatched|Non-parseable POM|XML parsing|missing separator|SyntaxException|unparse?able|expected \(to close/,
      /near (?:<eof>|'[^']{1,20}')$|unfinished string|unexpected '[^']{1,10}' in/,
      /unexpected (?:symbol|string constant|numeric constant|end of input)|Syntax Error\b/,
      /unknown (?:directive|keyword|section)|[Uu]nrecogni[sz]ed token|bad character class|parser error|tag mismatch/,
      /read-syntax|does not contain valid JSON|unable to read either as JSON/,
    ),
    alone: 0.35,
    unless: oneOf(
      /\.(?:gz|tgz|xz|zip|tar|zst|bz2|7z|rar|pdf|png|jpe?g|gif)\b|\bSQL\b|\bquery\b|near "|LINE \d{1,12}:/,
      /JSON at position|is not valid JSON/,
    ),
    cause: '{file} does not parse: {message}',
  }),
  r('build.source-missing', 'build_failure', {
    says: [
      /(?:Source|target|file) [`'"](?<name>[^`'"]{1,200})['"`](?: not found)?,? needed by (?:target )?[`'"]/i,
      /needed by (?:target )?[`'"]/i,
    ],
    alone: 0.7,
    cause: 'A file that the build needs does not exist and no rule makes it: {message}',
    fix: 'Add {name|the file}, or correct the target that asks for it',
  }),
  r('build.target', 'build_failure', {
    says: oneOf(
      /(?:no (?:known )?rule|don't know how) to (?:make|build)|No idea what '|ERR_PNPM_NO_SCRIPT|ninja: error: loading/i,
      inOrder(
        /\b(?:missing|unknown|no such|could(?: not|n't) find(?: an?| the)?|does not contain) (?:\w{1,12} )?/i,
        /(?:script|task|target|recipe|goal|session|lifecycle phase)\b/i,
      ),
      /\bno (?:such )?(?:\w{1,12} )?(?:recipe|job|session|goal|script|task|target) named\b/i,
      inOrder(
        /\b(?:script|task|target|recipe|session|command)s? (?:["'`][^"'`]{1,80}["'`] |[\w:.-]{1,60} )?/i,
        /(?:(?:was |is |does )?not (?:found|defined|exist|declared)|never defined)\b(?!: \S{0,200}[/.])/i,
      ),
    ),
    alone: 0.7,
    cause: 'The target or script does not exist: {message}',
    fix: 'Correct the name, or add what is missing: {message}',
  }),
  r('build.compile', 'build_failure', {
    says: oneOf(
      /error TS\d{1,12}|error CS\d{1,12}|error FS\d{1,12}|error C\d{4}|error LNK\d{1,12}|error MSB\d{1,12}/,
      /error NETSDK\d{1,12}|error BC\d{1,12}|error NG\d{1,12}|error\[E\d{1,12}\]|aborting due to|could not compile/,
      /Compilation failed|compilation (?:failed|error|terminated)|COMPILATION ERROR|BUILD FAILURE|BUILD FAILED|Build failed/,
      /build failed|Failed to compile|failed to compile|undefined reference to|undefined symbol|\bld returned/,
      /duplicate symbol|multiple definition|linker command failed|linking with|undeclared (?:identifier|name|variable)/,
      /was not declared|undefined: \w{1,80}|is not assignable|has no exported member|No matching export/,
      /does not provide an export|is not exported (?:by|from)|incompatible (?:types|pointer)|cannot find symbol/,
      /redefinition of|implicit declaration|unresolved (?:reference|external|identifier)|Type mismatch|type mismatch/,
      /CompileError|CompilationError|compile error|Could not load|Module (?:build|parse) failed|COPY failed/,
      /failed to (?:compute|calculate) cache key|failed to solve|dockerfile parse error|Transform failed/,
      /Unsupported (?:argument|block type|attribute)|Missing required argument|Reference to undeclared|undeclared inclusion/,
      /in scope$|Rollup failed|Build failed with \d{1,12} error|Type error:/,
      /FAILED: (?=\S{1,200}(?:\.\w{1,4}|\/\S{1,100})(?: |$))|CMake Error/,
    ),
    alone: 0.5,
    unless: /ModuleNotFound|ERR_MODULE_NOT_FOUND/,
    cause: '{message}',
  }),
  r('build.shown-diff', 'build_failure', {
    says: /^diff --git a\/(?<path>\S{1,300}) b\//,
    alone: 0.6,
    cause: 'The check wants this applied: {message}',
    fix: 'Apply the diff that the output shows to {path}',
  }),
  r('build.moved-link', 'build_failure', {
    says: /\b30[1278] (?<name>https?:\/\/\S{1,300}) (?:→|->|=>) (?<path>https?:\/\/\S{1,300})/,
    alone: 0.55,
    byRole: 'build_failure',
    cause: 'The link {name} has moved to {path}',
    fix: 'Replace {name} by {path} where the text links to it',
  }),
  r('build.format', 'build_failure', {
    says: oneOf(
      /file is not `?\w{0,12}(?:fmt|import)s?`?-?e?d\b.{0,40}\((?<tool>[\w-]{2,30})\)$/,
      /\bwould reformat\b|would be reformatted|Code style issues|not formatted|formatting (?:issues|differences)/,
      /needs? formatting|files? (?:is|are) not (?:properly )?(?:sorted|formatted)|Imports are incorrectly sorted/,
      /Some files were not formatted|Run (?:autofix|Prettier)/,
    ),
    alone: 0.55,
    roles: ['lint', 'build', 'package', 'git', 'shell', 'unknown', 'test', 'runtime'],
    cause: '{message}',
    fix: 'Run {tool|the formatter} on {where|the files that it names}, and keep what it writes',
  }),
  r('build.lint', 'build_failure', {
    says: oneOf(
      /Oh no!|\bSC\d{4}\b|>> Issue: \[|\bMD\d{3}\b|[✖✗×] \d{1,12} problems? \([1-9]/,
      /Found [1-9]\d{0,12} (?:error|errors|issue|issues|problem|problems|violation|fixable)/,
      /[1-9]\d{0,12} (?:offenses?|violations?|lint errors?|issues?) (?:detected|found)|offenses? detected|no-unused-vars/,
      /checkstyle|^(?:\w{1,30} ){0,2}schema validation failed|lint(?:ing)? (?:failed|errors?|found)/,
      /rated at [\d.-]{1,80}\/10|error {1,2}[\w@/-]{1,80}\/[\w-]{1,80}$/,
    ),
    alone: 0.55,
    roles: ['lint', 'build', 'package', 'git', 'shell', 'unknown', 'test', 'runtime'],
    cause: '{message}',
  }),
];
