/** `mayday rescue RUN`: starts a rescue mission. At a terminal it asks for the plan; with options or --json it asks nothing. */
import { type CategoryEvidence, categoryEvidence } from '../../core/decide/recovery/categorise.ts';
import type { Category } from '../../core/vocabulary/classes/class-rule.ts';
import { CHECKLIST } from '../../core/vocabulary/mission.ts';
import { openIncident, type RunState } from '../../core/state/run-state.ts';
import { missionJson } from '../../core/view/mission-json.ts';
import { usageError } from '../../platform/mayday-error.ts';
import { loadState } from '../../supervise/load-state.ts';
import { type Rescue, rescueRefusal, rescueRun } from '../../use-cases/steer/rescue-run.ts';
import type { Invocation } from '../command.ts';
import { type Ask, converse } from '../conversation.ts';
import { listOf, textOf } from '../option-values.ts';
import { plainLine } from '../render/plain.ts';
import { granted, refusalError } from '../../use-cases/refusal-error.ts';
import { print } from '../print.ts';
import { withRun } from '../with-record.ts';
import { writeText } from '../write-text.ts';

type Plan = Rescue['plan'];

export function run(invocation: Invocation): Promise<number> {
  return withRun(invocation, async (caller, runId) => {
    const before = await loadState(caller.record, runId);
    const refusal = rescueRefusal(before);
    if (refusal !== null) throw refusalError(refusal);
    const owner = textOf(invocation, 'owner') ?? caller.by;
    const alone = invocation.json || process.stdin.isTTY !== true || injectionOf(invocation) !== '';
    const plan = alone ? told(invocation, runId) : await guided(before, invocation);
    const { mission } = granted(await rescueRun(caller, { runId, owner, plan, from: invocation.cwd }));
    const text = [
      `${mission.id}: the agent goes on with your words; mayday watch ${runId}\n`,
      plan.specChanges.length > 0
        ? `afterwards: if it helps, ${plan.specChanges.join(', ')} is what was learned; if not: `
        : 'afterwards: what should the next agent know? ',
      `mayday missions close ${mission.id} --lesson ID | --spec TEXT | --reason TEXT\n`,
    ];
    return print(invocation, missionJson(runId, mission), text.join(''));
  });
}

/** `--note` alone is enough: an answer takes the words for the agent by that name too. */
function injectionOf(invocation: Invocation): string {
  return [textOf(invocation, 'inject'), textOf(invocation, 'note')].filter(Boolean).join('\n');
}

function told(invocation: Invocation, runId: string): Plan {
  const injection = injectionOf(invocation);
  if (injection.trim() === '')
    throw usageError('NOTHING_TO_INJECT', 'a rescue needs what the agent should know now', [
      [
        'do',
        `mayday rescue ${runId} --inject "what was missing, what to do next" [--file PATH] [--spec PATH]`,
      ],
      ['do', `at a terminal mayday rescue ${runId} asks you step by step`],
    ]);
  const named = textOf(invocation, 'category');
  const category = CHECKLIST.find(([name]) => name === named)?.[0] ?? null;
  if (named !== undefined && category === null)
    throw usageError('WRONG_CATEGORY', `there is no category ${JSON.stringify(named.slice(0, 60))}`, [
      ['do', `say one of ${CHECKLIST.map(([name]) => name).join(', ')}`],
    ]);
  return { category, rootCause: textOf(invocation, 'root-cause') ?? null, injection, ...filesIn(invocation) };
}

function filesIn(invocation: Invocation): Pick<Plan, 'filesAdded' | 'specChanges'> {
  return { filesAdded: listOf(invocation, 'file'), specChanges: listOf(invocation, 'spec') };
}

function guided(state: RunState, invocation: Invocation): Promise<Plan> {
  const { stdout } = invocation;
  const incident = openIncident(state);
  writeText(stdout, `run ${state.runId}: ${plainLine(state.task.text, 70)}\n`);
  if (incident !== undefined) {
    writeText(
      stdout,
      `${incident.class.replaceAll('_', ' ')}: ${plainLine(incident.diagnosis?.rootCause ?? 'not explained yet', 200)}\n`,
    );
    for (const { text } of incident.diagnosis?.evidence.slice(0, 5) ?? [])
      writeText(stdout, `  | ${plainLine(text, 100)}\n`);
  }
  return converse(stdout.stream, async (ask) => {
    const category = await firstYes(ask, evidenceIn(state));
    const cause = await ask('The root cause in one sentence: ');
    let injection = '';
    while (injection.trim() === '') injection = await ask('What should the agent know and do now? ');
    const { filesAdded, specChanges } = filesIn(invocation);
    return { category, rootCause: cause.trim() || null, injection, filesAdded, specChanges };
  });
}

async function firstYes(ask: Ask, evidence: readonly CategoryEvidence[]): Promise<Category | null> {
  for (const [name, question] of CHECKLIST) {
    const seen = evidence.filter(({ category }) => category === name);
    const told = seen.map(({ reason }) => `  seen: ${plainLine(reason, 150)}\n`).join('');
    if (/^y/i.test(await ask(`${told}${question} [y/N] `))) return name;
  }
  return null;
}

function evidenceIn(state: RunState): readonly CategoryEvidence[] {
  const incident = openIncident(state);
  if (incident === undefined || incident.diagnosis === null) return [];
  const attempt = state.attempts.find(({ number }) => number === incident.attempt);
  return categoryEvidence({ class: incident.class, diagnosis: incident.diagnosis, attempt });
}
