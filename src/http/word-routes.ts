/** `WORD_ROUTES`: what a person says to one run, each word by its use-case. */
import { z } from 'zod';
import { CHECKLIST } from '../core/vocabulary/mission.ts';
import { missionJson } from '../core/view/mission-json.ts';
import { loadState } from '../supervise/load-state.ts';
import type { Caller } from '../use-cases/caller.ts';
import { closeMission } from '../use-cases/learn/close-mission.ts';
import { granted } from '../use-cases/refusal-error.ts';
import type { Refusal } from '../use-cases/refusal.ts';
import { abandonRun } from '../use-cases/steer/abandon-run.ts';
import { acceptRun } from '../use-cases/steer/accept-run.ts';
import { checkpointRun } from '../use-cases/steer/checkpoint-run.ts';
import { flagRun } from '../use-cases/steer/flag-run.ts';
import { removeRun } from '../use-cases/steer/remove-run.ts';
import { rescueRun } from '../use-cases/steer/rescue-run.ts';
import { restoreRun } from '../use-cases/steer/restore-run.ts';
import { resumeRun } from '../use-cases/steer/resume-run.ts';
import { stopRun } from '../use-cases/steer/stop-run.ts';
import type { DeskRole } from './access.ts';
import { notAllowed } from './guard.ts';
import { lineDocument } from './line-document.ts';
import { MAX_NOTE, note, route, type RouteSpec, knownRow } from './route.ts';

const MAX_PATHS = 20;
const paths = z.array(z.string().min(1).max(4_096)).max(MAX_PATHS).default([]);
const texts = z.array(z.string().min(1).max(MAX_NOTE)).max(MAX_PATHS).default([]);

export const WORD_ROUTES: readonly RouteSpec[] = [
  word('stop', 'save the work of a run and stop it', z.object({ reason: note }), stopRun),
  word(
    'resume',
    'let a run go on; agent_gone: you know that its agent, which cannot be seen, runs no more',
    z.object({ note, agent_gone: z.boolean().default(false) }),
    (caller, { runId, ...said }) => resumeRun(caller, { runId, note: said.note, agentGone: said.agent_gone }),
  ),
  word('accept', 'deliver the work of a run by your word', z.object({ note }), acceptRun),
  word('flag', 'pause a run and ask', z.object({ reason: note }), flagRun),
  word('abandon', 'end a run for good; its work is kept', z.object({ reason: note }), abandonRun),
  word('checkpoint', 'save the work of a run now', z.object({}), checkpointRun, ({ checkpoint, files }) => ({
    checkpoint,
    files,
  })),
  word(
    'restore',
    'bring a checkpoint back, without a number the last one; what is there now is saved first, as undo',
    z.object({ checkpoint: z.int().min(0).optional() }),
    (caller, { runId, checkpoint }) =>
      restoreRun(caller, { runId, checkpoint: checkpoint === undefined ? undefined : String(checkpoint) }),
    ({ number, restored, deleted, kept, before }) => ({ number, restored, deleted, kept, undo: before }),
  ),
  word(
    'rescue',
    "begin a rescue mission with what the agent should know; files are paths in the run's repository",
    z.object({
      injection: z.string().trim().min(1).max(MAX_NOTE),
      category: z
        .enum(CHECKLIST.map(([name]) => name))
        .nullable()
        .default(null),
      root_cause: z.string().trim().min(1).max(MAX_NOTE).nullable().default(null),
      files: paths,
      specs: paths,
    }),
    async (caller, { runId, injection, category, root_cause: rootCause, files, specs }) => {
      // Mayday would read them, an ignored one too, and the agent tells what it read.
      if (caller.isGuest === true && files.length + specs.length > 0)
        throw notAllowed('files for an agent are given by the person who opened the desk');
      const { repository } = await loadState(caller.record, runId);
      const plan = { category, rootCause, injection, filesAdded: files, specChanges: specs };
      return await rescueRun(caller, { runId, owner: caller.by, plan, from: repository, within: repository });
    },
    ({ mission }, runId) => ({ mission: missionJson(runId, mission) }),
  ),
  word(
    'remove',
    'take an ended run from the lists and give its disk back; story, evidence and checkpoints stay',
    z.object({ discard_worktree: z.boolean().default(false) }),
    (caller, { runId, ...said }) => removeRun(caller, { runId, discardWorktree: said.discard_worktree }),
    ({ freedBytes }) => ({ freed_bytes: freedBytes }),
    'owner',
  ),
  route('POST', '/api/missions/:mission/close', {
    summary: 'close a rescue mission with a lesson, a changed specification, or the reason for neither',
    input: z.object({ lessons: texts, specs: texts, reason: note }),
    answer: async (desk, { session, params, input: { lessons, specs: specChanges, reason } }) => {
      const mission = params['mission'] ?? '';
      const said = granted(
        await closeMission(desk.caller(session), { mission, lessons, specChanges, reason }),
      );
      return { mission: missionJson(said.runId, said.mission) };
    },
  }),
];

/** `tell`: what the answer has besides the run as it is afterwards. */
function word<S extends z.ZodType<object>, R extends { readonly type: string }>(
  verb: string,
  summary: string,
  input: S,
  use: (caller: Caller, wish: { readonly runId: string } & z.output<S>) => Promise<R | Refusal>,
  tell: (result: Exclude<R, { readonly type: 'refused' }>, runId: string) => object = () => ({}),
  role: DeskRole = 'operator',
): RouteSpec {
  return route('POST', `/api/runs/:run/${verb}`, {
    role,
    summary,
    input,
    answer: async (desk, { session, params, input: said }) => {
      const { runId } = await knownRow(desk.record, params['run']);
      const result = granted<R>(await use(desk.caller(session), { runId, ...said }));
      const run = lineDocument((await knownRow(desk.record, runId)).view);
      return { result: result.type, run, ...tell(result, runId) };
    },
  });
}
