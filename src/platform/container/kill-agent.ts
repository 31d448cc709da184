/** `killAgent`: kills the agent of an attendant and all that it started, in one pass. */
import { identify, selfIdentity } from '../process/process-identity.ts';
import { cgroupKill } from './cgroup.ts';
import { groupMembers } from './process-group.ts';

export function killAgent(marker: string, cgroupPath: string | null, leaderPid: number): void {
  if (cgroupPath !== null) return cgroupKill(cgroupPath);
  for (const { pid } of groupMembers(marker, selfIdentity(), identify(leaderPid), { readAgain: true }))
    try {
      process.kill(pid, 'SIGKILL');
    } catch {
      // It ended between the look and the signal.
    }
}
