/** `nextLink`, `brokenLink`: make and check the hash chain of the ledger. */
import type * as Crypto from 'node:crypto';
import { canonicalJson } from './canonical-json.ts';
import type { LedgerEntry, NewLedgerEntry } from './contract/ledger.ts';

/** What the first entry of every run builds on. */
export const GENESIS_HASH = '0'.repeat(64);
/** Long enough that the commitment to a guessable payload tells nothing. */
const SALT_BYTES = 16;

/** Loaded at first use: it takes 4 ms, and commands that only list runs do not need it. */
const crypto = (): typeof Crypto => process.getBuiltinModule('node:crypto');

/**
 * The next link. The hash covers a salted commitment and not the payload itself, so that a payload (a leaked secret)
 * can be erased while the chain stays provable.
 */
export function nextLink(
  runId: string,
  head: { readonly seq: number; readonly hash: string },
  entry: NewLedgerEntry,
): LedgerEntry & { readonly payload: string } {
  const salt = crypto().randomBytes(SALT_BYTES).toString('hex');
  const payload = canonicalJson(JSON.parse(entry.payload));
  const link = {
    id: entry.id,
    runId,
    seq: head.seq + 1,
    kind: entry.kind,
    at: entry.at,
    commitment: commitmentTo(salt, payload),
    previousHash: head.hash,
  };
  return { ...link, salt, payload, hash: linkHash(link) };
}

/** Why `entry` is no valid successor of `head`; null when it is one. */
export function brokenLink(
  head: { readonly seq: number; readonly hash: string },
  entry: LedgerEntry,
): string | null {
  if (entry.seq !== head.seq + 1) return `ledger entry ${head.seq + 1} is missing`;
  if (entry.previousHash !== head.hash) return `ledger entry ${entry.seq} does not follow the one before it`;
  if (entry.hash !== linkHash(entry)) return `ledger entry ${entry.seq} was changed`;
  if (entry.payload !== null && entry.commitment !== commitmentTo(entry.salt, entry.payload))
    return `the payload of ledger entry ${entry.seq} was changed`;
  return null;
}

function commitmentTo(salt: string, payload: string): string {
  return crypto().hash('sha256', `${salt}:${payload}`);
}

function linkHash(link: Omit<LedgerEntry, 'hash' | 'salt' | 'payload'>): string {
  const { runId, seq, id, kind, at, commitment, previousHash } = link;
  return crypto().hash(
    'sha256',
    canonicalJson(['mayday-ledger-1', runId, seq, id, kind, at, commitment, previousHash]),
  );
}
