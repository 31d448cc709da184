/** `ROUTES`: every route of the API. Each calls one use-case or reads the record; none decides. */
import { z } from 'zod';
import { usageError } from '../platform/mayday-error.ts';
import type { RunRecord } from '../record/contract.ts';
import type { RunRow } from '../record/contract/journal.ts';
import { acceptRun } from '../use-cases/steer/accept-run.ts';
import { flagRun } from '../use-cases/steer/flag-run.ts';
import { refusalError } from '../use-cases/refusal-error.ts';
import type { Refusal } from '../use-cases/refusal.ts';
import { resumeRun } from '../use-cases/steer/resume-run.ts';
import { stopRun } from '../use-cases/steer/stop-run.ts';
import { inboxDocument } from './inbox-document.ts';
import { lineDocument } from './line-document.ts';
import { RUN_ROUTES } from './run-routes.ts';
import { type Desk, note, route, type RouteSpec } from './route.ts';
import { TEAM_ROUTES } from './team-routes.ts';

/** A screen of a large monitor twice over. */
const PAGE = 100;
const MAX_PAGE = 500;

const paging = z.object({
  limit: z.coerce.number().int().min(1).max(MAX_PAGE).default(PAGE),
  offset: z.coerce.number().int().min(0).default(0),
});

const LOOKING: readonly RouteSpec[] = [
  route('GET', '/api/session', {
    summary: 'who you are at this desk, and the header that changes need',
    answer: async (desk, { session }) => ({
      by: session.by,
      role: session.role,
      csrf: session.csrf,
      change: await desk.feed.latest(),
    }),
  }),
  route('GET', '/api/runs', {
    summary: 'the runs, those that need a person first; one line each',
    input: paging.extend({ state: z.string().optional() }),
    answer: async ({ record, feed }, { input: { limit, offset, state } }) => {
      // The cursor is read first: what changes while the list is read comes again by the stream.
      const change = await feed.latest();
      const filter = { listed: true, offset, limit: limit + 1, ...(state === undefined ? {} : { state }) };
      const rows = await record.rows(filter);
      return {
        runs: rows.slice(0, limit).map(({ view }) => lineDocument(view)),
        next_offset: rows.length > limit ? offset + limit : null,
        change,
      };
    },
  }),
  route('GET', '/api/runs/:run', {
    summary: 'the public document of a run, as mayday show --json prints it',
    answer: async ({ record }, { params }) =>
      JSON.parse((await rowOf(record, params['run'])).view) as unknown,
  }),
  route('GET', '/api/inbox', {
    summary: 'the open questions, the oldest first, and the answers that can still be taken back',
    input: paging.pick({ limit: true }),
    answer: async ({ record, answers }, { input: { limit } }) => ({
      ...(await inboxDocument(record, limit, Date.now())),
      answers: answers.all(),
    }),
  }),
];

const SPEAKING: readonly RouteSpec[] = [
  route('POST', '/api/questions/:question/answer', {
    summary: 'answer a question; for a few seconds the answer can be taken back',
    input: z.object({ option: z.string().min(1).max(200), note }),
    answer: async (desk, { session, params, input }) => {
      const name = params['question'] ?? '';
      // Known at once rather than after the seconds in which it can be taken back.
      await rowOf(desk.record, name.replace(/-q\d+$/, ''));
      return desk.answers.keep(desk.caller(session), { name, ...input });
    },
  }),
  route('DELETE', '/api/questions/:question/answer', {
    summary: 'take an answer back that the run has not got yet',
    answer: async ({ answers }, { params }) => ({ taken_back: answers.takeBack(params['question'] ?? '') }),
  }),
  runRoute('stop', 'save the work of a run and stop it', z.object({ reason: note }), stopRun),
  runRoute('resume', 'let a run go on', z.object({ note }), resumeRun),
  runRoute('accept', 'deliver the work of a run by your word', z.object({ note }), acceptRun),
  runRoute('flag', 'pause a run and ask', z.object({ reason: note }), flagRun),
  route('POST', '/api/links', {
    summary: 'a link that logs another person in, once',
    input: z.object({ role: z.enum(['viewer', 'operator']), by: z.string().trim().min(1).max(100) }),
    answer: async ({ access, address }, { input }) => ({
      url: `${address()}login?code=${access.link(input)}`,
    }),
  }),
];

export const ROUTES: readonly RouteSpec[] = [...LOOKING, ...RUN_ROUTES, ...TEAM_ROUTES, ...SPEAKING];

function runRoute<S extends z.ZodType<object>>(
  verb: string,
  summary: string,
  input: S,
  use: (
    caller: ReturnType<Desk['caller']>,
    wish: { readonly runId: string } & z.output<S>,
  ) => Promise<{ readonly type: string } | Refusal>,
): RouteSpec {
  return route('POST', `/api/runs/:run/${verb}`, {
    summary,
    input,
    answer: async (desk, { session, params, input: said }) => {
      const { runId } = await rowOf(desk.record, params['run']);
      const result = await use(desk.caller(session), { runId, ...said });
      if ('because' in result) throw refusalError(result);
      return { result: result.type, run: lineDocument((await rowOf(desk.record, runId)).view) };
    },
  });
}

async function rowOf(record: RunRecord, runId = ''): Promise<RunRow> {
  const row = await record.row(runId);
  if (row === null)
    throw usageError('UNKNOWN_RUN', `there is no run ${JSON.stringify(runId.slice(0, 80))}`, [
      ['do', 'mayday ps lists the runs'],
    ]);
  return row;
}
