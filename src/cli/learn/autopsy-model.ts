/**
 * `suspectNamer`: the model under `recovery:` that may name the step where a run went wrong; only if its key is set and the folder is
 * trusted.
 */
import { askSuspect } from '../../agents/recovery/ask-suspect.ts';
import { RECOVERY_LIMITS } from '../../agents/recovery/recovery-agent.ts';
import type { Autopsy } from '../../core/detect/autopsy/autopsy.ts';
import type { TranscriptEntry } from '../../core/vocabulary/transcript.ts';
import { createRedactor } from '../../record/redaction/redact.ts';
import type { Invocation } from '../command.ts';
import { allowedRecovery } from './allowed-recovery.ts';

export type NameSuspect = (found: Autopsy, entries: readonly TranscriptEntry[]) => Promise<Autopsy>;

const RULES_ONLY: NameSuspect = async (found) => found;

export async function suspectNamer(invocation: Invocation, unasked: boolean): Promise<NameSuspect> {
  const { env, stderr } = invocation;
  const recovery = await allowedRecovery(invocation, 'autopsy', unasked);
  if (recovery === undefined || recovery.provider === 'claude') return RULES_ONLY;
  const apiKey = env[recovery.key_variable] ?? '';
  if (apiKey === '') return RULES_ONLY;
  const provider = { type: recovery.provider, url: recovery.url, model: recovery.model, apiKey };
  const redactor = createRedactor({ environment: env });
  return async (found, entries) => {
    // The rules found no failure: there is nothing to ask the model.
    if (found.suspectedStep === null || found.state === 'unknown') return found;
    const answer = await askSuspect(
      entries,
      found.suspectedStep,
      (text) => redactor.redact(text),
      provider,
      RECOVERY_LIMITS,
      new AbortController().signal,
    );
    if (answer.type === 'answered')
      return { ...found, suspectedStep: answer.suspect.step, suspect: answer.suspect };
    stderr.write(`mayday autopsy: the suspected step is the rules' guess: ${answer.reason}\n`);
    return found;
  };
}
