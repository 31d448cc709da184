/**
 * `ask`, `say`: requests to the server of the desk. `Refused`: it answered with a problem document. `Unheard`: it did not answer, or a
 * proxy in its place; whether it got the request is not known.
 */
export interface ProblemShown {
  readonly title: string;
  readonly code: string;
  readonly do: readonly string[];
}

export class Refused extends Error {
  readonly problem: ProblemShown;

  constructor(problem: ProblemShown) {
    super(problem.title);
    this.problem = problem;
  }
}

export class Unheard extends Error {
  /** It would have changed something. */
  readonly isChange: boolean;

  constructor(cause: unknown, isChange: boolean) {
    super('the desk does not answer', { cause });
    this.isChange = isChange;
  }
}

let csrf = '';

export function rememberCsrf(value: string): void {
  csrf = value;
}

export async function ask<T>(path: string): Promise<T> {
  return await answered<T>(false, fetch(path, { credentials: 'same-origin' }));
}

export async function say<T>(
  method: 'POST' | 'DELETE',
  path: string,
  body?: object,
  withinMs?: number,
): Promise<T> {
  const headers = { 'x-mayday-csrf': csrf, 'content-type': 'application/json' };
  const limit = withinMs === undefined ? {} : { signal: AbortSignal.timeout(withinMs) };
  return await answered<T>(
    true,
    fetch(path, { method, headers, ...limit, ...(body && { body: JSON.stringify(body) }) }),
  );
}

async function answered<T>(isChange: boolean, request: Promise<Response>): Promise<T> {
  const read = async () => {
    const response = await request;
    return { ok: response.ok, body: (await response.json()) as Partial<ProblemShown> };
  };
  const { ok, body } = await read().catch((error: unknown) => {
    throw new Unheard(error, isChange);
  });
  if (ok) return body as T;
  if (body.code === undefined) throw new Unheard(body, isChange);
  throw new Refused(body as ProblemShown);
}
