/** `judged`: the step of an output that counts, and what its lines amount to. */
import type { DiagnosisInput } from '../vocabulary/diagnosis.ts';
import { RECOGNISERS } from '../lexicon/all.ts';
import type { Recogniser } from '../lexicon/recogniser.ts';
import { readCommand } from './command/command-line.ts';
import { type ExitMeaning, readExit } from './command/exit-status.ts';
import { type CauseVerdict, findCause } from './find-cause.ts';
import type { Line } from './lines/read-lines.ts';
import { type JudgedStep, judgedStep } from './steps/judged-step.ts';

export interface JudgedOutput {
  readonly step: JudgedStep;
  readonly exit: ExitMeaning;
  readonly verdict: CauseVerdict;
}

export function judged(
  all: readonly Line[],
  input: Omit<DiagnosisInput, 'output'>,
  recognisers: readonly Recogniser[] = RECOGNISERS,
): JudgedOutput {
  const given = readCommand(input.command);
  const status = readExit(input.exitCode, input.signal, given);
  const isFirm = status.known && (status.failed || !given.hidesExit);
  const step = judgedStep(all, isFirm ? status.failed : null);
  const own = readCommand(step.command);
  const command = own.roles.size === 0 ? given : own;
  // A pipe hides how the step ended; that it printed nothing is all that is known of it.
  const outer = step.lines.every(({ text }) => text === '') ? input.exitCode : null;
  const exit = isFirm ? status : readExit(step.exitCode ?? outer, null, command);
  const saysExitZero = step.exitCode === 0 && (step.isToldByService || !command.hidesExit);
  const verdict = findCause(step.lines, command, exit, recognisers, step.name !== '', saysExitZero);
  return { step, exit, verdict };
}
