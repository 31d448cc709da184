/** `START_ROUTES`: a new run by its use-case: the owner's where Mayday has worked before, a starter's as the configuration says. */
import { z } from 'zod';
import { usageError } from '../platform/mayday-error.ts';
import { parseDuration } from '../supervise/request/duration.ts';
import { planRun } from '../use-cases/start/plan-run.ts';
import { startRun } from '../use-cases/start/start-run.ts';
import { unheardWarnings } from '../use-cases/start/unheard-warnings.ts';
import { lineDocument } from './line-document.ts';
import { startGrant } from './start-grant.ts';
import { repositories, route, type RouteSpec, knownRow } from './route.ts';

const MAX_TEXT = 30_000;
const MAX_ITEMS = 50;

const text = z.string().min(1).max(200).optional();
const list = z.array(z.string().min(1).max(4_096)).max(MAX_ITEMS).default([]);
const limit = z
  .union([z.number().min(0), z.literal('none')])
  .nullable()
  .default(null);

/**
 * As the options of `mayday submit`. Left out is what only the person at the terminal may say: to trust or name the set-up of a
 * repository, to trust its commands, to edit in place, to be another user, to give secrets, to deliver outside of the repository.
 */
const wish = z.strictObject({
  repository: z.string().min(1).max(4_096),
  task: z.string().trim().min(1).max(MAX_TEXT),
  start: z.boolean().default(false).describe('begin at once; otherwise mayday work takes it from the queue'),
  name: text,
  agent: text,
  checks: list,
  scope: list,
  fallbacks: list,
  expect: text.describe('how long it should take, as 20m'),
  size: text,
  budget_usd: limit,
  budget_tokens: limit,
  max_turns: limit,
  budget_time: text.describe('as 4h, or none'),
  timeout: text.describe('of one attempt, as 2h'),
  sink: text,
  explore: z.boolean().default(false),
  include_dirty: z.boolean().default(false),
  auto_resume: z.boolean().default(true),
  labels: list,
  priority: z.number().default(0),
});

export const START_ROUTES: readonly RouteSpec[] = [
  route('POST', '/api/runs', {
    role: 'starter',
    summary: 'queue a task for mayday work, or start it at once',
    input: wish,
    answer: async (desk, { session, input: given }) => {
      const isOwner = session.role === 'owner';
      // Compared with what a request that says nothing else means.
      const usual = wish.parse({ repository: '-', task: '-' });
      const grant = isOwner ? null : await startGrant(desk.home, given, usual);
      const input = grant?.wish ?? given;
      if (isOwner && !(await repositories(desk)).includes(input.repository))
        throw usageError('UNKNOWN_REPOSITORY', 'no run has worked in that repository yet', [
          ['did', 'nothing was started'],
          ['do', 'start the first run of a repository there, with mayday run; after that the desk knows it'],
        ]);
      const { home, env } = desk;
      const { repository: cwd, start, timeout, expect, budget_time: time, ...wished } = input;
      const { budget_usd, budget_tokens, max_turns, include_dirty, auto_resume, ...asked } = wished;
      const duration = (value: string | undefined, what: string) =>
        value === undefined ? null : parseDuration(value, what);
      const plan = await planRun(
        { home, env, by: session.by },
        {
          ...asked,
          cwd,
          taskGiven: true,
          expectedMs: duration(expect, 'expect'),
          budgetUsd: budget_usd,
          budgetTokens: budget_tokens,
          maxTurns: max_turns,
          budgetTimeMs: time === 'none' ? time : duration(time, 'budget_time'),
          timeoutMs: duration(timeout, 'timeout'),
          saidIn: { place: 'the request', names: ['check', 'scope', 'sink'] },
          includeDirty: include_dirty,
          autoResume: auto_resume,
          queued: !start,
        },
      );
      grant?.assertPlan(plan.fact);
      const { withheld, warnings, checkAtHand } = plan.notes;
      const unheard = await unheardWarnings(home, warnings);
      const { type, runId } = await startRun(desk.caller(session), plan);
      return {
        result: type,
        run: lineDocument((await knownRow(desk.record, runId)).view),
        notes: { withheld, check_at_hand: checkAtHand, warnings: unheard },
      };
    },
  }),
];
