/**
 * `Access`: who may use the desk. A one-time link, printed at the terminal or made by an operator, becomes a session in a cookie; the
 * token in Mayday's own folder, which agents do not see, opens the API for programs of the person.
 */
import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';

/** `viewer` looks; `operator` also answers, stops, resumes and accepts. */
export type DeskRole = 'viewer' | 'operator';

export interface Session {
  readonly role: DeskRole;
  /** The person, as the journal names them. */
  readonly by: string;
  /** Sent back in a header with every change: a page of another site can make the browser send the cookie, but cannot read this. */
  readonly csrf: string;
}

const SECRET_BYTES = 32;
/** A link is opened at once, or it lies around in a terminal's history. */
export const LINK_LIFE_MS = 10 * 60_000;
/** A working day; then the terminal gives a new link. */
export const SESSION_LIFE_MS = 12 * 3_600_000;
/** More people than sit at one desk. */
const MAX_SESSIONS = 200;

interface Kept<T> {
  readonly value: T;
  readonly until: number;
}

export class Access {
  /** For programs, as a bearer token; it ends with the server. */
  readonly token = secret();
  readonly #owner: Session;
  readonly #now: () => number;
  readonly #links = new Map<string, Kept<Pick<Session, 'role' | 'by'>>>();
  readonly #sessions = new Map<string, Kept<Session>>();

  constructor(by: string, now: () => number = Date.now) {
    this.#owner = { role: 'operator', by, csrf: '' };
    this.#now = now;
  }

  /** A code that logs in once. */
  link(whom: Pick<Session, 'role' | 'by'>): string {
    const code = secret();
    this.#keep(this.#links, code, { role: whom.role, by: whom.by }, LINK_LIFE_MS);
    return code;
  }

  /** The id of a new session; null: the code is unknown, used or too old. */
  login(code: string): string | null {
    const whom = this.#links.get(hash(code));
    this.#links.delete(hash(code));
    if (whom === undefined || whom.until <= this.#now()) return null;
    const id = secret();
    this.#keep(this.#sessions, id, { ...whom.value, csrf: secret() }, SESSION_LIFE_MS);
    return id;
  }

  session(id: string): Session | null {
    const kept = this.#sessions.get(hash(id));
    return kept === undefined || kept.until <= this.#now() ? null : kept.value;
  }

  /** The owner of the desk, if the token is right. */
  bearer(token: string): Session | null {
    return timingSafeEqual(digest(token), digest(this.token)) ? this.#owner : null;
  }

  logout(id: string): void {
    this.#sessions.delete(hash(id));
  }

  #keep<T>(kept: Map<string, Kept<T>>, id: string, value: T, lifeMs: number): void {
    for (const [key, { until }] of kept) if (until <= this.#now()) kept.delete(key);
    const [oldest] = kept.keys();
    if (kept.size >= MAX_SESSIONS && oldest !== undefined) kept.delete(oldest);
    kept.set(hash(id), { value, until: this.#now() + lifeMs });
  }
}

function secret(): string {
  return randomBytes(SECRET_BYTES).toString('base64url');
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}

function hash(text: string): string {
  return digest(text).toString('hex');
}
