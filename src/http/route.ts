/** `RouteSpec`, `knownRow`, `repositories`: a route of the API as data; server, access tests and OpenAPI are made from it. */
import { z } from 'zod';
import { usageError } from '../platform/mayday-error.ts';
import type { RunRecord } from '../record/contract.ts';
import type { RunRow } from '../record/contract/journal.ts';
import type { Caller } from '../use-cases/caller.ts';
import type { Access, DeskRole, Session } from './access.ts';
import type { LateAnswers } from './late-answers.ts';
import type { LiveActs } from './live-acts.ts';

/** A page of a person's words. */
export const MAX_NOTE = 10_000;
/** Repositories that no run has been in for longer are left to the command line. */
const RUNS_LOOKED_AT = 500;

const nothing = z.object({});
/** A screen of a large monitor twice over. */
const PAGE = 100;
const MAX_PAGE = 500;
export const pageSize = z.coerce.number().int().min(1).max(MAX_PAGE).default(PAGE);
export const pageStart = z.coerce.number().int().min(0).default(0);
export const note = z.string().max(MAX_NOTE).default('');

export interface Desk {
  readonly home: string;
  readonly env: NodeJS.ProcessEnv;
  readonly record: RunRecord;
  readonly access: Access;
  readonly acts: LiveActs;
  readonly answers: LateAnswers;
  /** The person of the session, as a caller of use-cases. */
  readonly caller: (session: Session) => Caller;
  readonly address: () => string;
}

export interface RouteCall {
  readonly session: Session;
  readonly params: Readonly<Record<string, string>>;
  /** Query and body, checked by the schema of the route. */
  readonly input: unknown;
}

export interface RouteSpec {
  readonly method: 'GET' | 'POST' | 'DELETE';
  /** As Hono reads it: `/api/runs/:run`. */
  readonly path: string;
  readonly role: DeskRole;
  readonly summary: string;
  readonly input: z.ZodType;
  /** Left out: the answer is JSON. Otherwise it is a text of this type. */
  readonly media?: string;
  /** The answer is what an agent wrote, letter for letter. */
  readonly isVerbatim?: boolean;
  readonly answer: (desk: Desk, asked: RouteCall) => Promise<unknown>;
}

/**
 * Keeps the type of the checked input between the schema and the answer. Unless a role is given, the method tells it: a viewer reads, and
 * only an operator changes anything.
 */
export function route<S extends z.ZodType = typeof nothing>(
  method: RouteSpec['method'],
  path: string,
  spec: Pick<RouteSpec, 'summary' | 'media' | 'isVerbatim'> & {
    readonly role?: DeskRole;
    readonly input?: S;
    readonly answer: (
      desk: Desk,
      asked: Omit<RouteCall, 'input'> & { readonly input: z.output<S> },
    ) => Promise<unknown>;
  },
): RouteSpec {
  return {
    input: nothing,
    role: method === 'GET' ? 'viewer' : 'operator',
    ...spec,
    method,
    path,
  } as RouteSpec;
}

export async function knownRow(record: RunRecord, runId = ''): Promise<RunRow> {
  const row = await record.row(runId);
  if (row === null)
    throw usageError('UNKNOWN_RUN', `there is no run ${JSON.stringify(runId.slice(0, 80))}`, [
      ['do', 'mayday ps lists the runs'],
    ]);
  return row;
}

/** Where Mayday works: a request must not make it read or write another folder. */
export async function repositories({ record }: Pick<Desk, 'record'>): Promise<readonly string[]> {
  const rows = await record.rows({ limit: RUNS_LOOKED_AT, withoutView: true });
  const learned = await record.lessons();
  return [...new Set([...rows, ...learned].map(({ repository }) => repository))].toSorted();
}
