/** `askModelToo`: asks the model under `recovery:` about a failure of which the rules are not sure; its answer must pass every check. */
import { recoverWithCli } from '../../agents/recovery/recover-with-cli.ts';
import { needsRecoveryAgent, RECOVERY_LIMITS, recover } from '../../agents/recovery/recovery-agent.ts';
import type { Diagnosis, DiagnosisInput } from '../../core/vocabulary/diagnosis.ts';
import { createRedactor } from '../../record/redaction/redact.ts';
import type { Invocation } from '../command.ts';
import { allowedRecovery } from './allowed-recovery.ts';

export async function askModelToo(
  plain: Diagnosis,
  input: DiagnosisInput,
  workspace: string,
  invocation: Invocation,
): Promise<Diagnosis> {
  const { env, stderr } = invocation;
  if (!needsRecoveryAgent(plain)) return plain;
  const recovery = await allowedRecovery(invocation, 'diagnose', true);
  if (recovery === undefined) return plain;
  const asked = { ...input, output: createRedactor({ environment: env }).redact(input.output) };
  const stop = new AbortController().signal;
  if (recovery.provider === 'claude') {
    const cli = { command: recovery.command ?? ['claude'], model: recovery.model ?? null, env };
    return told(await recoverWithCli(plain, asked, workspace, cli, RECOVERY_LIMITS, stop));
  }
  const apiKey = env[recovery.key_variable] ?? '';
  if (apiKey === '') return plain;
  const provider = { type: recovery.provider, url: recovery.url, model: recovery.model, apiKey };
  return told(await recover(plain, asked, workspace, provider, RECOVERY_LIMITS, stop));

  function told(answer: Awaited<ReturnType<typeof recover>>): Diagnosis {
    if (answer.type === 'kept')
      stderr.write(`mayday diagnose: the rules' answer is kept: ${answer.reason}\n`);
    return answer.diagnosis;
  }
}
