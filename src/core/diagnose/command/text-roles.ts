/** `rolesInText`: the kinds of program that the output itself shows, used when the command is unknown. */
import { inLines } from '../../text/in-lines.ts';
import type { Role } from '../../lexicon/programs.ts';
import { RETRIES } from '../lines/line-patterns.ts';
import type { Line } from '../lines/read-lines.ts';

const SIGNS: readonly (readonly [Role, RegExp])[] = [
  [
    'test',
    inLines('i')`
  test session starts|^Unit Test(?:s|ing)\b|^(?:Running|Executing) (?:\w{1,20} )?tests?\b|^Test Suites: |^Tests?:? +\d+ (?:passed|
  failed)|^Tests +\d|^TAP version|^not ok \d|^(?:#|ℹ) (?:pass|fail|tests) \d|^--- (?:FAIL|PASS)|^FAILED \((?:failures|errors)|
  ^Ran \d+ tests?|\d+ examples?, \d+ failures?|^running \d+ tests?|^test result: |Tests run: \d|^Executed \d+ (?:of \d+ )?tests?\b|
  ^\[[+-]\] .{1,300} \d+m?s\b|\b(?:passed|failed) \d+ (?:and (?:passed|failed) \d+ )?tests?\b|\b(?:Checks|Tests|Specs|Cases|Assertions|
  Examples|Scenarios|Suites): \d+, .{0,60}(?:Failures|Failed|Errors|Passed): \d|^OK \(\d+ tests?|^\d+ (?:passing|failing)|(?:^|
  [^\w:.])\d{1,7} (?:passed|failed)(?:,| in | \((?!\d+: ))|\d+ specs?, \d+ failures?|No specs found|^FAIL \S|^PHPUnit |^\[ RUN |
  ^\[==========\]|% tests passed|short test summary|^Test Files|^collected \d+ item|ok \(skipped|\d+ tests? (?:passed|failed|completed)|
  ^Test run |^Failed tests|^1\.\.\d+$|Failed! +- Failed: |Passed! +- Failed|\d+ scenarios? \(|tests?, \d+ assertions?|^={3,} FAILURES|
  ^Failed example:|\*\*\*Test Failed\*\*\*|had failures|\d+ (?:runs?|tests?), \d+ assertions?|^\d+ tests?, \d+ failures?|
  \d+ success(?:es)? \/ \d+ failures?|^Result: (?:FAIL|PASS)$|^Tests: \d+, Assertions|\d+ steps? passed|\d+ features? passed|
  ^Test (?:Suite|Case) '|^\d\d:\d\d \+\d+(?: -\d+)?: |^Some tests failed|^npm error (?:Lifecycle script \x60?test|
  command sh -c (?:jest|vitest|mocha|ava|node --test))`,
  ],
  [
    'git',
    inLines('')`
  ^(?:fatal|hint|error): .{0,200}(?:git|branch|remote|ref|repository|worktree|commit|merge|rebase|index|stash|pathspec|checkout|HEAD|
  revision|upstream|\bsha1\b|\bpatch\b)|^CONFLICT |^Auto-merging|^! \[rejected\]|^Automatic merge failed|^On branch |^HEAD is now at|
  ^Cloning into|^error: (?:failed to push|cannot (?:rebase|pull)|Your local changes|The following untracked|could not apply|pathspec)|
  ^error: src refspec|^To https?:\/\/.{1,200}\.git$|^From https?:\/\/|^remote: |^\[\w[\w/.-]{0,60} [0-9a-f]{7,}\]`,
  ],
  [
    'build',
    inLines('')`
  error TS\d+|error\[E\d+\]|^\[INFO\] BUILD|COMPILATION ERROR|^> Task :|^(?:gcc|cc|g\+\+|clang) |webpack \d|^CMake Error|^\[\d+\/\d+\] |
  undefined reference|^make(?:\[\d\])?: |Compiling \S+ v\d|✘ \[ERROR\]|^ld: |collect2|^vite v|rollup v|error CS\d+|Transform failed|
  ^#\d+ \[|Failed to compile|\d+ errors? generated|^npm error Lifecycle script \x60?(?:build|compile|bundle|tsc|typecheck)|
  ^npm error command sh -c (?:tsc|webpack|vite build|rollup|esbuild|next build|make)`,
  ],
  [
    'lint',
    inLines('')`
  ^(?:Linting|Type-?checking)\b|[✖✗] \d+ problems? \(|^\[warn\] Code style|^Checking formatting|\b(?:found|FOUND) [1-9]\d* (?:errors?|
  problems?|issues?|ERRORS?)\b|>> Issue: \[|^would reformat|offenses? detected|^All checks passed|^Found \d+ errors?\.|SC\d{4} \(|
  MD\d{3}\/|All matched files use|^\S+\.py:\d+:\d+: [A-Z]\d+ `,
  ],
  [
    'package',
    inLines('')`
  ^npm (?:error|ERR!|warn)|^ERROR: (?:Could not find a version|No matching distribution)|^yarn (?:run|install)|ERR_PNPM|^E: |
  ^Reading package lists|^Collecting |^Looking in (?:links|indexes): |^(?:Resolving|Fetching|Solving) (?:packages|dependencies|
  environment)\b`,
  ],
  ['database', /^psql: |^ERROR:  |^ERROR \d{4} \(|^Error: in prepare|sqlite3?\.\w+Error|^FATAL: {2}/],
  ['http', /^curl: \(\d+\)|^[<>*] (?:HTTP\/|GET |POST |Host:|Connected)|^--\d{4}-\d\d-\d\d .{0,40}http/],
  [
    'container',
    /docker daemon|Error response from daemon|^Error from server|^The connection to the server .{0,80} was refused/,
  ],
];

/** Signs stand near the start or the end; the middle of a flood adds nothing. */
const LOOK_LINES = 600;

export function rolesInText(lines: readonly Line[]): ReadonlySet<Role> {
  const roles = new Set<Role>();
  const looked =
    lines.length > LOOK_LINES * 2 ? [...lines.slice(0, LOOK_LINES), ...lines.slice(-LOOK_LINES)] : lines;
  for (const line of looked) {
    if (line.text === '' || line.text.length > 400 || RETRIES.test(line.text)) continue;
    for (const [role, sign] of SIGNS) if (!roles.has(role) && sign.test(line.text)) roles.add(role);
  }
  return roles;
}
