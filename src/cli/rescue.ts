/** `mayday rescue RUN`: a rescue mission. Guided at a terminal; with options or --json without a word. */
import type { Category } from '../core/failure-class.ts';
import { CHECKLIST, type MissionPlan } from '../core/mission.ts';
import { openIncident, openMission, type RunState } from '../core/run-state.ts';
import { missionJson } from '../core/view/mission-json.ts';
import { usageError } from '../platform/mayday-error.ts';
import { assertPerson } from '../supervise/assert-person.ts';
import { loadState } from '../supervise/run-journal.ts';
import type { Invocation } from './command.ts';
import { type Ask, converse } from './conversation.ts';
import { userName } from './follow.ts';
import { oneLine } from './render/plain.ts';
import { speak } from './speak.ts';
import { findRun, withRecord } from './with-record.ts';

export function run(invocation: Invocation): Promise<number> {
  return withRecord(invocation, async (opened) => {
    const { env, stdout, json, options } = invocation;
    const runId = await findRun(opened.record, invocation.args[0] ?? '');
    const before = await loadState(opened.record, runId);
    refuse(before);
    await assertPerson(opened, '`mayday rescue`');
    const owner = one(options['owner']) ?? userName(env);
    const alone = json || process.stdin.isTTY !== true || one(options['inject']) !== undefined;
    const plan = alone ? told(before, options) : await guided(before, invocation);
    const after = await speak(opened, runId, { type: 'rescue_requested', by: owner, plan }, env);
    const mission = after.missions[before.missions.length];
    if (mission === undefined)
      throw usageError('NO_RESCUE', `run ${runId} could not be rescued now`, [
        ['do', `mayday show ${runId}`],
      ]);
    stdout.write(
      json
        ? `${JSON.stringify(missionJson(runId, mission))}\n`
        : `${mission.id}: the agent goes on with your words; mayday watch ${runId}\nafterwards: what should the next agent know? mayday missions close ${mission.id} --lesson ID | --spec TEXT | --reason TEXT\n`,
    );
    return 0;
  });
}

function refuse(state: RunState): void {
  const { life, runId } = state;
  if (life.type === 'ended')
    throw usageError('RUN_ENDED', `run ${runId} has ended: ${life.reason}`, [
      ['do', 'mayday run starts a new one'],
    ]);
  const open = openMission(state);
  if (open !== undefined)
    throw usageError('RESCUE_UNDER_WAY', `${open.id} by ${open.owner} is under way`, [
      ['do', `mayday show ${runId}`],
    ]);
}

function told(state: RunState, options: Invocation['options']): MissionPlan {
  const injection = one(options['inject']);
  if (injection === undefined || injection.trim() === '')
    throw usageError('NOTHING_TO_INJECT', 'a rescue needs what the agent should know now', [
      ['do', 'mayday rescue RUN --inject "what was missing, what to do next"'],
    ]);
  const named = one(options['category']);
  const category = CHECKLIST.find(([name]) => name === named)?.[0] ?? null;
  if (named !== undefined && category === null)
    throw usageError('WRONG_CATEGORY', `there is no category ${JSON.stringify(named.slice(0, 60))}`, [
      ['one of', CHECKLIST.map(([name]) => name).join(', ')],
    ]);
  const note = one(options['note']);
  return planOf(
    state,
    category,
    one(options['root-cause']) ?? null,
    [injection, note].filter(Boolean).join('\n'),
    [...many(options['file'])],
    [...many(options['spec'])],
  );
}

/** The checklist, in its order; the first yes is the category. */
function guided(state: RunState, { stdout }: Invocation): Promise<MissionPlan> {
  const incident = openIncident(state);
  stdout.write(`run ${state.runId}: ${oneLine(state.task.text, 70)}\n`);
  if (incident !== undefined) {
    stdout.write(
      `${incident.class}: ${oneLine(incident.diagnosis?.rootCause ?? 'not explained yet', 200)}\n`,
    );
    for (const { text } of incident.diagnosis?.evidence.slice(0, 5) ?? [])
      stdout.write(`  | ${oneLine(text, 100)}\n`);
  }
  return converse(stdout, async (ask) => {
    const category = await firstYes(ask);
    const cause = await ask('The root cause in one sentence: ');
    let injection = '';
    while (injection.trim() === '') injection = await ask('What should the agent know and do now? ');
    return planOf(state, category, cause.trim() || null, injection, [], []);
  });
}

async function firstYes(ask: Ask): Promise<Category | null> {
  for (const [name, question] of CHECKLIST) if (/^y/i.test(await ask(`${question} [y/N] `))) return name;
  return null;
}

function planOf(
  state: RunState,
  category: Category | null,
  rootCause: string | null,
  injection: string,
  filesAdded: readonly string[],
  specChanges: readonly string[],
): MissionPlan {
  const evidence = openIncident(state)?.diagnosis?.evidence.map(({ text }) => text) ?? [];
  return { category, rootCause, evidence, injection, filesAdded, specChanges };
}

function one(value: Invocation['options'][string]): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

function many(value: Invocation['options'][string]): readonly string[] {
  return Array.isArray(value) ? (value as readonly string[]) : [];
}
