/**
 * `OpinionCall`: how an agent CLI is asked one question: headless, one turn, no tools, a session of its own that is not kept. An adapter
 * that has none cannot be asked. It only computes data, like the rest of the adapter.
 */
import type { Environment } from '../adapter.ts';

export interface OpinionAsking {
  /** The program and leading arguments; empty takes the adapter's own. */
  readonly command: readonly string[];
  /** Null: the cheapest that the CLI offers. */
  readonly model: string | null;
  /** An empty folder, in which it starts and which is deleted afterwards. */
  readonly folder: string;
  readonly env: Environment;
}

export interface OpinionPlan {
  /** The prompt comes on standard input. */
  readonly argv: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  /** As in a launch: names that pass from the person's environment. */
  readonly passEnv: readonly string[];
  /** Written before the start, inside the folder. */
  readonly files: readonly { readonly path: string; readonly content: string }[];
  /** Made before the start, inside the folder, each to something of the person's if that exists. */
  readonly links?: readonly { readonly path: string; readonly to: string }[];
}

export interface OpinionCall {
  plan(asking: OpinionAsking): OpinionPlan;
  /** The tools that it offered to the model, where its output tells them: one is enough that nothing it says counts. */
  offered?(output: string): readonly string[];
}

/** In place of the CLI's own instructions, which cost many times the question. */
export const OPINION_SYSTEM =
  'You answer one question about the record of a command or an agent, only by what the question shows, in the form that it asks for.';
