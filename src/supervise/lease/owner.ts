/** Who holds a lease: enough to see with one's own eyes whether they still live. */
import { hostname } from 'node:os';
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

/** Only what can be seen from here can be seen dead; an owner elsewhere keeps its lease until that runs out. */
export function isObservedDead(owner: string): boolean {
  const { host, process: identity } = JSON.parse(owner) as Owner;
  // Owners that older versions wrote down do not say which machine it was.
  if (identity.host === undefined && host !== hostname()) return false;
  return isDead(lookAt(identity));
}
