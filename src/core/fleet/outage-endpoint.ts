/** Who did not answer: read from the evidence of an outage, so that its end can be seen by connecting. */
import type { Diagnosis } from '../vocabulary/diagnosis.ts';
import type { Endpoint } from '../vocabulary/hold.ts';
import { hostIn } from '../diagnose/facts.ts';

/** Providers and forges speak TLS; a message that names only the host means this door. */
const DEFAULT_PORT = 443;
const MAX_PORT = 65_535;

export const LOCALHOST: Endpoint = { host: 'localhost', port: 1 };

export function isLocal({ host }: Endpoint): boolean {
  return /^(?:localhost|127(?:\.\d{1,3}){3}|0\.0\.0\.0|::1)$|\.localhost$/i.test(host);
}

/** Null: the evidence names nobody; then only an agent can try. */
export function outageEndpoint(diagnosis: Diagnosis | null): Endpoint | null {
  for (const { text } of diagnosis?.evidence ?? []) {
    const [, host = '', port] = /^([\w.-]{1,120}?)(?::(\d{1,5}))?$/.exec(hostIn(text)) ?? [];
    const number = port === undefined ? DEFAULT_PORT : Number(port);
    if (host !== '' && number > 0 && number <= MAX_PORT) return { host, port: number };
  }
  return null;
}
