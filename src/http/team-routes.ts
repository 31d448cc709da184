/** `TEAM_ROUTES`: the routes about more than one run: holds, causes, lessons, numbers. */
import { z } from 'zod';
import { usageError } from '../platform/mayday-error.ts';
import { buildReport, type Report } from '../report/build-report.ts';
import { causeDocument, causesOf } from '../report/causes.ts';
import { accountRows, holdJson } from '../report/hold-json.ts';
import { hostJson, hostsDocument } from '../report/host-json.ts';
import { lessonRows } from '../report/lesson-rows.ts';
import { reasonOf } from '../report/metrics/reasons.ts';
import { runsBehind } from '../report/metrics/runs-behind.ts';
import { reportPage } from '../report/page/report-page.ts';
import { readHistory } from '../report/read-history.ts';
import type { RunRecord } from '../record/contract.ts';
import { HOST_MODES } from '../record/contract/hosts.ts';
import { activeHolds } from '../supervise/active-holds.ts';
import { fleetFigures } from '../supervise/fleet-figures.ts';
import { openLessonIndex } from '../supervise/lessons/lesson-index.ts';
import { parseDuration } from '../supervise/request/duration.ts';
import { approveNamedLesson, rejectNamedLesson } from '../use-cases/learn/decide-lesson.ts';
import { granted } from '../use-cases/refusal-error.ts';
import { releaseHold } from '../use-cases/steer/release-hold.ts';
import { setHostMode } from '../use-cases/steer/set-host-mode.ts';
import { prometheusText } from './prometheus.ts';
import { type Desk, note, pageSize, pageStart, repositories, route, type RouteSpec } from './route.ts';

/** A person reads no more causes than this at once; the report counts all. */
const MAX_CAUSES = 200;

const since = z.object({ since: z.string().max(20).default('30d') });
const inRepository = z.object({ repository: z.string().max(4_096), note });

export const TEAM_ROUTES: readonly RouteSpec[] = [
  route('GET', '/api/holds', {
    summary: 'what keeps several runs from starting agents, who waits, and what ends it',
    answer: async ({ record }) => {
      const now = Date.now();
      const holds = await activeHolds(record, now);
      // The page writes these times in the zone of its viewer.
      const time = (at: number) => new Date(at).toISOString();
      return {
        holds: holds.map((hold) => holdJson(hold, now, time)),
        accounts: accountRows(await record.holds(), holds, time),
      };
    },
  }),
  route('POST', '/api/holds/:hold/release', {
    summary: 'end a hold by your word',
    input: z.object({ note }),
    answer: async (desk, { session, params, input }) => {
      const { hold } = granted(
        await releaseHold(desk.caller(session), { id: params['hold'] ?? '', ...input }),
      );
      return { released: hold.id };
    },
  }),
  route('GET', '/api/hosts', {
    summary: 'the hosts that share the record, their runs, and what this machine has left',
    answer: async ({ home, record }) => await hostsDocument(home, record),
  }),
  route('POST', '/api/hosts/:host/mode', {
    role: 'owner',
    summary: 'let a host work, finish what it has, or give its runs to the others',
    input: z.object({ mode: z.enum(HOST_MODES) }),
    answer: async (desk, { session, params, input: { mode } }) => {
      const { host } = await setHostMode(desk.caller(session), { host: params['host'] ?? '', mode });
      return { host: hostJson(host, desk.record.hosts?.id ?? '') };
    },
  }),
  route('GET', '/api/causes', {
    summary: 'what went wrong in many runs, by its cause, the latest seen first',
    input: since,
    answer: async ({ record }, { input }) => {
      const now = Date.now();
      const { runs, lessons } = await historySince(record, input.since, now);
      const causes = causesOf(runs, lessons, { holds: await activeHolds(record, now) });
      return { causes: causes.slice(0, MAX_CAUSES), all: causes.length };
    },
  }),
  route('GET', '/api/causes/:cause', {
    summary: 'one cause: its incidents, its evidence, its hypotheses and its lesson',
    answer: async ({ record }, { params }) => {
      const id = params['cause'] ?? '';
      const cause = await causeDocument(record, id, Date.now());
      if (cause !== null) return cause;
      throw usageError('UNKNOWN_CAUSE', `there is no cause ${JSON.stringify(id.slice(0, 80))}`, [
        ['do', '/api/causes lists them'],
      ]);
    },
  }),
  route('GET', '/api/lessons', {
    summary: 'the lessons of every repository that runs work in, with what became of them',
    answer: async (desk) => {
      const now = Date.now();
      const lists = (await repositories(desk)).map(async (repository) => {
        const { lessons } = await openLessonIndex(desk, repository, now);
        const rows = await lessonRows(desk.record, repository, lessons);
        return rows.map((row, at) => ({ repository, ...row, guidance: lessons[at]?.lesson.guidance ?? '' }));
      });
      return { lessons: (await Promise.all(lists)).flat() };
    },
  }),
  route('POST', '/api/lessons/:lesson/approve', {
    role: 'owner',
    summary: 'let briefs carry a lesson',
    input: inRepository,
    answer: async (desk, { session, params, input }) => {
      const { item } = await approveNamedLesson(desk.caller(session), await wordOn(desk, params, input));
      return { id: item.lesson.id, status: 'approved' };
    },
  }),
  route('POST', '/api/lessons/:lesson/reject', {
    role: 'owner',
    summary: 'reject a proposed lesson, or retire one that briefs carry',
    input: inRepository,
    answer: async (desk, { session, params, input }) => {
      const said = await rejectNamedLesson(desk.caller(session), await wordOn(desk, params, input));
      return { id: said.item.lesson.id, status: said.type, briefs: said.briefs, owing: said.owing };
    },
  }),
  route('GET', '/api/report', {
    summary: 'the numbers of a period, as mayday report --json prints them',
    input: since,
    answer: async (desk, { input }) => await reportOf(desk, input.since),
  }),
  route('GET', '/api/report/page', {
    summary: 'the numbers of a period as a page: what mayday report prints',
    input: since,
    answer: async (desk, { input }) => reportPage(await reportOf(desk, input.since)),
  }),
  route('GET', '/api/report/runs', {
    summary: 'the runs behind a figure of that page, the newest first',
    input: since.extend({ figure: z.string().min(1).max(4_200), limit: pageSize, offset: pageStart }),
    answer: async ({ record }, { input: { since: period, figure, limit, offset } }) => {
      const { runs } = await historySince(record, period, Date.now());
      const behind = runsBehind(runs, figure);
      if (behind === null)
        throw usageError('UNKNOWN_FIGURE', `there is no figure ${JSON.stringify(figure.slice(0, 80))}`, [
          ['do', '/api/report/page names the figures'],
        ]);
      const newest = behind.toSorted((a, b) => b.created - a.created).slice(offset, offset + limit);
      return {
        all: behind.length,
        next_offset: behind.length > offset + limit ? offset + limit : null,
        runs: newest.map((run) => ({
          run_id: run.id,
          title: run.title,
          agent: run.agent,
          state: run.state,
          created_at: new Date(run.created).toISOString(),
          incidents: run.incidents.map((incident) => incident.class),
          reasons: run.incidents.map((incident) => reasonOf(incident.class)),
          cost_usd: run.cost,
        })),
      };
    },
  }),
  route('GET', '/metrics', {
    summary: 'the figures of all runs, as Prometheus text',
    media: 'text/plain; version=0.0.4; charset=utf-8',
    answer: async ({ record }) => prometheusText(await fleetFigures(record, Date.now())),
  }),
];

async function historySince(record: RunRecord, period: string, now: number) {
  const from = now - parseDuration(period, 'since');
  const { runs, lessons } = await readHistory(record, { now });
  return { runs: runs.filter(({ created }) => created >= from), lessons };
}

async function reportOf({ record }: Desk, period: string): Promise<Report> {
  const now = Date.now();
  const from = now - parseDuration(period, 'since');
  // A run of the present millisecond belongs to the period too.
  return await buildReport(record, { from, to: now + 1, now, compare: false });
}

async function wordOn(
  desk: Desk,
  params: Readonly<Record<string, string>>,
  { repository, note: said }: z.output<typeof inRepository>,
) {
  if (!(await repositories(desk)).includes(repository))
    throw usageError('UNKNOWN_LESSON', 'no run works in that repository', [
      ['do', '/api/lessons lists them'],
    ]);
  return { repository, lesson: params['lesson'] ?? '', note: said };
}
