/** `canSee`, `numberSeenFromHere`: tell which PID namespaces and processes this process can see: its own namespace and those below it. */
import { readlinkSync } from 'node:fs';
import { HAS_PROC, listPids, namespacePids, readProcess } from './proc-table.ts';
import { lookOrNull } from '../file/vanished.ts';

/** The number is part of the kernel's interface (PROC_PID_INIT_INO). From the first namespace every process is visible. */
const FIRST_NAMESPACE = 'pid:[4026531836]';

let own: string | undefined;

/** Empty where the machine has no PID namespaces. */
export function ownNamespace(): string {
  own ??= namespaceOf('self');
  return own;
}

export function namespaceOf(pid: number | 'self'): string {
  return HAS_PROC ? (lookOrNull(() => readlinkSync(`/proc/${pid}/ns/pid`)) ?? '') : '';
}

/** A namespace without a visible process may have ended, or may not be below this one: only the first namespace can tell. */
export function canSee(namespace: string): boolean {
  if (namespace === ownNamespace() || ownNamespace() === FIRST_NAMESPACE) return true;
  return listPids().some((pid) => namespaceOf(pid) === namespace);
}

/** The number that a process of another namespace has in this one; null if no such process is visible. */
export function numberSeenFromHere(
  namespace: string,
  process: { readonly pid: number; readonly startTicks: number },
): number | null {
  const pids = listPids();
  const inside = pids.find((pid) => namespaceOf(pid) === namespace);
  if (inside === undefined) return null;
  const depth = namespacePids(inside).length;
  const isIt = (pid: number): boolean => {
    const numbers = namespacePids(pid);
    // Other namespaces of the same depth have the same numbers, and two agents may start within one tick.
    const isInside = numbers.length > depth || namespaceOf(pid) === namespace;
    return (
      numbers[depth - 1] === process.pid && isInside && readProcess(pid)?.startTicks === process.startTicks
    );
  };
  return pids.find(isIt) ?? null;
}
