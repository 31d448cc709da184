/** `allowedRecovery`: the model under `recovery:` that may be asked: unless the person says no, and only where the folder is trusted. */
import { MaydayError, usageError } from '../../platform/mayday-error.ts';
import { loadRunConfig } from '../../supervise/request/config-trust.ts';
import type { Config } from '../../supervise/request/read-config.ts';
import { maydayHome } from '../../supervise/home.ts';
import type { Invocation } from '../command.ts';
import { writeText } from '../write-text.ts';

export async function allowedRecovery(
  { cwd, env, options, stderr }: Invocation,
  command: string,
  unasked: boolean,
): Promise<Config['recovery']> {
  const wish = options['model'];
  if (wish !== undefined && wish !== 'yes' && wish !== 'no')
    throw usageError('WRONG_MODEL_CHOICE', `--model ${JSON.stringify(wish)} is neither yes nor no`, [
      ['do', '--model no asks no model; which one is asked stands under recovery: in mayday.yaml'],
    ]);
  if (wish === 'no' || (wish === undefined && !unasked)) return undefined;
  try {
    return (await loadRunConfig({ home: maydayHome(env), repository: cwd, trust: false })).recovery;
  } catch (error) {
    if (!(error instanceof MaydayError) || error.code !== 'CONFIG_NOT_TRUSTED') throw error;
    writeText(
      stderr,
      `mayday ${command}: no model was asked: the configuration of this folder is not trusted\n`,
    );
    return undefined;
  }
}
