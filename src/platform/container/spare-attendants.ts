/**
 * `expectAttendants`, `takeSpare`, `lendAttendant`, `returnAttendant`: attendants of this process that wait for a place.
 *
 *   expected, or returned by a command -> spare -> (a call) taken -> (its command ended plainly) returned -> spare
 *   spare -> (nobody called for a while) let go; taken -> (its command ended otherwise) let go
 */
import { closeSync, openSync } from 'node:fs';
import { join } from 'node:path';
import { ATTENDANT_LOG_FILE, type AttendantPlace, type ContainerLevel } from './attempt-files.ts';
import { bestLevel, prefixFor } from './container-level.ts';
import { hasEnded, startAttendant, type StartedAttendant } from './start-attendant.ts';

interface Spare {
  readonly attendant: StartedAttendant;
  /** It is no spare any more. */
  readonly leave: () => void;
}

const spares: Spare[] = [];

/** Several times what an act takes to come to its first program. After a longer one the time to load an attendant is nothing. */
const SPARE_MS = 2_000;
/** Programs of a run follow one another. */
const MAX_RETURNED = 2;

/** Only a control group proves that a program left nothing behind; in a PID namespace of its own, the attendant ends with it. */
export function servesAgain(level: ContainerLevel): boolean {
  return level === 'cgroup';
}

/** For an act that starts so many programs soon, one after the other, or is followed by one that does. */
export async function expectAttendants(count: number): Promise<void> {
  const level = await bestLevel();
  const prefix = await prefixFor(level);
  if (prefix === null) return;
  try {
    while (spares.length < (servesAgain(level) ? 1 : count)) keep(startAttendant(prefix, [], 'ignore'));
  } catch {
    // The call that needs one says why there is none.
  }
}

function keep(attendant: StartedAttendant): void {
  const { child } = attendant;
  const spare: Spare = {
    attendant,
    leave: () => {
      clearTimeout(limit);
      child.off('exit', spare.leave).off('error', spare.leave);
      const at = spares.indexOf(spare);
      if (at >= 0) spares.splice(at, 1);
    },
  };
  const limit = setTimeout(() => {
    spare.leave();
    child.stdin?.end();
  }, SPARE_MS).unref();
  child.once('exit', spare.leave).once('error', spare.leave);
  spares.push(spare);
}

export function takeSpare(prefix: readonly string[], place: AttendantPlace): StartedAttendant | null {
  const fits = ({ attendant }: Spare) =>
    !hasEnded(attendant) && attendant.prefix.join(' ') === prefix.join(' ');
  const taken = spares.find(fits);
  if (taken === undefined) return null;
  taken.leave();
  // Made here: an attendant that is let go must not make its folder anew when that is gone.
  closeSync(openSync(join(place[0], ATTENDANT_LOG_FILE), 'a', 0o600));
  taken.attendant.child.stdin?.write(`${JSON.stringify(place)}\n`);
  return taken.attendant;
}

/** By the directory of what they serve. */
const lent = new Map<string, { readonly attendant: StartedAttendant; readonly ended: () => void }>();

/** `ended`: what is done when it ends before it is returned. The caller returns it. */
export function lendAttendant(attemptDir: string, attendant: StartedAttendant, ended: () => void): void {
  lent.set(attemptDir, { attendant, ended });
}

/** After its command. `isFree`: nothing is left of the command, and the attendant waits for its next place. */
export function returnAttendant(attemptDir: string, isFree: boolean): void {
  const { attendant, ended } = lent.get(attemptDir) ?? {};
  lent.delete(attemptDir);
  if (attendant === undefined || ended === undefined || hasEnded(attendant)) return;
  attendant.child.off('exit', ended);
  if (isFree && spares.length < MAX_RETURNED) keep(attendant);
  else attendant.child.stdin?.end();
}
