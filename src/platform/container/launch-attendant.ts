/** `launchAttendant`: writes the plan of an attempt and gives it to the attendant that waits for it. */
import type { Startable } from './startable.ts';
import { randomBytes } from 'node:crypto';
import { rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { AttendantPlan, ContainerLevel, LeaseNote } from './attempt-files.ts';
import type { WaitingAttendant } from './call-attendant.ts';
import { cgroupName } from './cgroup.ts';
import type { HiddenHome } from './hide-home.ts';
import { lendAttendant, servesAgain } from './spare-attendants.ts';
import { ownNamespace } from '../process/namespace-view.ts';
import { hostId } from '../process/process-identity.ts';
import { MARKER_VARIABLE } from './process-group.ts';

export interface StartPlan extends Startable {
  readonly attemptDir: string;
  /** `<run>.<attempt>.<random>`: the unique name of this container. */
  readonly marker: string;
  /** Default: the strongest level that this machine offers. */
  readonly level?: ContainerLevel;
  readonly mergeOutput?: boolean;
  /** For checks and other short commands, which must not outlive the process that started them. */
  readonly endsWithStarter?: boolean;
  readonly hidden?: HiddenHome | undefined;
  readonly seal?: string;
  readonly lease?: LeaseNote;
  /** One that waits in the directory already. Without it, or where it has died, one is called. */
  readonly attendant?: WaitingAttendant | null | undefined;
}

export interface Launched {
  readonly attendant: WaitingAttendant;
  readonly plan: string;
}

export function launchAttendant(plan: StartPlan, attendant: WaitingAttendant, claimFile: string): Launched {
  const { attemptDir, level } = attendant;
  const { argv, cwd, stdinFile, marker, mergeOutput = false, endsWithStarter = false } = plan;
  const env = { ...plan.env, [MARKER_VARIABLE]: marker };
  const seenFrom = ownNamespace();
  const content: AttendantPlan = {
    argv,
    cwd,
    env,
    stdinFile,
    marker,
    group: cgroupName(marker),
    host: hostId(),
    level,
    mergeOutput,
    endsWithStarter,
    servesAgain: endsWithStarter && servesAgain(level),
    seal: plan.seal ?? null,
    hidden: plan.hidden ?? null,
    claimFile,
    lease: plan.lease ?? null,
    seenFrom,
  };
  const planFile = join(attemptDir, `plan-${randomBytes(6).toString('hex')}.json`);
  writeFileSync(planFile, JSON.stringify(content), { mode: 0o600, flag: 'wx' });
  const { child } = attendant;
  const ended = () => rmSync(planFile, { force: true });
  child.once('exit', ended);
  child.stdin?.write(`${planFile}\n`);
  if (endsWithStarter) lendAttendant(attemptDir, attendant, ended);
  else child.stdin?.end();
  return { attendant, plan: basename(planFile) };
}
