/** `ask`, `say`, `Refused`: requests to the server of the desk; a problem document becomes an error that the page can show. */
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

let csrf = '';

export function rememberCsrf(value: string): void {
  csrf = value;
}

export async function ask<T>(path: string): Promise<T> {
  return await answered<T>(await fetch(path, { credentials: 'same-origin' }));
}

export async function say<T>(method: 'POST' | 'DELETE', path: string, body?: object): Promise<T> {
  const headers = { 'x-mayday-csrf': csrf, 'content-type': 'application/json' };
  return await answered<T>(
    await fetch(path, { method, headers, ...(body && { body: JSON.stringify(body) }) }),
  );
}

async function answered<T>(response: Response): Promise<T> {
  const body: unknown = await response.json();
  if (!response.ok) throw new Refused(body as ProblemShown);
  return body as T;
}
