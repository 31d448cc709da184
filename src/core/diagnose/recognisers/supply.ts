/** `SUPPLY`: what is missing: packages, commands, libraries (a dependency) and versions, variables, services (the environment). */
import { inOrder } from '../../text/in-order.ts';
import { oneOf } from '../../text/one-of.ts';
import { recogniser as r } from '../recogniser.ts';

export const SUPPLY = [
  r('dependency.no-version', 'missing_dependency', {
    says: oneOf(
      /Could not find a version that satisfies the requirement (?<module>\S{1,200})/,
      /Could not resolve all (?:files|artifacts|dependencies|task dependencies)/,
    ),
    alone: 0.7,
    lead: -8,
    cause: 'No version of {module} can be obtained',
    fix: 'Correct the name, version or registry of {thing|what it names} where it is asked for',
  }),
  r('dependency.package', 'missing_dependency', {
    says: [
      oneOf(
        /\bcode (?:E404|ETARGET|EINTEGRITY|ERESOLVE|ENOVERSIONS|EBADPLATFORM|ENOLOCAL)/i,
        /ERR_PNPM_(?:NO_MATCHING_VERSION|FETCH_404|PEER_DEP|NO_VERSIONS|TARBALL_INTEGRITY)|is not in (?:this|the npm) registry/i,
        /No matching version found for|Couldn't find (?:any versions for|package|the binary)|couldn't find package/i,
        /No versions available|could not be found in the npm registry|unable to resolve dependency tree/i,
        /Could not resolve dependenc(?:y|ies)|conflicting peer dependency|integrity check(?:sum)? failed/i,
        /checksum (?:mismatch(?! (?:for|of|in) migration)|did not match|failed)|sha512 integrity/i,
      ),
      oneOf(
        /No matching distribution found|ResolutionImpossible|No solution found when resolving/i,
        /because .{0,200} depends on .{0,200}(?:version solving failed|no versions)|version solving failed/i,
        /Unable to find installation candidates|SolverProblemError|THESE PACKAGES DO NOT MATCH THE HASHES/i,
        /conflicting dependencies|was not found in the package registry/i,
      ),
      oneOf(
        /Unable to locate package|has no installation candidate|Unable to find a match|No package .{0,80} available/i,
        /unmet dependencies|no packages? found matching|target not found: |nothing provides|Unable to correct problems/i,
        /is not available, but is referred|package .{0,60} (?:not found|is not available)|No formulae? (?:or casks )?found/i,
        /No available formula|unsatisfiable constraints|unable to select packages|not available from (?:current|the) channels/i,
        /PackagesNotFound|Version .{0,40} for .{0,60} was not found|no such package/i,
      ),
      oneOf(
        /no matching package named|failed to select a version|Could not find gem|Could not find compatible versions/i,
        /Could not find .{0,80} in (?:any of the sources|rubygems|locally installed gems)/i,
        /Gem::(?:MissingSpecError|LoadError|MissingSpecVersionError)|Could not find a valid gem|Bundler::GemNotFound/i,
        /could not find artifact|Could not (?:resolve|find) (?:artifacts?|dependencies for|\S{1,200}:\S{1,200}:\S{1,40})/i,
        /Could not find method .{0,10}implementation|DependencyResolutionException/i,
        /was not found in .{0,120} during a previous attempt|Plugin \[?id: .{0,120}was not found/i,
        /not found: https?:\S{1,200}\.pom|unresolved dependency/i,
        /Root composer\.json requires .{0,120}(?:could not be found|it does not match|found)/i,
        /Your requirements could not be resolved|Unable to find package|NU1101|NU1102|NU1103/i,
        /package .{0,60} does not exist in (?:the )?registry|No package found|failed to fetch .{0,80} from hex|unknown package/i,
        /Hex dependency resolution failed/i,
      ),
      oneOf(
        /cannot find module providing package|no required module provides package|unknown revision .{0,40}go\.mod/i,
        /missing go\.sum entry|module .{0,120}: (?:not found|reading https?:.{0,120}404)|no matching versions for query/i,
        /package \S{1,120} is not in (?:std|GOROOT)|module lookup disabled|cannot find package "|unrecognized import path/i,
      ),
      oneOf(
        /[Nn]o (?:results|packages?|matches|candidates|versions) (?:matching|for|found for|that match|satisfying)\b.{0,80}/,
        /[Nn]o (?:releases|formulae|distributions) (?:matching|for|found for|that match|satisfying)\b.{0,80}/,
      ),
      oneOf(
        /manifest (?:for .{0,120} )?(?:not found|unknown)|repository does not exist or may require/i,
        /failed to resolve (?:source metadata|reference)|pull access denied.{0,40}does not exist|no such image/i,
        /Unable to find image .{0,80}locally$|ImagePullBackOff|ErrImagePull/i,
      ),
    ],
    alone: 0.7,
    unless:
      /\bECONNREFUSED\b|ENOTFOUND|EAI_AGAIN|\bETIMEDOUT\b|Connection refused|Name or service not known|certificate/,
    cause: 'A package cannot be obtained',
    fix: 'Correct the name, version or registry of {thing|what it names} where it is asked for, so that it can be obtained',
  }),
  r('dependency.unobtainable', 'missing_dependency', {
    says: /\b(?:packages?|versions?|dependenc(?:y|ies)|distributions?|requirements?|artifacts?|gems?|crates?|formulae?|candidates?)\b/i,
    and: oneOf(
      /\b(?:could ?n.t|could not|cannot|can't|unable to) (?:find|locate|resolve|select|satisfy)\b/i,
      /\bnot (?:be )?(?:found|available|resolved)\b/i,
      /\b(?:no (?:matching|such)|conflict(?:s|ing)?|unmet|unsatisfi\w{2,6}|does not exist)\b/i,
    ),
    roles: ['package'],
    without: ['test', 'lint'],
    alone: 0,
    cause: 'A package cannot be obtained',
    fix: 'Correct the name, version or registry of {thing|what it names} where it is asked for, so that it can be obtained',
  }),
  r('runtime.hidden-package', 'runtime_error', {
    says: /No module named '(?<module>[\w.-]{1,80})'; '(?<name>[\w.-]{1,80})' is not a package/,
    alone: 0.7,
    cause: 'A file or module named {name} is found before the package {name} and hides it',
  }),
  r('dependency.module', 'missing_dependency', {
    says: [
      /ModuleNotFoundError: No module named '?(?<module>[\w.-]{1,80})|No module named '?(?<module>[\w.-]{1,80})'?/,
      /Cannot find (?:module|package) ["'](?<module>(?![./\\~#]|@\/|[A-Z]:\\)[^"']{1,200})["']/,
      /Error \[ERR_MODULE_NOT_FOUND\]: Cannot find package/,
      inOrder(
        /(?:Could not|Can't|Cannot|Unable to|Failed to) (?:resolve|find|load|import) /i,
        /(?:module |import |the |dependency |package |entry module |plugin |preset |config ){0,80}["'`]/i,
        {
          module: inOrder(
            /(?![./\\~#]|@\/|[A-Z]:\\|file:|src\/|[^"'`]{1,120}\.(?:h|hh|hpp|inc|css|scss|less|md|json|ya?ml|html|proto)["'`])/i,
            /[@\w][^"'`]{0,200}/i,
          ),
        },
        /["'`]/i,
      ),
      oneOf(
        /cannot load such file -- (?<module>(?![./])\S{1,200})|Can't locate (?<module>\S{1,200})\.pm in @INC/i,
        /uninitialized constant Gem|can't find crate for/i,
        /unresolved import `(?<module>[\w:]{1,80})`|use of (?:undeclared|unresolved) (?:crate|module)/i,
      ),
      oneOf(
        /Rollup failed to resolve import "(?<module>(?![./])[^"]{1,200})"/,
        /Failed to resolve import "(?<module>(?![./])[^"]{1,200})"/,
        /Module not found: (?:Error: )?Can't resolve '(?<module>(?![./])[^']{1,200})'/,
        /Relative import path "(?<module>[^"]{1,200})" not prefixed with|Import "(?<module>[^"]{1,100})" could not be resolved/,
      ),
      oneOf(
        /package (?<module>(?:org|com|io|net|junit|javax|jakarta|lombok|kotlinx?|scala|dev|me|edu)[\w.]{0,80}) does not exist/,
        /ClassNotFoundException: (?!\w{1,80}$)|NoClassDefFoundError: (?!\w{1,80}$)/,
        /Class ["'][\w\\]{1,80}["'] not found.{0,40}vendor|vendor\/autoload|Failed opening required '[^']{0,200}vendor/,
      ),
      oneOf(
        /module ["']?(?<module>[\w./-]{1,80})["']? not found:|no such module '(?<module>\w{1,80})'/i,
        /could not load (?:dynamic )?library|collection not found|no code for module|no file '[^']{0,100}\.lua'/i,
        /there is no package called|unknown package|Unbound module|Could not find module [‘'`](?<module>[\w.]{1,80})/i,
        /could not find \S{1,200} \(missing:/i,
        // The next word names a module, unless it is one that stands before any name.
        /Could NOT find (?!(?:an?|the|any|this|director(?:y|ies)|files?|folders?|path)\b)(?<module>\w{1,80})/i,
        /Could not find a package configuration file provided by "(?<module>[^"]{1,80})"/i,
        /Package '?(?<module>[\w.+-]{1,80})'?,? (?:required by .{0,60}, )?not found|No package '(?<module>[^']{1,80})' found/i,
        /Package \S{1,200} was not found in the pkg-config/i,
      ),
      oneOf(
        inOrder(
          /(?:[Cc]ould not|[Cc]ouldn't|[Cc]annot|[Cc]an't|[Uu]nable to|[Ff]ailed to) /,
          /(?:find|locate|read|load|import(?: from)?|open) (?:the |an? |undefined |unknown ){0,2}/,
          /(?:module|package|library|namespace|extension|plugin|dependency|crate|gem|component|type definition file for)s?:? ["'`‘]?/,
          /(?<module>(?![./~#]|@\/)[\w@./:-]{1,80})/,
        ),
        /[Cc]ould not locate \S{1,200}.{0,200} on (?:the )?class ?path/,
      ),
      oneOf(
        /Cannot find implementation or library stub for module named "?(?<module>[\w.]{1,80})/i,
        /(?:could not find|cannot find|can't find) (?:module|package|library|crate|gem) [\w@./-]{1,80}/i,
        /(?:UndefinedFunctionError|The module) .{0,60}(?:could not be found|is not available).{0,30}dep/i,
        /Unchecked dependencies for environment|the dependency is not available/i,
        /Cannot find (?:the )?(?:native binding|optional dependency|dependency)|Cannot find native binding/i,
        inOrder(
          /\b(?:module|package|plugin|gem|extension|crate|dependency) ["'`‘]?(?<module>(?![./])[\w@][\w@./:-]{1,80})["'`’]?,? /i,
          /(?:is |was )?not (?:found|installed)\b/i,
        ),
        /(?<module>[\w.+-]{2,80}) is required[;,.] (?:please )?install\b/i,
        inOrder(
          /(?:packages?|dependenc(?:y|ies)) (?:\S{1,80} )?required but not (?:available|installed|found)/i,
          /(?:: [‘'"]?(?<module>[\w.@/-]{2,80}))?/i,
        ),
      ),
    ],
    alone: 0.6,
    unless: /in scope|could not find repository/,
    cause: '{module} is not installed',
  }),
  r('dependency.command', 'missing_dependency', {
    says: oneOf(
      /(?:^|: )(?<module>[\w.+@-]{1,80}): (?:command )?not found(?:$| in|;)|command not found: (?<module>\S{1,200})/i,
      /^(?:\S{1,80}\/)?(?:ba|da|z|k)?sh: (?:line )?\d{1,6}: (?<module>[\w./+@-]{1,200}): not found$/i,
      /not recognized as an internal or external command|spawn (?<module>\S{1,200}) \bENOENT\b|uv_spawn/i,
      /executable (?:file )?not found|Executable doesn't exist at|exec: "(?<module>[^"]{1,80})": executable file not found/i,
      /Unknown command:? ["']?(?<module>[\w.+-]{1,80})|could not determine executable to run/i,
      inOrder(
        /(?:env|xargs|nohup|nice|timeout|sudo|stdbuf|setsid|watch|chronic): (?:failed to run command )?[‘'"]?/i,
        /(?<module>[\w.+-]{1,80})[’'"]?: No such file/i,
      ),
      /cannot execute: required file not found|bad interpreter|No such command|is not installed\b|command not found/i,
      /unable to find (?:the )?(?:executable|program|binary)/i,
      /(?<module>[\w.+-]{1,80}): No such file or directory \(\bENOENT\b\) exec/i,
      /FileNotFoundError: \[Errno 2\] No such file or directory: '(?<module>[\w+-]{1,80}(?:\.\d[\d.]{0,9})?)'$/i,
      /make: (?<module>[\w.+-]{1,80}): No such file or directory|Program '?(?<module>\S{1,200})'? not found/i,
      /Could not find (?:the )?(?:program|compiler|executable|tool)|No CMAKE_\w{1,80}_COMPILER could be found/i,
      /CMAKE_MAKE_PROGRAM is not set|toolchain .{0,60}is not installed|rustup could not choose/i,
      /No such file or directory.{0,20}(?:python|node|ruby|java)\b.{0,10}$|error: no such command/i,
      /Error: .{0,40}needs to be installed|please install (?:it|the)|Failed to find (?:tool|executable)/i,
      /wasn't found on (?:your )?PATH|not (?:found )?(?:in|on) (?:your |the )?\$?PATH/i,
    ),
    alone: 0.55,
    unless: oneOf(
      /fixture|HTTP|404|key not found|page not found|test (?:file|suite)|pattern not found|branch|revision|upstream/i,
      /was not found in the current|no such command: '?-|in registry|Configuration|tsconfig|CMakeLists/i,
    ),
    cause: 'The command {module} is not installed',
    fix: 'Install {module|the command} where this runs (image, PATH), or correct the command that calls it',
  }),
  r('dependency.library', 'missing_dependency', {
    says: oneOf(
      /(?:find|found)\b.{0,20} -l(?<module>[^\s:]{1,200})|(?<module>lib[\w.+-]{1,80}): cannot open shared object file/i,
      /error while loading shared libraries: (?<module>[^\s:]{1,80})|Library not loaded|dlopen\(|GLIBC_\S{1,200}' not found/i,
      /GLIBCXX_\S{1,200}' not found|image not found|DLL load failed|UnsatisfiedLinkError|could not find native static library/i,
      /System library `(?<module>[^`]{1,80})` required by|Could not find (?:directory of )?OpenSSL/i,
      /pkg-config (?:command|exited)|Missing (?:dependency|library|header): |Could not locate the bindings file/i,
    ),
    alone: 0.7,
    cause: 'The library {module} is not installed',
    fix: 'Install the package that brings the library {module|it names} (to link against it, its development package)',
  }),
  r('dependency.header', 'missing_dependency', {
    says: /fatal error: '?(?<module>[\w./+-]{1,80})'?(?:: No such file or directory| file not found)/i,
    alone: 0.7,
    near: /#\s{0,40}include\s{0,40}</,
    cause: 'The header {module} is not installed',
    fix: 'Install the development package that brings {module} (`apt-file search {module}` or `dnf provides "*/{module}"` names it)',
  }),
];
