/**
 * `ModelWire`, `Frame`, `frame`, `event`: one model API as bytes: what a request says, and how a reply or an error is written. Scripts
 * know no API.
 */
import type { RequestFacts } from './request-facts.ts';
import type { ScriptFault, ScriptReply } from './script.ts';

/** A piece of a streamed answer, ready to be written. */
export interface Frame {
  readonly text: string;
  readonly waitMs: number;
  /** The first frame after the pieces of a text or call: a stream that breaks in the middle ends before it. */
  readonly closes: boolean;
}

export type StatusFault = Extract<ScriptFault, { type: 'status' }>;

export interface ModelWire {
  /** Whether a POST to this path is a model request of this API. */
  serves(path: string): boolean;
  facts(body: unknown, headers: Readonly<Record<string, unknown>>, path: string): RequestFacts;
  frames(reply: ScriptReply, model: string, number: number): readonly Frame[];
  document(reply: ScriptReply, model: string, number: number): Readonly<Record<string, unknown>>;
  errorDocument(fault: StatusFault, number: number): Readonly<Record<string, unknown>>;
}

const DEFAULT_INPUT_TOKENS = 1_000;
const DEFAULT_OUTPUT_TOKENS = 50;

export function tokensOf(reply: ScriptReply): { readonly input: number; readonly output: number } {
  const { input_tokens: input = DEFAULT_INPUT_TOKENS, output_tokens: output = DEFAULT_OUTPUT_TOKENS } = reply;
  return { input, output };
}

/** Short, so that even small texts come in several pieces. */
const PIECE = 12;

export function pieces(whole: string): readonly string[] {
  return Array.from({ length: Math.ceil(whole.length / PIECE) }, (_, piece) =>
    whole.slice(piece * PIECE, (piece + 1) * PIECE),
  );
}

/** A server-sent event whose data names its type too. */
export function event(name: string, data: object, more: Partial<Omit<Frame, 'text'>> = {}): Frame {
  return frame(name, { type: name, ...data }, more);
}

/** A server-sent event; `name` is null where the API names its events inside the data only. */
export function frame(name: string | null, data: unknown, more: Partial<Omit<Frame, 'text'>> = {}): Frame {
  const head = name === null ? '' : `event: ${name}\n`;
  const body = typeof data === 'string' ? data : JSON.stringify(data);
  return { text: `${head}data: ${body}\n\n`, waitMs: 0, closes: false, ...more };
}
