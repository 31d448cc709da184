/** `withoutJobNames`: takes the job's name off lines of several jobs at once (turbo, compose, concurrently, pnpm), keeps it as `job`. */
import { type CleanLine, cleaned } from './clean-line.ts';
import { unwrapLine } from './unwrap-line.ts';

/** How runners name a job before each of its lines. */
const PREFIXES: readonly RegExp[] = [
  // turbo, lage: `api:build: text`
  /^(?<job>@?[A-Za-z][\w@./-]{0,80}:[a-z][\w:.-]{0,60}): ?/,
  // compose, foreman, overmind: `web-1  | text`, `12:00:01 web.1 | text`
  /^(?:\d\d:\d\d:\d\d )?(?<job>[A-Za-z][\w.-]{0,80}) {0,40}\| ?/,
  // concurrently, wireit: `[api] text`
  /^\[(?<job>(?!(?:INFO|WARN(?:ING)?|ERROR|DEBUG|FATAL|TRACE|NOTICE|PASS|FAIL|OK)\])[A-Za-z@][\w:@/.-]{0,60})\] /i,
  // pnpm -r, lerna: `packages/api build: text`, `@scope/api: text`
  /^(?<job>(?:[\w@.-]{1,60}\/){1,6}[\w@.-]{1,60} [a-z][\w:-]{0,40})[:$] ?/,
  /^(?<job>@[\w.-]{1,60}\/[\w.-]{1,60}): /,
];
const TASKS = 'build|check|compile|dev|deploy|e2e|format|lint|start|test|typecheck|types';
/** Names that nothing else looks like: a task of a monorepo, or one copy of a service. One line is enough. */
const SURE_PREFIXES: readonly RegExp[] = [
  new RegExp(`^(?<job>@?[A-Za-z][\\w@./-]{0,80}:(?:${TASKS})(?::[a-z][\\w-]{0,30})?): ?`),
  /^(?<job>[A-Za-z][\w.-]{0,80}[-_.]\d{1,3}) {1,40}\| ?/,
];
/** Fewer lines begin alike by chance. */
const LEAST_LINES = 3;
/** Share of the filled lines that must carry a name: a runner puts it before all, and adds a few lines of its own. */
const SHARE = 0.6;
/** A look at the first lines tells whether to count them all. */
const SAMPLE = 40;
const SAMPLE_SHARE = 0.25;
/** A clock before every line, as `ts`, `tsc --watch` and test harnesses of other tools print it. */
const CLOCK =
  /^\[?(?:\d{4}[-/]\d\d[-/]\d\d[T ])?\d{1,2}:\d\d:\d\d(?:[.,]\d{1,9})?(?: ?[AP]M)?(?:Z|[+-]\d\d:?\d\d)?\]?(?: - |: | |$)/;
const LEVEL = /^\W{0,3}(?:TRACE|DEBUG|INFO|NOTICE|WARN|ERR|FATAL|CRIT|SEVERE|PANIC|EMERG|ALERT|[IWEDF]\b)/i;
const CLOCK_SHARE = 0.95;

export function withoutJobNames<L extends CleanLine>(lines: readonly L[]): readonly L[] {
  const clockless = withoutClock(lines);
  const filled = clockless.filter(({ text }) => text !== '');
  if (filled.length < LEAST_LINES) {
    const sure = SURE_PREFIXES.find((prefix) => filled.every(({ shown }) => prefix.test(shown)));
    return sure === undefined ? clockless : without(sure, clockless);
  }
  const sample = filled.slice(0, SAMPLE);
  for (const prefix of PREFIXES) {
    if (sample.filter(({ shown }) => prefix.test(shown)).length < sample.length * SAMPLE_SHARE) continue;
    const counts = new Map<string, number>();
    for (const { shown } of filled) {
      const job = prefix.exec(shown)?.groups?.['job'];
      if (job !== undefined) counts.set(job, (counts.get(job) ?? 0) + 1);
    }
    const named = [...counts.values()].reduce((sum, count) => sum + count, 0);
    // Names that stand before one line each are a table or a list of files.
    if (named < LEAST_LINES || named < filled.length * SHARE || counts.size * 2 > named) continue;
    return without(prefix, clockless);
  }
  return clockless;
}

function without<L extends CleanLine>(prefix: RegExp, lines: readonly L[]): readonly L[] {
  return lines.map((line) => {
    const found = prefix.exec(line.shown);
    const job = found?.groups?.['job'];
    if (found === null || job === undefined) return line;
    const inner = unwrapLine(line.shown.slice(found[0].length));
    return { ...line, ...cleaned(inner.shown, inner.job || job) };
  });
}

/** A log with levels stays a log: its clock says that a program, not a harness, wrote it. */
function withoutClock<L extends CleanLine>(lines: readonly L[]): readonly L[] {
  const first = lines.find(({ text }) => text !== '');
  if (first === undefined || !CLOCK.test(first.shown)) return lines;
  const filled = lines.filter(({ text }) => text !== '');
  const stamped = filled.filter(({ shown }) => {
    const clock = CLOCK.exec(shown);
    return clock !== null && !LEVEL.test(shown.slice(clock[0].length));
  });
  if (filled.length < LEAST_LINES || stamped.length < filled.length * CLOCK_SHARE) return lines;
  return lines.map((line) => {
    const clock = CLOCK.exec(line.shown);
    return clock === null ? line : { ...line, ...cleaned(line.shown.slice(clock[0].length), line.job) };
  });
}
