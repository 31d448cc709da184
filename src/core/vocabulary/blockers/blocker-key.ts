/** `blockerKey`, `isKeyOf`, `keyText`: the fields by which a blocker is known: the same key is the same decision. */
import { BLOCKERS } from './blocker.ts';
import { blockerCase } from './blocker-evidence.ts';
import type { BlockerKey, StoredKey } from '../questions/approval.ts';
import type { Blocker, BlockerCode } from './blocker-rule.ts';

export function blockerKey(blocker: Blocker): BlockerKey {
  const { code, source } = blocker;
  if (blocker.source === 'said') return { code, source, fields: { said: blocker.said.slice(0, 1) } };
  const { key: names = [] } = BLOCKERS[code as BlockerCode] as { readonly key?: readonly string[] };
  const fields = Object.entries(blocker).filter(([name]) => names.includes(name));
  return { code, source, fields: Object.fromEntries(fields) };
}

export function isKeyOf(key: StoredKey, blocker: Blocker): boolean {
  const own = blockerKey(blocker);
  return typeof key === 'string' ? key === keyText(own) : comparable(key) === comparable(own);
}

export function keyCode(key: StoredKey): string {
  return typeof key === 'string' ? key.slice(0, key.indexOf('|')) : key.code;
}

export function keyText(key: StoredKey): string {
  if (typeof key === 'string') return key;
  return `${key.code}|${keyCase(key)}`;
}

/** The words for the case. */
export function keyCase({ code, source, fields }: BlockerKey): string {
  return blockerCase({ code, source, ...fields } as unknown as Blocker);
}

/** A store may give the fields back in another order. */
function comparable({ code, source, fields }: BlockerKey): string {
  return JSON.stringify([code, source, Object.entries(fields).toSorted(([a], [b]) => (a < b ? -1 : 1))]);
}
