import { systematicEvents } from '../../src/report/recovery-events.ts';
import { breakdown } from '../../src/report/metrics/breakdown.ts';
import { criteria } from '../../src/report/metrics/criteria.ts';
import { incidentMetrics, runMetrics } from './metrics-under-test.ts';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readAllMetrics, readRunMetrics, writeRunMetrics } from '../../src/core/view/metrics-code.ts';
import type { IncidentMetrics, RunMetrics } from '../../src/core/view/run-metrics.ts';
import { openSqliteRecord } from '../../src/record/sqlite/open.ts';
import { buildReport, type Report } from '../../src/report/build-report.ts';
import { markFalsePositive } from '../../src/report/false-positive.ts';
import { renderHtml } from '../../src/report/page/render-html.ts';
import { renderMarkdown } from '../../src/report/page/render-markdown.ts';
import { renderText } from '../../src/report/page/render-text.ts';
import { runsBehind } from '../../src/report/metrics/runs-behind.ts';
import { reportPage } from '../../src/report/page/report-page.ts';
import { renderCsv } from '../../src/report/render-csv.ts';
import { DAY, seededRuns } from './seeded-runs.ts';

const NOW = Date.UTC(2026, 5, 1);
const FROM = NOW - 30 * DAY;
const folder = mkdtempSync(join(tmpdir(), 'mayday-report-'));
let report: Report;
let all: RunMetrics[];
let inPeriod: RunMetrics[];
let incidents: IncidentMetrics[];

beforeAll(async () => {
  all = seededRuns(5_000, 42, NOW - 60 * DAY, 60);
  inPeriod = all.filter((run) => run.created >= FROM);
  incidents = inPeriod.flatMap((run) => [...run.incidents]);
  const record = await openSqliteRecord({ path: join(folder, 'record.db') });
  await record.saveMetrics(
    all.map((run) => ({
      id: run.id,
      repository: run.repository,
      at: run.created,
      imported: false,
      body: writeRunMetrics(run),
    })),
  );
  for (const { id } of incidents.slice(0, 3))
    await markFalsePositive(record, id, { by: 'ann', note: '', at: NOW });
  report = await buildReport(record, { from: FROM, to: NOW, now: NOW, compare: true });
  await record.close();
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Nothing below is shared with the code under test: plain loops over the seeded runs. */
function number<T>(list: readonly T[], test: (item: T) => boolean): number {
  let found = 0;
  for (const item of list) if (test(item)) found += 1;
  return found;
}
function average(values: readonly number[]): number {
  let total = 0;
  for (const value of values) total += value;
  return total / values.length;
}
/** The smallest value that at least this share of all values does not exceed. */
function percentile(values: readonly number[], share: number): number {
  let passed = 0;
  for (const value of [...values].sort((a, b) => a - b)) {
    passed += 1;
    if (passed >= share * values.length) return value;
  }
  return NaN;
}
function spans(
  list: readonly IncidentMetrics[],
  from: keyof IncidentMetrics,
  to: keyof IncidentMetrics,
): number[] {
  const found: number[] = [];
  for (const incident of list) {
    const [a, b] = [incident[from], incident[to]];
    if (typeof a === 'number' && typeof b === 'number') found.push(b - a);
  }
  return found;
}
function expectDistribution(actual: Report['unblock']['mttu_ms'], values: readonly number[]): void {
  expect(actual.n).toBe(values.length);
  expect(actual.mean).toBeCloseTo(average(values), 6);
  expect([actual.p50, actual.p90, actual.p95]).toEqual(
    [0.5, 0.9, 0.95].map((share) => percentile(values, share)),
  );
}

it('metrics come back as they were written, and rows without later fields get their default', () => {
  expect(all.map((run) => readRunMetrics(writeRunMetrics(run)))).toEqual(all);
  const early = readRunMetrics('[1,["r","t","claude"],[["i","timeout"]]]');
  expect(early).toMatchObject({ id: 'r', released: true, missions: [], shown: [], proposed: [] });
  expect(early?.incidents[0]).toMatchObject({ class: 'timeout', category: null, asked: false });
});

it.each([
  ['no JSON', '{"id": "r1", '],
  ['an object with names, as an interim version wrote', '{"id":"r1","title":"t","agent":"claude"}'],
  ['a list without its version', '["r1","t","claude"]'],
  ['another version', '[99,["r1","t","claude"]]'],
  ['a run without its name', '[1,[null,"t","claude"]]'],
  ['lists that are none', '[1,["r1","t","claude"],"incidents"]'],
  ['an incident that is none', '[1,["r1","t","claude"],[null]]'],
  ['nothing', 'null'],
])('a row that is %s is left out, counted, and harms no other', (_, body) => {
  expect(readRunMetrics(body)).toBeNull();
  const [one = ''] = all.map(writeRunMetrics);
  expect(readAllMetrics([body, one, body])).toEqual({ runs: [all[0]], unread: 2 });
});

describe('the metrics of 5,000 seeded runs equal an independent calculation', () => {
  it('M1: tasks, first try, recovery, failures, recovery time', () => {
    const { tasks } = report;
    expect(tasks.total).toBe(inPeriod.length);
    const first = number(inPeriod, (run) => run.state === 'delivered' && run.incidents.length === 0);
    expect(tasks.first_try).toEqual({ n: first, share: first / inPeriod.length });
    const required = number(inPeriod, (run) => run.incidents.length > 0);
    expect(tasks.required_recovery).toEqual({ n: required, share: required / inPeriod.length });
    const failed = number(inPeriod, (run) => run.incidents.length > 0 && run.state === 'abandoned');
    expect(tasks.failed_after_recovery).toEqual({ n: failed, share: failed / inPeriod.length });
    expect(tasks.open).toBe(number(inPeriod, (run) => run.ended === null));
    expect(tasks.unverified).toBe(number(inPeriod, (run) => run.state === 'unverified'));
    expectDistribution(tasks.recovery_time_ms, spans(incidents, 'detected', 'verified'));
  });

  it('M1: reasons with shares and affected agents', () => {
    const model = number(
      incidents,
      (found) => found.class === 'rate_limited' || found.class === 'overloaded',
    );
    const row = report.tasks.reasons.find(({ reason }) => reason === 'Model API error');
    expect(row).toMatchObject({ count: model, share: model / incidents.length });
    expect(row?.agents).toEqual(['claude', 'codex', 'gemini', 'opencode']);
    expect(report.tasks.reasons.map(({ reason }) => reason).slice(0, 6)).toEqual([
      'Interrupted (SIGINT)',
      'Timeout',
      'Model API error',
      'Git/forge error',
      'Permission error',
      'Unknown',
    ]);
    expect(average(report.tasks.reasons.map(({ count }) => count)) * report.tasks.reasons.length).toBe(
      incidents.length,
    );
  });

  it('M2: time to unblock and its parts, with percentiles and trend', () => {
    const { unblock } = report;
    expectDistribution(unblock.mttu_ms, spans(incidents, 'detected', 'resumed'));
    expectDistribution(
      unblock.with_people_ms,
      spans(
        incidents.filter(({ asked }) => asked),
        'detected',
        'resumed',
      ),
    );
    expectDistribution(unblock.parts_ms.notice, spans(incidents, 'began', 'detected'));
    expectDistribution(unblock.parts_ms.diagnose, spans(incidents, 'detected', 'diagnosed'));
    expectDistribution(unblock.parts_ms.decide, spans(incidents, 'diagnosed', 'decided'));
    expectDistribution(unblock.parts_ms.first_useful_action, spans(incidents, 'decided', 'verified'));
    const week = incidents.filter(({ detected }) => detected >= FROM + 7 * DAY && detected < FROM + 14 * DAY);
    expect(unblock.trend[1]?.incidents).toBe(week.length);
    expect(unblock.trend[1]?.mttu_ms).toBeCloseTo(average(spans(week, 'detected', 'resumed')), 6);
  });

  it('M3: categories, recurrence, cost of being stuck, false alarms', () => {
    const { learning } = report;
    const known = number(incidents, ({ category }) => category !== null);
    for (const { category, count, share } of learning.categories) {
      expect(count).toBe(number(incidents, (found) => found.category === category));
      expect(share).toBeCloseTo(count / known, 12);
    }
    const seen: string[] = [];
    let exact = 0;
    let again = 0;
    for (const run of all) {
      for (const { fingerprint } of run.incidents) {
        if (fingerprint === null || fingerprint.includes(':')) continue;
        if (run.created >= FROM) exact += 1;
        if (run.created >= FROM && seen.includes(run.repository + fingerprint)) again += 1;
        seen.push(run.repository + fingerprint);
      }
    }
    expect(learning.recurrence).toEqual({ n: again, share: again / exact });
    let stuck = 0;
    for (const run of inPeriod)
      for (const found of run.incidents)
        stuck += Math.max(0, (found.resumed ?? run.ended ?? NOW) - found.began);
    expect(learning.stuck.time_ms).toBe(stuck);
    expect(learning.stuck.cost_usd).toBeCloseTo(
      average(inPeriod.map((run) => run.stuckCost)) * inPeriod.length,
      6,
    );
    expect(learning.false_positives).toEqual({ n: 3, share: 3 / incidents.length });
    expect(learning.context_updates).toBe(number(inPeriod, (run) => run.proposed.length > 0));
  });

  it('M4: the success criteria', () => {
    const judged = inPeriod.filter(({ state }) => state === 'delivered' || state === 'abandoned');
    const goal = (id: string) => report.criteria.find((criterion) => criterion.id === id);
    for (const size of ['simple', 'complex'] as const) {
      const of = judged.filter((run) => run.size === size);
      const good = number(of, (run) => run.state === 'delivered' && run.incidents.length === 0);
      expect(goal(`${size}_first_try`)).toMatchObject({
        n: of.length,
        actual: good / of.length,
        state: 'missed',
      });
    }
    const rescued = judged.filter((run) => run.incidents.length > 0);
    expect(goal('recovery')?.actual).toBe(
      number(rescued, ({ state }) => state === 'delivered') / rescued.length,
    );
    const orphans = number(
      inPeriod,
      (run) => run.ended !== null && !run.released && NOW - run.ended > 600_000,
    );
    expect(goal('orphans')).toMatchObject({ actual: orphans, state: orphans === 0 ? 'met' : 'missed' });
    const told = incidents.filter(({ diagnosed }) => diagnosed !== null);
    const clear = number(
      told,
      (found) => found.class !== 'unknown' && found.category !== null && found.cause !== '',
    );
    expect(goal('attributed')?.actual).toBe(clear / told.length);
  });

  it('missions and their duty, each agent and class, and the period before', () => {
    const missions = inPeriod.flatMap((run) => [...run.missions]);
    const over = missions.filter(({ outcome }) => outcome !== null);
    const lacking = over.filter(({ enriched }) => !enriched);
    const done = over.length - lacking.length;
    expect(report.missions).toMatchObject({
      total: missions.length,
      under_way: missions.length - over.length,
      closed: done,
      open: missions.length - done,
      enrichment: { n: done, share: done / over.length },
    });
    const overdue = number(lacking, ({ due }) => due !== null && due < NOW);
    expect(number(report.missions.lacking_enrichment, (one) => one.overdue)).toBe(overdue);
    expect([overdue, lacking.length - overdue]).not.toContain(0);
    for (const row of report.by.agent) {
      const own = inPeriod.filter(({ agent }) => agent === row.name);
      expect(row.tasks).toBe(own.length);
      expect(row.required_recovery.n).toBe(number(own, (run) => run.incidents.length > 0));
    }
    for (const row of report.by.class)
      expectDistribution(
        row.mttu_ms,
        spans(
          incidents.filter((found) => found.class === row.name),
          'detected',
          'resumed',
        ),
      );
    expect(report.before?.tasks.total).toBe(
      number(all, (run) => run.created >= FROM - 30 * DAY && run.created < FROM),
    );
  });
});

describe('the report is printed', () => {
  it('with the classic lines', () => {
    const text = renderText(reportPage(report));
    for (const line of [
      /^ {2}Total agent tasks: +2500 \(was 2500, \+0 %\)$/m,
      /^ {2}Successful first try: +\d+ \([\d.]+ %\)/m,
      /^ {2}Required recovery: +\d+ \([\d.]+ %\) of \d+: .*Interrupted \(SIGINT\) \d+.* \(\d+ incidents\)/m,
      /^ {2}Failed after recovery: +\d+ \([\d.]+ %\)/m,
      /^ {2}Average recovery time: +[\d.]+ min/m,
      /^ {2}Permission error(?: \([a-z, ]+\))? +\d+ +[\d.]+ % +claude, codex, gemini, opencode$/m,
      /^ {2}Total rescues: +\d+$/m,
      /^ {2}Average MTTU: +[\d.]+ min$/m,
      /^ {2}Context updates generated: +\d+$/m,
      /^ {2}Enrichment completion: +\d+ \([\d.]+ %\)/m,
      /^ {2}every failure attributed +100 % +[\d.]+ % +\d+ +missed so far$/m,
    ])
      expect(text).toMatch(line);
  });

  it('tells an outcome as a share of the runs that ended, and judges what may change so far, met or missed', () => {
    const { total, open, first_try } = report.tasks;
    const ended = total - open;
    const share = Math.round((1_000 * first_try.n) / ended) / 10;
    const text = renderText(reportPage(report));
    expect(text).toContain(`${first_try.n} (${share} %) of the ${ended} that ended, ${open} still open`);
    const lines = (told: string) =>
      told.split('\n').filter((line) => / (?:met|missed)(?: so far)?$/.test(line));
    expect(lines(text).length).toBe(5);
    for (const line of lines(text)) expect(line).toMatch(/ so far$/);
    const over = renderText(reportPage({ ...report, tasks: { ...report.tasks, open: 0 } }));
    for (const line of lines(over)) expect(line).not.toMatch(/so far$/);
    const none = renderText(reportPage({ ...report, before: null, tasks: { ...report.tasks, open: total } }));
    expect(none).toMatch(/Successful first try: +\d+, none has ended yet, 2500 still open$/m);
  });

  it('has no p90 of fewer than 10 values and no p95 of fewer than 20: both would be the largest', () => {
    const of = (n: number) => ({ n, mean: 1_000, p50: 1_000, p90: 2_000, p95: 3_000 });
    const row = (n: number) =>
      /^ {2}with people.*$/m.exec(
        renderText(reportPage({ ...report, unblock: { ...report.unblock, with_people_ms: of(n) } })),
      )?.[0];
    expect(row(0)).toMatch(/0 +1 s +none +none +none$/);
    expect(row(9)).toMatch(/1 s +1 s +too few +too few$/);
    expect(row(19)).toMatch(/1 s +1 s +2 s +too few$/);
    expect(row(20)).toMatch(/1 s +1 s +2 s +3 s$/);
  });

  it('has no share of a few: half of two and half of ten look alike and weigh differently', () => {
    const of = (total: number, n: number) => {
      const part = { n, share: n / total };
      const tasks = {
        ...report.tasks,
        total,
        open: 0,
        first_try: part,
        required_recovery: part,
        reasons: [],
      };
      const goal = {
        id: 'g',
        name: 'a goal',
        target: '95 %',
        actual: n / total,
        n: total,
        state: 'missed',
      } as const;
      return renderText(reportPage({ ...report, before: null, tasks, criteria: [goal] }));
    };
    expect(of(2, 1)).toMatch(/Successful first try: +1 of 2, too few for a share$/m);
    expect(of(2, 1)).toMatch(/Required recovery: +1 of 2, too few for a share$/m);
    expect(of(2, 1)).toMatch(/a goal +95 % +1 of 2 +2 +missed so far$/m);
    expect(of(10, 5)).toMatch(/Successful first try: +5 \(50 %\) of 10$/m);
    expect(of(10, 5)).toMatch(/Required recovery: +5 \(50 %\) of 10$/m);
    expect(of(10, 5)).toMatch(/a goal +95 % +50 % +10 +missed$/m);
  });

  it('tells the MTTU once, over how many, and when a person should take a rescue mission', () => {
    const text = renderText(reportPage(report));
    expect(text.match(/^ +MTTU\b/gm), 'beside the chart over time').toHaveLength(2);
    expect(text).toMatch(/MTTU: .*from noticed to resumed, over \d+ incidents, p50 [^,]+, p90 [^,]+, p95 /);
    expect(text).not.toContain('noticed to resumed (MTTU)');
    expect(text).toMatch(/When to take one: +when a run is stuck because it lacks what you know or can give/);
  });

  it('does not count a failure whose category is unknown as attributed', () => {
    const unclear = incidentMetrics({
      class: 'stalled',
      category: 'unknown',
      cause: 'silent',
      diagnosed: NOW,
    });
    const clear = incidentMetrics({
      class: 'stalled',
      category: 'environment',
      cause: 'silent',
      diagnosed: NOW,
    });
    const judged = criteria([runMetrics({ incidents: [unclear, clear] })], NOW);
    expect(judged.find(({ id }) => id === 'attributed')).toMatchObject({ actual: 0.5, state: 'missed' });
    const text = renderText(reportPage({ ...report, criteria: judged }));
    expect(text, 'the one that is not attributed is named').toMatch(
      /Not attributed: +1 without a known kind of cause: stalled; Reasons count it by what happened$/m,
    );
    expect(runsBehind([runMetrics({ incidents: [clear] })], 'not_attributed')).toEqual([]);
    expect(runsBehind([runMetrics({ incidents: [unclear] })], 'not_attributed')).toHaveLength(1);
  });

  it('says of which rows of the criteria open runs are left out', () => {
    const text = renderText(reportPage(report));
    expect(text).toMatch(
      /First try and recovery judge: +runs that were delivered or abandoned, not the \d+ open/,
    );
    expect(text).toMatch(/The other rows judge: +all runs, and every failure that was diagnosed in them$/m);
  });

  it('for a narrow terminal: a table that would lose every word is a list, and no line of it is without its name', () => {
    const head = ['Date', 'Agent', 'Result', 'Theory'];
    const row = [
      '2026-11-17 05:00',
      'command',
      '-',
      'the agent ended without an error, but nothing was changed',
    ];
    const page = {
      title: 't',
      subtitle: 's',
      sections: [{ title: 'E', blocks: [{ type: 'table', head, rows: [row] }] }],
    };
    const narrow = renderText(page as never, 50);
    expect(narrow).toContain(
      '  - 2026-11-17 05:00 · command · theory the agent ended without an error, but nothing was changed',
    );
    expect(renderText(page as never, 120)).toMatch(/^ {2}Date +Agent +Result +Theory$/m);
  });

  it('in words, with each reason once, the day to which a bar belongs, and no percentile of a few values', () => {
    const few = { n: 4, mean: 1_000, p50: 1_000, p90: 1_000, p95: 1_000 };
    const page = reportPage({ ...report, unblock: { ...report.unblock, with_people_ms: few } });
    const text = renderText(page);
    expect(text).toMatch(/^ {2}with people +4 +1 s +too few +too few +too few$/m);
    expect(text).toMatch(/^ {2}without people +\d+(?: +[\d.]+ (?:s|min|h|d)(?: \d+ (?:s|min))?){4}$/m);
    const section = (title: string) => page.sections.find((one) => one.title === title)?.blocks ?? [];
    const codes = [...section('By class'), ...section('By category')].flatMap((block) =>
      block.type === 'table' ? block.rows.flat().filter((cell) => cell.includes('_')) : [],
    );
    expect(codes).toEqual([]);
    expect(section('Reasons').map(({ type }) => type)).toEqual(['table']);
    const bars = section('Time to unblock').flatMap((block) =>
      block.type === 'chart' ? block.chart.bars.map(({ label }) => label) : [],
    );
    expect(bars.at(-1)).toBe(`until ${new Date(NOW).toISOString().slice(0, 10)}`);
  });

  it('as Markdown, HTML and CSV in which no text of a run becomes markup', () => {
    const [event] = report.recent;
    if (event === undefined) throw new Error('there are recent events');
    const hostile = '<script>alert(1)</script> | [x](http://evil) `y`';
    const told = reportPage({ ...report, recent: [{ ...event, theory: hostile, task: hostile }] });
    const html = renderHtml(told);
    expect(html).not.toContain('<script');
    expect(html).not.toMatch(/(?:src|href)=/);
    expect(html).toContain('<svg');
    expect(renderMarkdown(told)).toContain(
      '\\<script\\>alert(1)\\</script\\> \\| \\[x\\](http://evil) \\`y\\`',
    );
    const [run] = inPeriod;
    if (run === undefined) throw new Error('there are runs');
    const csv = renderCsv([{ ...run, title: '=cmd|"x", y' }]).split('\r\n');
    expect(csv[0]?.split(',')[0]).toBe('run_id');
    expect(csv[1]).toMatch(/,"'=cmd\|""x"", y"$/);
  });
});

it('a fallback that took over has a row of its own: the one that it replaced has failed, it has the outcome', () => {
  const taken = runMetrics({
    agent: 'bob',
    attempts: 3,
    workers: [
      { agent: 'bob', attempts: 2 },
      { agent: 'closer', attempts: 1 },
    ],
    incidents: [incidentMetrics({ agent: 'bob', outcome: 'resolved' })],
    cost: 3,
  });
  const alone = runMetrics({ id: 'r2', agent: 'bob', cost: 1 });
  const rows = breakdown([taken, alone], 10).agent;
  expect(rows.map(({ name, tasks }) => [name, tasks])).toEqual([
    ['bob', 2],
    ['closer', 1],
  ]);
  expect(rows[0]).toMatchObject({ first_try: { n: 1 }, failed_after_recovery: { n: 1 }, cost_usd: 3 });
  expect(rows[1]).toMatchObject({ first_try: { n: 1 }, failed_after_recovery: { n: 0 }, cost_usd: 1 });
});

it('different questions are no systematic event, the same end of three runs is one', () => {
  const failing = (id: string, kind: string, cause: string) =>
    runMetrics({ id, incidents: [incidentMetrics({ class: kind, fingerprint: `${kind}:observed`, cause })] });
  const asked = ['which store?', 'which port?', 'which name?'].map((cause, at) =>
    failing(`q${at}`, 'waiting_for_input', cause),
  );
  expect(systematicEvents(asked, [])).toEqual([]);
  const crashed = [1, 2, 3].map((at) => failing(`c${at}`, 'crashed', 'bob ended with exit code 7'));
  expect(systematicEvents(crashed, [])).toMatchObject([{ runs: ['c1', 'c2', 'c3'] }]);
});

describe('the runs behind a figure', () => {
  const behind = (figure: string) => (runsBehind(inPeriod, figure) ?? []).map(({ id }) => id);

  it('are as many as the figure counts', () => {
    const { tasks, by, missions } = report;
    expect(behind('all')).toHaveLength(tasks.total);
    expect(behind('first_try')).toHaveLength(tasks.first_try.n);
    expect(behind('required_recovery')).toHaveLength(tasks.required_recovery.n);
    expect(behind('failed_after_recovery')).toHaveLength(tasks.failed_after_recovery.n);
    for (const figure of ['open', 'unverified', 'by_word'] as const)
      expect(behind(figure)).toHaveLength(tasks[figure]);
    for (const { name, tasks: count } of by.agent) expect(behind(`agent:${name}`)).toHaveLength(count);
    for (const { name, tasks: count } of by.repository)
      expect(behind(`repository:${name}`)).toHaveLength(count);
    expect(behind('missions').length).toBeLessThanOrEqual(missions.total);
  });

  it('have an incident of the class or reason of the row, and no other run has', () => {
    for (const { name } of report.by.class)
      expect(new Set(behind(`class:${name}`))).toEqual(
        new Set(
          inPeriod.filter((run) => run.incidents.some((one) => one.class === name)).map(({ id }) => id),
        ),
      );
    const runs = report.tasks.reasons.flatMap(({ reason }) => behind(`reason:${reason}`));
    expect(new Set(runs)).toEqual(new Set(behind('required_recovery')));
  });

  it('can be asked for by every name that the page has, and by no other', () => {
    const named = reportPage(report).sections.flatMap(({ blocks }) =>
      blocks.flatMap((block) => {
        if (block.type === 'lines') return block.lines.flatMap(([, , figure]) => figure ?? []);
        if (block.type === 'table') return (block.figures ?? []).flatMap((figure) => figure ?? []);
        return [];
      }),
    );
    expect(named.length).toBeGreaterThan(20);
    for (const figure of named) expect(runsBehind(inPeriod, figure), figure).not.toBeNull();
    for (const figure of ['', 'nothing', 'constructor', 'constructor:x', '__proto__:x'])
      expect(runsBehind(inPeriod, figure), figure).toBeNull();
  });
});
