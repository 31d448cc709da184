/** `signedBody`, `holdIn`: write a hold with its signature, and read one that Mayday wrote. `RowSigner` signs. */
import type { Hold } from '../core/vocabulary/hold.ts';

/** Signs the rows that keep other runs waiting, so that one which another program planted does not count. */
export interface RowSigner {
  sign(text: string): string;
  isSigned(text: string, mac: string): boolean;
}

/** The hold, its signature last. */
export function signedBody(hold: Hold, signer: RowSigner | null): string {
  const text = JSON.stringify(hold);
  return signer === null ? text : JSON.stringify({ ...hold, mac: signer.sign(text) });
}

/** Null: Mayday did not write this row. A row of a version that did not sign is none either: a hold is a hint that time replaces. */
export function holdIn(body: string, signer: RowSigner | null): Hold | null {
  const { mac = '', ...hold } = JSON.parse(body) as Hold & { readonly mac?: string };
  return signer === null || signer.isSigned(JSON.stringify(hold), mac) ? hold : null;
}

export function foreignHold(key: string): string {
  return `hold ${key} was not written by Mayday: it holds nothing`;
}
