/** `opinionOn`: asks for an opinion on a failed output where the rules are not sure, and weighs it. */
import type { Line } from '../../core/diagnose/lines/read-lines.ts';
import type { FailureStatus } from '../../core/opinion/read-failure.ts';
import type { Diagnosis } from '../../core/vocabulary/diagnosis.ts';
import type { OpinionAtHand } from './opinion-provider.ts';

export async function opinionOn(
  rules: Diagnosis,
  lines: readonly Line[],
  status: FailureStatus,
  atHand: () => Promise<OpinionAtHand>,
): Promise<Diagnosis> {
  if (lines.length === 0) return { ...rules, noOpinion: 'there is no output' };
  const hand = await atHand();
  if (hand.type === 'nobody') return { ...rules, noOpinion: hand.why };
  const [{ readFailure }, { rulesAreSure, weighDiagnosis }, { diagnoseQuestion, failureMaterial }] =
    await Promise.all([
      import('../../core/opinion/read-failure.ts'),
      import('../../core/opinion/weigh-diagnosis.ts'),
      import('../../core/opinion/diagnose-question.ts'),
    ]);
  const { redact, provider, limits } = hand;
  const read = readFailure(lines, status, rules, redact);
  if (rulesAreSure(read)) return { ...rules, noOpinion: 'the rules are sure' };
  const [{ materialMark }, { askOpinion }] = await Promise.all([
    import('../../agents/opinion/material-mark.ts'),
    import('../../agents/opinion/ask-opinion.ts'),
  ]);
  const question = diagnoseQuestion(read, materialMark(...failureMaterial(read)));
  const asked = { ...question, prompt: redact(question.prompt) };
  const outcome = await askOpinion(asked, provider, limits, new AbortController().signal);
  return weighDiagnosis(rules, outcome, read);
}
