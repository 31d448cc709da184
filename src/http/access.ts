/** `Access`, `reaches`: who may use the desk: a one-time link becomes a session; a token opens the API for programs. */
import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { z } from 'zod';
import { makeFolder } from '../platform/file/make-folder.ts';
import { storageError } from '../platform/storage-error.ts';

/**
 * Each may do what those before it may. `viewer` looks; `operator` steers the runs that are there; `starter` begins what the
 * configuration names; `owner` is the person who opened the desk.
 */
export const DESK_ROLES = ['viewer', 'operator', 'starter', 'owner'] as const;
export type DeskRole = (typeof DESK_ROLES)[number];

export function reaches(role: DeskRole, needs: DeskRole): boolean {
  return DESK_ROLES.indexOf(role) >= DESK_ROLES.indexOf(needs);
}

/** What a link gives, and a session has. `by`: the person, as the journal names them. `via`: the links that led here, in order. */
const Pass = z.object({
  role: z.enum(DESK_ROLES),
  by: z.string(),
  via: z.array(z.string()).readonly(),
  until: z.number(),
});
type Pass = Readonly<z.output<typeof Pass>>;
/** By the hash of the code or the cookie, the oldest first. */
const Passes = z.array(z.tuple([z.string(), Pass])).readonly();
type Passes = z.output<typeof Passes>;

export interface Session extends Omit<Pass, 'until'> {
  /** Sent back in a header with every change: a page of another site can make the browser send the cookie, but cannot read this. */
  readonly csrf: string;
}

const SECRET_BYTES = 32;
const LINK_ID_BYTES = 6;
/** A link is opened at once, or it lies around in a terminal's history. */
export const LINK_LIFE_MS = 10 * 60_000;
/** A working day; then the terminal gives a new link. */
export const SESSION_LIFE_MS = 12 * 3_600_000;
/** More people than sit at one desk. */
const MAX_PASSES = 200;

export class Access {
  /** For programs, as a bearer token; it ends with the server. */
  readonly token = secret();
  readonly #owner: Session;
  readonly #file: () => string;
  readonly #now: () => number;
  /** Links end with the server: a used one cannot come back. */
  #links: Passes = [];

  /** `file`: keeps the sessions, so that they outlive the server; it holds hashes of the cookies only. */
  constructor(by: string, file: () => string, now: () => number = Date.now) {
    this.#owner = { role: 'owner', by, via: [], csrf: '' };
    this.#file = file;
    this.#now = now;
  }

  /** A code that logs in once, and the name by which the link and what comes of it are revoked. */
  link({ role, by, via }: Pick<Session, 'role' | 'by' | 'via'> = this.#owner): { code: string; id: string } {
    const [code, id] = [secret(), randomBytes(LINK_ID_BYTES).toString('hex')];
    const pass = { role, by, via: [...via, id], until: this.#now() + LINK_LIFE_MS };
    this.#links = this.#with(this.#links, code, pass);
    return { code, id };
  }

  /** Whom a link is for, without using it; null: it is unknown, used or too old. */
  linkOf(code: string): Pass | null {
    return this.#find(this.#links, code);
  }

  /** The id of a new session; null as above. */
  login(code: string): string | null {
    const pass = this.linkOf(code);
    this.#links = without(this.#links, code);
    if (pass === null) return null;
    const id = secret();
    this.#write(this.#with(this.#sessions(), id, { ...pass, until: this.#now() + SESSION_LIFE_MS }));
    return id;
  }

  session(id: string): Session | null {
    const pass = this.#find(this.#sessions(), id);
    return pass === null ? null : { ...pass, csrf: hash(`csrf ${id}`) };
  }

  /** The owner of the desk, if the token is right. */
  bearer(token: string): Session | null {
    return timingSafeEqual(digest(token), digest(this.token)) ? this.#owner : null;
  }

  logout(id: string): void {
    this.#write(without(this.#sessions(), id));
  }

  all(): readonly Pass[] {
    return [...this.#links, ...this.#sessions()]
      .map(([, pass]) => pass)
      .filter(({ until }) => until > this.#now());
  }

  revoke(link: string): void {
    const others = ([, { via }]: Passes[number]) => !via.includes(link);
    this.#links = this.#links.filter(others);
    this.#write(this.#sessions().filter(others));
  }

  #find(passes: Passes, code: string): Pass | null {
    const pass = passes.find(([key]) => key === hash(code))?.[1];
    return pass === undefined || pass.until <= this.#now() ? null : pass;
  }

  /** Where there are too many, the oldest guest leaves: no guest can crowd the owner out. */
  #with(passes: Passes, code: string, pass: Pass): Passes {
    const live = passes.filter(([, { until }]) => until > this.#now());
    const oldest = live.find(([, { role }]) => role !== 'owner') ?? live[0];
    const kept = live.length < MAX_PASSES ? live : live.filter((one) => one !== oldest);
    return [...kept, [hash(code), pass]];
  }

  /** Read each time: it is small, and what ended in the file has ended. A damaged file holds no session. */
  #sessions(): Passes {
    try {
      return Passes.parse(JSON.parse(readFileSync(this.#file(), 'utf8')));
    } catch {
      return [];
    }
  }

  /** At once, in one tick: a session that ended does not come back after a crash, and no two changes meet. */
  #write(sessions: Passes): void {
    const path = this.#file();
    const mine = `${path}.${secret().slice(0, LINK_ID_BYTES)}.tmp`;
    try {
      makeFolder(dirname(path));
      writeFileSync(mine, JSON.stringify(sessions), { mode: 0o600, flag: 'wx', flush: true });
      renameSync(mine, path);
    } catch (error) {
      throw storageError(error, path);
    }
  }
}

function without(passes: Passes, code: string): Passes {
  return passes.filter(([key]) => key !== hash(code));
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
