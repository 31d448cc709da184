/**
 * `suspectNamer`: the model under `recovery:` that may name the step where a run went wrong; only if its key is set and the folder is
 * trusted.
 */
import { askSuspect } from '../../agents/recovery/ask-suspect.ts';
import { RECOVERY_LIMITS } from '../../agents/recovery/recovery-agent.ts';
import type { Autopsy } from '../../core/detect/autopsy/autopsy.ts';
import type { TranscriptEntry } from '../../core/vocabulary/transcript.ts';
import { MaydayError, usageError } from '../../platform/mayday-error.ts';
import { createRedactor } from '../../record/redaction/redact.ts';
import { loadRunConfig } from '../../supervise/request/config-trust.ts';
import type { Config } from '../../supervise/request/config.ts';
import { maydayHome } from '../../supervise/home.ts';
import type { Invocation } from '../command.ts';

export type NameSuspect = (found: Autopsy, entries: readonly TranscriptEntry[]) => Promise<Autopsy>;

const RULES_ONLY: NameSuspect = async (found) => found;

export async function suspectNamer(invocation: Invocation, unasked: boolean): Promise<NameSuspect> {
  const { env, options, stderr } = invocation;
  const wish = options['model'];
  if (wish !== undefined && wish !== 'yes' && wish !== 'no')
    throw usageError('WRONG_MODEL_CHOICE', `--model ${JSON.stringify(wish)} is neither yes nor no`, [
      ['do', '--model no asks no model; which one is asked stands under recovery: in mayday.yaml'],
    ]);
  if (wish === 'no' || (wish === undefined && !unasked)) return RULES_ONLY;
  const recovery = await allowed(invocation);
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

async function allowed({ env, cwd, stderr }: Invocation): Promise<Config['recovery']> {
  try {
    return (await loadRunConfig({ home: maydayHome(env), repository: cwd, trust: false })).recovery;
  } catch (error) {
    if (!(error instanceof MaydayError) || error.code !== 'CONFIG_NOT_TRUSTED') throw error;
    stderr.write('mayday autopsy: no model was asked: the configuration of this folder is not trusted\n');
    return undefined;
  }
}
