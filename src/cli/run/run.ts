/** `mayday run`: runs one task under supervision until it is delivered, waits for a person, or is abandoned. */
import { callKeeper, dismissKeeper } from '../../supervise/call-keeper.ts';
import { maydayHome } from '../../supervise/home.ts';
import type { Invocation } from '../command.ts';

/** The keeper loads while this command loads itself and plans. */
export async function run(invocation: Invocation): Promise<number> {
  callKeeper(maydayHome(invocation.env), invocation.env);
  try {
    const { followNewRun } = await import('./new-run.ts');
    return await followNewRun(invocation);
  } finally {
    dismissKeeper();
  }
}
