/**
 * `guard`: stands before every route of the desk; refuses a wrong Host (a name of another site that points here) or Origin, and sets the
 * headers of every answer. `admitted`: returns the session of a request; refuses one without a session, with too low a role, or with a
 * change but without the header that only our own page can send. `sessionOf`, `notAllowed`: its parts, for other routes.
 */
import type { Context, MiddlewareHandler } from 'hono';
import { getCookie } from 'hono/cookie';
import { MaydayError } from '../platform/mayday-error.ts';
import { notAPerson } from '../supervise/open-record.ts';
import { type Access, type DeskRole, reaches, type Session } from './access.ts';

export const SESSION_COOKIE = 'mayday_desk';
export const CSRF_HEADER = 'x-mayday-csrf';

/** Nothing from elsewhere, nothing inline, nothing framed: text of an agent that becomes markup by mistake still does nothing. */
const HEADERS = {
  'content-security-policy': [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self' data:",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join('; '),
  // Files of the page say otherwise.
  'cache-control': 'no-store',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
} as const;

export interface Border {
  readonly access: Access;
  /** Names and ports under which the desk is reached, as in the Host header. */
  readonly hosts: () => readonly string[];
  /** The run whose agent sent the request; null: none did, as far as can be seen. */
  readonly agentBehind: (context: Context) => Promise<string | null>;
}

export function guard({ hosts, agentBehind }: Border): MiddlewareHandler {
  return async (context, next) => {
    for (const [name, value] of Object.entries(HEADERS)) context.header(name, value);
    const host = context.req.header('host') ?? '';
    if (!hosts().includes(host)) throw wrongHost(host);
    const origin = context.req.header('origin');
    if (
      origin !== undefined &&
      !hosts().some((name) => origin === `http://${name}` || origin === `https://${name}`)
    )
      throw notAllowed('the request comes from a page of another site');
    const site = context.req.header('sec-fetch-site');
    const isVisit = context.req.method === 'GET' && context.req.header('sec-fetch-mode') === 'navigate';
    if (site !== undefined && !['same-origin', 'none'].includes(site) && !isVisit)
      throw notAllowed('the request comes from a page of another site');
    // A browser sends the cookie of the desk to every server of this machine, and so to that of an agent.
    const run = await agentBehind(context);
    if (run !== null) throw notAPerson('a request to the desk', run);
    await next();
  };
}

export function sessionOf(context: Context, { access }: Border): Session | null {
  const bearer = bearerOf(context);
  return bearer === undefined
    ? access.session(getCookie(context, SESSION_COOKIE) ?? '')
    : access.bearer(bearer);
}

/** Throws if there is no session or its role does not reach. */
export function admitted(context: Context, border: Border, needs: DeskRole): Session {
  const session = sessionOf(context, border);
  if (session === null)
    throw new MaydayError('NOT_LOGGED_IN', 'this browser has no session at the desk', [
      ['do', 'open the link that mayday serve prints; each link works once'],
    ]);
  const changes = context.req.method !== 'GET';
  if (changes && bearerOf(context) === undefined && context.req.header(CSRF_HEADER) !== session.csrf)
    throw notAllowed(`a change needs the header ${CSRF_HEADER} of this session`);
  if (!reaches(session.role, needs))
    throw notAllowed(`it is for the role ${needs}, and you are a ${session.role}`);
  return session;
}

function bearerOf(context: Context): string | undefined {
  return /^Bearer (.+)$/.exec(context.req.header('authorization') ?? '')?.[1];
}

function wrongHost(host: string): MaydayError {
  return new MaydayError(
    'WRONG_HOST',
    `the desk does not answer to the name ${JSON.stringify(host.slice(0, 80))}`,
    [['do', 'open the address that mayday serve printed; --host NAME adds a name for a reverse proxy']],
  );
}

export function notAllowed(why: string): MaydayError {
  return new MaydayError('NOT_ALLOWED', `the desk refused the request: ${why}`, [
    ['did', 'nothing was changed'],
    ['do', 'use the page that mayday serve opened, or ask the person who opened it'],
  ]);
}
