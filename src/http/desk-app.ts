/** `deskApp`: the desk as a Hono application: login, API, live stream and the files of the page, all behind the guard. */
import { createHash } from 'node:crypto';
import { Hono, type Context } from 'hono';
import { deleteCookie, setCookie } from 'hono/cookie';
import { streamSSE } from 'hono/streaming';
import { withReadableQuotes } from '../core/text/quote-fenced.ts';
import { MaydayError, usageError } from '../platform/mayday-error.ts';
import { type DeskRole, SESSION_LIFE_MS } from './access.ts';
import { changesAfter } from './changes-after.ts';
import { admitted, type Border, guard, SESSION_COOKIE, sessionOf, CSRF_HEADER } from './guard.ts';
import { LOOK_AT_ACTS_MS } from './live-acts.ts';
import { doorPage, pageFile } from './page-files.ts';
import { problemDocument } from './problem.ts';
import type { Desk } from './route.ts';
import { ROUTES } from './routes.ts';
import { z } from 'zod';
import { safeParse } from '../platform/safe-parse.ts';

/** A body is an answer and a note. */
const MAX_BODY_BYTES = 64 * 1024;
/** Proxies and browsers drop a silent connection after about a minute. */
const SIGN_OF_LIFE_MS = 20_000;

export interface DeskOptions {
  readonly desk: Desk;
  readonly border: Border;
  readonly version: string;
  /** Ends open streams. */
  readonly signal: AbortSignal;
  /** For the terminal: what a problem document does not show. */
  readonly onFault?: (error: unknown) => void;
}

export function deskApp({ desk, border, version, signal, onFault }: DeskOptions): Hono {
  const app = new Hono();
  app.onError(async (error, context) => {
    const problem = problemDocument(error);
    if (problem.code === 'INTERNAL') onFault?.(error);
    const isVisit =
      context.req.header('accept')?.includes('text/html') && !context.req.path.startsWith('/api');
    // A person at a browser gets a page, unless the files of the page are what is missing.
    const door = isVisit ? await doorPage(problem.title, problem.do.join('; ')).catch(() => null) : null;
    if (door !== null) return context.body(door.bytes, problem.status as 400, door.headers);
    return context.body(JSON.stringify(problem), problem.status as 400, {
      'content-type': 'application/problem+json',
    });
  });
  app.use(guard(border));
  app.get('/login', (context) => loginPage(context, border));
  app.post('/login', (context) => login(context, border));
  app.post('/logout', (context) => {
    admitted(context, border, 'viewer');
    border.access.logout(deleteCookie(context, SESSION_COOKIE) ?? '');
    return context.json({ logged_out: true });
  });
  app.get('/api/openapi.json', (context) => {
    admitted(context, border, 'viewer');
    return context.json(openApi(version));
  });
  app.get('/api/changes', (context) => changes(context, { desk, border, signal }));
  for (const { method, path, role, input, media = 'application/json', isVerbatim, answer } of ROUTES)
    app.on(method, path, async (context) => {
      const session = admitted(context, border, role);
      const given = safeParse(input, method === 'GET' ? context.req.query() : await bodyOf(context));
      if (!given.success)
        throw usageError('WRONG_REQUEST', `the request does not fit ${method} ${path}`, [
          ...given.error.issues.map(
            (issue) => ['happened', `${issue.path.join('.')}: ${issue.message}`] as const,
          ),
          ['do', 'see /api/openapi.json'],
        ]);
      const said = await answer(desk, { session, params: context.req.param(), input: given.data });
      const body =
        typeof said === 'string' ? said : JSON.stringify(said, isVerbatim ? undefined : withReadableQuotes);
      if (method !== 'GET') return context.body(body, 200, { 'content-type': media });
      const etag = `"${createHash('sha256').update(body).digest('base64url')}"`;
      const known = (context.req.header('if-none-match') ?? '').split(/\s*,\s*/).includes(etag);
      if (known) return context.body(null, 304, { etag });
      return context.body(body, 200, { 'content-type': media, etag });
    });
  app.all('/api/*', (context) => {
    admitted(context, border, 'viewer');
    throw unknownPage(context.req.path);
  });
  app.get('*', async (context) => {
    const file = await pageFile(context.req.path);
    if (file === null) throw unknownPage(context.req.path);
    return context.body(file.bytes, 200, file.headers);
  });
  return app;
}

/** Whom the link lets in, and a button: programs that look at links (previews, prefetchers, scanners) do not press it. */
async function loginPage(context: Context, { access }: Border): Promise<Response> {
  const whom = access.linkOf(context.req.query('code') ?? '');
  if (whom === null) throw linkUsed();
  const page = await doorPage(`You are ${whom.by}`, MAY[whom.role], 'Open the desk');
  return context.body(page.bytes, 200, page.headers);
}

/** The form posts to the address of its page, which has the code. */
function login(context: Context, { access }: Border): Response {
  const id = access.login(context.req.query('code') ?? '');
  if (id === null) throw linkUsed();
  setCookie(context, SESSION_COOKIE, id, {
    httpOnly: true,
    sameSite: 'Strict',
    path: '/',
    maxAge: SESSION_LIFE_MS / 1000,
    // Behind a proxy with TLS.
    secure: context.req.header('origin')?.startsWith('https:') === true,
  });
  return context.redirect('/', 303);
}

const MAY: Readonly<Record<DeskRole, string>> = {
  viewer: 'You may look at the runs. Answering and stopping them is left to others.',
  operator: 'You may look at the runs, answer their questions, stop them and let them go on.',
  starter: 'You may look at the runs, answer, stop and resume them, and start those that are set up for you.',
  owner: 'This is your desk: you may do everything.',
};

function linkUsed(): MaydayError {
  return new MaydayError('LINK_USED', 'this link was used before, or is older than ten minutes', [
    ['do', 'a new one: press Enter in the terminal of mayday serve, or start it again'],
  ]);
}

/** Every change of a run as its line, from the cursor that the page has; a page that slept gets each run once, as it is now. */
function changes(
  context: Context,
  { desk, border, signal }: Pick<DeskOptions, 'desk' | 'border' | 'signal'>,
): Response {
  admitted(context, border, 'viewer');
  const given = Number(context.req.header('last-event-id') ?? context.req.query('after') ?? 0);
  let after = Number.isSafeInteger(given) && given >= 0 ? given : 0;
  context.header('x-accel-buffering', 'no');
  return streamSSE(context, async (stream) => {
    const gone = new AbortController();
    stream.onAbort(() => gone.abort());
    const ends = AbortSignal.any([gone.signal, signal]);
    await stream.writeSSE({ event: 'open', data: '{}', retry: 500 });
    const told = new Map<string, string>();
    let spokeAt = performance.now();
    // A session that was ended elsewhere hears no more.
    while (!ends.aborted && sessionOf(context, border) !== null) {
      const pause = AbortSignal.timeout(LOOK_AT_ACTS_MS);
      const news = await changesAfter(desk.record, after, AbortSignal.any([ends, pause]));
      for (const { change, line } of news) {
        const data = JSON.stringify(line, withReadableQuotes);
        await stream.writeSSE({ id: String(change), event: 'run', data });
        after = change;
      }
      const acts = (await desk.acts.all())
        .map((act) => ({ id: act.run_id, data: JSON.stringify(act, withReadableQuotes) }))
        .filter(({ id, data }) => told.get(id) !== data);
      for (const { id, data } of acts) {
        await stream.writeSSE({ event: 'act', data });
        told.set(id, data);
      }
      if (news.length + acts.length > 0) spokeAt = performance.now();
      else if (performance.now() - spokeAt >= SIGN_OF_LIFE_MS && !ends.aborted) {
        await stream.writeSSE({ event: 'alive', data: '{}' });
        spokeAt = performance.now();
      }
    }
  });
}

/** Bounded by what comes, not by what the request says of itself. */
async function bodyOf(context: Context): Promise<unknown> {
  const pieces: Uint8Array[] = [];
  let bytes = 0;
  for await (const piece of context.req.raw.body ?? []) {
    bytes += piece.length;
    if (bytes > MAX_BODY_BYTES)
      throw usageError('WRONG_REQUEST', `a request has at most ${MAX_BODY_BYTES} bytes`);
    pieces.push(piece);
  }
  const text = Buffer.concat(pieces).toString();
  if (text === '') return {};
  try {
    return JSON.parse(text);
  } catch {
    throw usageError('WRONG_REQUEST', 'the body is not JSON');
  }
}

function unknownPage(path: string): MaydayError {
  return usageError('UNKNOWN_PAGE', `there is no page ${JSON.stringify(path.slice(0, 80))}`, [
    ['do', 'the desk begins at /'],
  ]);
}

function openApi(version: string) {
  const paths: Record<string, Record<string, unknown>> = {};
  for (const { method, path, role, summary, input, media = 'application/json' } of ROUTES) {
    const names = [...path.matchAll(/:(\w+)/g)].map(([, name]) => name as string);
    const schema = z.toJSONSchema(input, { io: 'input' }) as { properties?: Record<string, unknown> };
    const inPath = names.map((name) => ({ name, in: 'path', required: true, schema: { type: 'string' } }));
    const inQuery =
      method === 'GET'
        ? Object.entries(schema.properties ?? {}).map(([name, one]) => ({ name, in: 'query', schema: one }))
        : [];
    (paths[path.replaceAll(/:(\w+)/g, '{$1}')] ??= {})[method.toLowerCase()] = {
      summary,
      'x-role': role,
      parameters: [...inPath, ...inQuery],
      ...(method === 'POST' ? { requestBody: { content: { 'application/json': { schema } } } } : {}),
      responses: {
        200: { description: 'done', content: { [media]: {} } },
        default: { description: 'a problem document', content: { 'application/problem+json': {} } },
      },
    };
  }
  return {
    openapi: '3.1.0',
    info: {
      title: "Mayday's desk",
      version,
      description: `Changes need the header ${CSRF_HEADER}, or a bearer token.`,
    },
    paths,
  };
}
