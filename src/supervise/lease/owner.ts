/** `ownOwner`, `ownerProcess`, `isOwnerDead`: name the process that holds a lease, and see whether it is dead. */
import { hostname } from 'node:os';
import type { Lease } from '../../record/contract/lease.ts';
import {
  isDead,
  lookAt,
  type ProcessIdentity,
  selfIdentity,
} from '../../platform/process/process-identity.ts';

interface Owner {
  readonly host: string;
  readonly process: ProcessIdentity;
}

export function ownOwner(): string {
  return JSON.stringify({ host: hostname(), process: selfIdentity() } satisfies Owner);
}

export function ownerProcess(owner: string): ProcessIdentity {
  return (JSON.parse(owner) as Owner).process;
}

/** True only for a process that can be seen from here. An owner that cannot be seen keeps its lease until it runs out. */
export function isOwnerDead({ owner, isHere }: Lease): boolean {
  if (!isHere) return false;
  const { host, process: identity } = JSON.parse(owner) as Owner;
  // The process identities of older versions do not say on which machine the process runs.
  if (identity.host === undefined && host !== hostname()) return false;
  return isDead(lookAt(identity));
}
