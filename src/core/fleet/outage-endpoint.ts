/** `outageEndpoint`: reads from the evidence of an outage which host and port did not answer, so that a connection can show its end. */
import type { Diagnosis } from '../vocabulary/diagnosis.ts';
import type { Endpoint } from '../vocabulary/hold.ts';
import { hostIn } from '../diagnose/facts.ts';

/** Providers and forges speak TLS, so a message that names only the host means this port. */
const DEFAULT_PORT = 443;
const MAX_PORT = 65_535;

export const LOCALHOST: Endpoint = { host: 'localhost', port: 1 };

export function isLocal({ host }: Endpoint): boolean {
  return /^(?:localhost|127(?:\.\d{1,3}){3}|0\.0\.0\.0|::1)$|\.localhost$/i.test(host);
}

/** Null: the evidence names no host; then only an agent can find out whether the outage is over. */
export function outageEndpoint(diagnosis: Diagnosis | null): Endpoint | null {
  for (const { text } of diagnosis?.evidence ?? []) {
    const [, host = '', port] = /^([\w.-]{1,120}?)(?::(\d{1,5}))?$/.exec(hostIn(text)) ?? [];
    const number = port === undefined ? DEFAULT_PORT : Number(port);
    if (host !== '' && number > 0 && number <= MAX_PORT) return { host, port: number };
  }
  return null;
}
