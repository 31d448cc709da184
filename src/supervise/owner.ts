/** Who holds a lease: enough to see with one's own eyes whether they still live. */
import { hostname } from 'node:os';
import { lookAt, type ProcessIdentity, selfIdentity } from '../platform/process-identity.ts';

interface Owner {
  readonly host: string;
  readonly process: ProcessIdentity;
}

export function ownOwner(): string {
  return JSON.stringify({ host: hostname(), process: selfIdentity() } satisfies Owner);
}

/** Only on our own host can death be observed; elsewhere the lease has to run out. */
export function isObservedDead(owner: string): boolean {
  const { host, process: identity } = JSON.parse(owner) as Owner;
  if (host !== hostname()) return false;
  const seen = lookAt(identity);
  return seen === 'gone' || seen === 'zombie';
}
