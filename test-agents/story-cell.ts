/** `playCell`: one cell of the table: a story with one CLI, bare and supervised, measured, and judged. */
import { spawnSync } from 'node:child_process';
import { ModelServer, type RecordedRequest } from '../tools/model-server/model-server.ts';
import { Box, type BareRun, runBare } from './bare-cli.ts';
import type { ModelScriptInput } from '../tools/model-server/script.ts';
import type { AgentCli, Rules } from './agent-cli.ts';
import { boxProcesses } from './box-processes.ts';
import { eventually } from './eventually.ts';
import { lostHistory, resumes } from './lost-history.ts';
import { prepareRepository, runSupervised, type SupervisedRun } from './supervised.ts';
import { CHECK, SLOW_PROCESS, storiesOf, TASK, type Story } from './story.ts';

export interface StoryCell {
  readonly story: string;
  readonly cli: string;
  readonly bare: {
    readonly ended: string;
    readonly seconds: number;
    /** Requests that led nowhere: all of them when the work was not done. */
    readonly inVain: number;
    readonly workDone: boolean;
    readonly orphans: number;
    /** From its start to its first request, or to its end where it made none. */
    readonly startMs: number;
  };
  readonly supervised: {
    readonly ended: string;
    readonly class: string | null;
    readonly attempts: number;
    readonly secondsToNotice: number | null;
    readonly seconds: number;
    readonly inVain: number;
    readonly orphans: number;
  };
  /** Why the cell is red; empty when it is as it must be. */
  readonly wrong: readonly string[];
}

/** Those that would hang for minutes or loop for ever are cut here and say so. */
const BARE_TIMEOUT_MS = 30_000;
/** The start of the CLI alone takes half a minute on a machine that is busy with other things. */
const HURT_TIMEOUT_MS = 300_000;

/** Under Mayday the start of a CLI shares the machine with the keeper, and the load changes from one minute to the next. */
const SLOWER_SUPERVISED = 4;
/** Honest work lasts three times as long; a cell must end some time, and a CLI ends a tool after two minutes. */
const MAX_SILENCE_MS = 50_000;

export async function playCell(cli: AgentCli, story: Story, program: string): Promise<StoryCell> {
  const bare = await bareHalf(cli, story, program).catch((error: Error) => ({
    ended: `error: ${error.message}`,
    seconds: 0,
    inVain: 0,
    workDone: false,
    orphans: 0,
    startMs: 0,
  }));
  const supervised = await supervisedHalf(cli, asSlowAs(cli, story, bare.startMs), program).catch(
    (error: Error) => ({
      supervised: {
        ended: 'error',
        class: null,
        attempts: 0,
        secondsToNotice: null,
        seconds: 0,
        inVain: 0,
        orphans: 0,
      },
      wrong: [error.message],
    }),
  );
  return { story: story.name, cli: cli.title, bare, ...supervised };
}

/** A start must not look like silence: where the machine is slow just now, silence is longer, and so is what must outlast it. */
function asSlowAs(cli: AgentCli, story: Story, startMs: number): Story {
  const mostMs = cli.mostSilenceMs ?? MAX_SILENCE_MS;
  const silenceMs = Math.min(mostMs, Math.max(cli.silenceMs, SLOWER_SUPERVISED * startMs));
  return storiesOf({ ...cli, silenceMs }).find(({ name }) => name === story.name) ?? story;
}

async function bareHalf(cli: AgentCli, story: Story, program: string): Promise<StoryCell['bare']> {
  return inWorld(cli, story, async (server, box) => {
    const begunAt = Date.now();
    const run = await runBare(
      box,
      {
        command: program,
        brief: TASK,
        permissions: { checks: [CHECK], allowedTools: story.permissions ?? cli.permissions ?? [] },
        env: story.env ?? {},
        plain: true,
        timeoutMs: story.signal === undefined ? BARE_TIMEOUT_MS : HURT_TIMEOUT_MS,
      },
      () => hurt(story, box).then(() => undefined),
    );
    const workDone = spawnSync('sh', ['-c', CHECK], { cwd: box.repo }).status === 0;
    return {
      ended: bareEnding(run),
      seconds: run.seconds,
      inVain: workDone ? troubled(server.requests).length : server.requests.length,
      workDone,
      orphans: box.alive.length,
      startMs: (server.requests[0]?.at ?? Date.now()) - begunAt,
    };
  });
}

async function supervisedHalf(
  cli: AgentCli,
  story: Story,
  program: string,
): Promise<Pick<StoryCell, 'supervised' | 'wrong'>> {
  return inWorld(cli, story, async (server, box) => {
    prepareRepository(box, story);
    const hurting = hurt(story, box, () => box.maydayTells(SLOW_PROCESS.join(' ')));
    // Awaited below; until then a failure of it must not end the whole table.
    hurting.catch(() => undefined);
    const mend = (): void => story.mended && server.play(script(cli, story.mended.rules));
    const result = await runSupervised(box, program, story, mend);
    const hurtAt = (await hurting) ?? troubled(server.requests)[0]?.at ?? null;
    const noticed = result.run.incidents[0]?.detected_at ?? null;
    const secondsToNotice =
      noticed === null || hurtAt === null ? null : (Date.parse(noticed) - hurtAt) / 1000;
    const supervised = {
      ended: result.run.state,
      class: result.run.incidents[0]?.class ?? null,
      attempts: result.run.attempts.length,
      secondsToNotice,
      seconds: result.seconds,
      inVain: troubled(server.requests).length,
      orphans: box.alive.length,
    };
    return { supervised, wrong: judge(story, result, supervised, server.requests) };
  });
}

function judge(
  { expect }: Story,
  { run, inbox }: SupervisedRun,
  seen: StoryCell['supervised'],
  requests: readonly RecordedRequest[],
): readonly string[] {
  const wrong: string[] = [];
  const must = (holds: boolean, what: string): void => void (holds || wrong.push(what));
  const sessions = new Set(run.attempts.map(({ agent_session }) => agent_session)).size;
  must(seen.ended === 'delivered', `${seen.ended}: ${run.outcome_reason ?? run.next_step ?? ''}`);
  must(
    expect.class.some((one) => one === seen.class),
    `class ${seen.class}, not ${expect.class.join(' or ')}`,
  );
  must(seen.orphans === 0, `${seen.orphans} processes left behind`);
  if (expect.attempts !== undefined)
    must(seen.attempts === expect.attempts, `${seen.attempts} attempts, not ${expect.attempts}`);
  if (expect.sessions !== undefined)
    must(sessions === expect.sessions, `${sessions} agent sessions, not ${expect.sessions}`);
  if (expect.questions !== undefined)
    must(
      run.questions.length === expect.questions,
      `${run.questions.length} questions, not ${expect.questions}`,
    );
  if (expect.asked !== undefined)
    must(
      inbox.replaceAll(/\s+/g, ' ').includes(expect.asked),
      `not in the inbox word for word: ${inbox.slice(0, 300)}`,
    );
  if (expect.mostTroubled !== undefined)
    must(seen.inVain <= expect.mostTroubled, `${seen.inVain} requests in vain`);
  if (expect.mostSecondsToNotice !== undefined)
    must(
      seen.secondsToNotice !== null && seen.secondsToNotice <= expect.mostSecondsToNotice,
      `noticed after ${seen.secondsToNotice} s`,
    );
  if (expect.isNudged === true)
    must(typeof run.attempts[0]?.nudge?.heard_at === 'string', 'the agent took no message');
  for (const [before, after] of resumes(requests, run.attempts)) {
    const lost = lostHistory(before, after);
    must(after.turn >= before.turn, `turn ${after.turn} after the resume, ${before.turn} before it`);
    must(lost.length === 0, `not told to the model after the resume: ${lost.join(', ').slice(0, 300)}`);
  }
  const [unanswered] = requests.filter(({ rule }) => rule === null);
  must(
    unanswered === undefined,
    `asked something that the script has no answer for: ${unanswered?.model} turn ${unanswered?.turn}: ${JSON.stringify(unanswered?.lastUserText.slice(-300) || unanswered?.toolResults)}`,
  );
  return wrong;
}

/** A request for a title is answered, and is no part of the story. */
function script({ asksForTitle }: AgentCli, rules: Rules): ModelScriptInput {
  if (asksForTitle === undefined) return { rules };
  const when = { last_user_includes: asksForTitle };
  return { rules: [{ name: 'title', when, reply: { text: 'A file' } }, ...rules] };
}

async function inWorld<Result>(
  cli: AgentCli,
  story: Story,
  act: (server: ModelServer, box: Box) => Promise<Result>,
): Promise<Result> {
  const server = await ModelServer.start(script(cli, story.rules));
  const box = new Box(cli, server.url);
  try {
    return await act(server, box);
  } finally {
    box.remove();
    await server.close();
  }
}

/** When the agent was hit, or null when nobody hits it. `isSeen`: the tool is in the middle also for who watches. */
async function hurt(
  story: Story,
  box: Box,
  isSeen: () => Promise<void> = async () => undefined,
): Promise<number | null> {
  if (story.signal === undefined) return null;
  const runs = (): boolean =>
    boxProcesses(box.root).some(({ argv }) => SLOW_PROCESS.every((word, index) => argv[index] === word));
  await eventually('the slow tool runs', runs);
  await box.sessionTells(box.cli.toldBeforeTool ?? SLOW_PROCESS.join(' '));
  await isSeen();
  const agent = boxProcesses(box.root).find((one) => box.cli.isAgent(one));
  if (agent === undefined) throw new Error('the agent process was not found');
  process.kill(agent.pid, story.signal);
  return Date.now();
}

function troubled(requests: readonly RecordedRequest[]): readonly RecordedRequest[] {
  return requests.filter(({ rule }) => rule === 'trouble');
}

function bareEnding(run: BareRun): string {
  if (run.timedOut) return 'cut off';
  return run.signal ?? `exit ${run.exitCode}`;
}
