/** `ROUTES`: every route of the API. Each calls one use-case or reads the record; none decides. */
import { readView } from '../core/view/read-view.ts';
import { z } from 'zod';
import { inboxDocument } from './inbox-document.ts';
import { lineDocument } from './line-document.ts';
import { LINK_ROUTES } from './link-routes.ts';
import { RUN_ROUTES } from './run-routes.ts';
import { note, pageSize, pageStart, route, type RouteSpec, knownRow } from './route.ts';
import { START_ROUTES } from './start-routes.ts';
import { TEAM_ROUTES } from './team-routes.ts';
import { WORD_ROUTES } from './word-routes.ts';

const paging = z.object({ limit: pageSize, offset: pageStart });

const LOOKING: readonly RouteSpec[] = [
  route('GET', '/api/session', {
    summary: 'who you are at this desk, and the header that changes need',
    answer: async ({ record }, { session }) => ({
      by: session.by,
      role: session.role,
      csrf: session.csrf,
      change: await record.lastChange(),
    }),
  }),
  route('GET', '/api/runs', {
    summary: 'the runs, those that need a person first; one line each',
    input: paging.extend({ state: z.string().optional() }),
    answer: async ({ record, acts }, { input: { limit, offset, state } }) => {
      // The cursor is read first: what changes while the list is read comes again by the stream.
      const change = await record.lastChange();
      const filter = { listed: true, offset, limit: limit + 1, ...(state === undefined ? {} : { state }) };
      const rows = await record.rows(filter);
      return {
        runs: rows.slice(0, limit).map(({ view }) => lineDocument(view)),
        /** What the agents that work do now; the stream tells each next act. */
        acts: await acts.all(),
        next_offset: rows.length > limit ? offset + limit : null,
        change,
      };
    },
  }),
  route('GET', '/api/today', {
    summary: 'what the runs that began since this moment have cost; the page asks for the day of its viewer',
    input: z.object({ since: z.coerce.number().int().min(0) }),
    answer: async ({ record }, { input: { since } }) => {
      const { runs, costUsd } = await record.begunSince(since);
      return { runs, cost_usd: costUsd };
    },
  }),
  route('GET', '/api/runs/:run', {
    summary: 'the public document of a run, as mayday show --json prints it',
    answer: async ({ record }, { params }) => readView(await knownRow(record, params['run'])),
  }),
  route('GET', '/api/inbox', {
    summary:
      'the open questions, the oldest first, the answers that can still be taken back, and those of the last day',
    input: paging.pick({ limit: true }),
    answer: async ({ record, answers }, { input: { limit } }) => ({
      change: await record.lastChange(),
      ...(await inboxDocument(record, limit, Date.now())),
      answers: answers.all(),
    }),
  }),
];

const ANSWERING: readonly RouteSpec[] = [
  route('POST', '/api/questions/:question/answer', {
    summary:
      'answer a question; for a few seconds the answer can be taken back; sent again with the same id it counts once',
    input: z.object({ option: z.string().min(1).max(200), note, id: z.string().max(100).default('') }),
    answer: async (desk, { session, params, input }) =>
      await desk.answers.keep(desk.caller(session), { name: params['question'] ?? '', ...input }),
  }),
  route('DELETE', '/api/questions/:question/answer', {
    summary: 'take an answer back that the run has not got yet',
    answer: async ({ answers }, { params }) => ({ taken_back: answers.takeBack(params['question'] ?? '') }),
  }),
];

export const ROUTES: readonly RouteSpec[] = [
  ...LOOKING,
  ...RUN_ROUTES,
  ...TEAM_ROUTES,
  ...START_ROUTES,
  ...WORD_ROUTES,
  ...ANSWERING,
  ...LINK_ROUTES,
];
