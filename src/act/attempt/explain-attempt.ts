/**
 * `explainAttempt`: says why an attempt failed. It asks in turn: the agent's own error, the team's patterns, the rules over the output,
 * and where they are not sure the model of the run.
 */
import type { Verdict } from '../../agents/adapter.ts';
import type { Line } from '../../core/diagnose/lines/read-lines.ts';
import type { Pattern } from '../../core/diagnose/patterns/pattern.ts';
import { observedDiagnosis } from '../../core/decide/recovery/incident-diagnosis.ts';
import type { Diagnosis, DiagnosisInput } from '../../core/vocabulary/diagnosis.ts';
import type { PartialWork, RunOptions } from '../../core/vocabulary/events/event.ts';
import type { Attempt } from '../../core/state/run-state.ts';
import type { ActContext } from '../act.ts';
import { askInRun, redactorOf } from '../ask-in-run.ts';

interface Explaining {
  readonly attempt: Attempt;
  readonly verdict: Verdict;
  readonly output: string;
  readonly work: PartialWork;
  readonly context: ActContext;
}

export async function explainAttempt(explaining: Explaining): Promise<Diagnosis | null> {
  const { attempt, output, work, context } = explaining;
  const { failure } = explaining.verdict;
  if (failure !== null && failure.class !== 'unknown' && failure.class !== 'crashed') {
    return {
      ...observedDiagnosis(failure.class, failure.reason, failure.evidence),
      retryAt: failure.retryAt,
      ...(failure.retryExactToMs === undefined ? {} : { retryExactToMs: failure.retryExactToMs }),
    };
  }
  if (output.trim() === '') return null;
  const { options } = context.state;
  const input: DiagnosisInput = {
    output,
    exitCode: attempt.exitCode,
    signal: attempt.signal,
    command: attempt.agent.command.join(' ') || null,
    work: {
      completed: work.completed,
      missing: work.missing,
      changed: work.created.length + work.changed.length > 0,
    },
    nowMs: context.now(),
    get timeZone() {
      return timeZone();
    },
  };
  const [{ diagnoseLines }, { readLines }] = await Promise.all([
    import('../../core/diagnose/diagnose.ts'),
    import('../../core/diagnose/lines/read-lines.ts'),
  ]);
  const lines = readLines(output);
  const rules = diagnoseLines(lines, input, await patternsOf(options.patterns));
  return await withOpinion(rules, lines, input, context);
}

/** Where the rules are not sure a model is asked, if the run has one. What it says is weighed, and never carried out. */
async function withOpinion(
  rules: Diagnosis,
  lines: readonly Line[],
  input: DiagnosisInput,
  context: ActContext,
): Promise<Diagnosis> {
  const { rulesAreSure, weighDiagnosis } = await import('../../core/opinion/weigh-diagnosis.ts');
  const [{ readFailure }, { diagnoseQuestion, failureMaterial }, { materialMark }] = await Promise.all([
    import('../../core/opinion/read-failure.ts'),
    import('../../core/opinion/diagnose-question.ts'),
    import('../../agents/opinion/material-mark.ts'),
  ]);
  const read = readFailure(lines, input, rules, await redactorOf(context));
  if (rulesAreSure(read)) return rules;
  const question = diagnoseQuestion(read, materialMark(...failureMaterial(read)));
  const { outcome, why } = await askInRun(context, question);
  return outcome === null ? { ...rules, noOpinion: why } : weighDiagnosis(rules, outcome, read);
}

/** Undefined: the team has none of its own. */
async function patternsOf(own: RunOptions['patterns']): Promise<readonly Pattern[] | undefined> {
  if (own === undefined) return undefined;
  const { readPatterns } = await import('../../context/patterns.ts');
  const read = readPatterns(own);
  return read.type === 'read' ? read.patterns : [];
}

export function timeZone(): string {
  return Intl.DateTimeFormat().resolvedOptions().timeZone;
}
