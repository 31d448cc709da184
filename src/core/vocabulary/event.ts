/**
 * What can happen to a run: the lines of its journal. Two kinds share one union:
 *   facts      come from outside (the world, people, time, outcomes of commands); `step` is called with them
 *   decisions  are what the core chose; they are journaled with the fact that caused them and only folded on replay
 * so that a new version of the deciding code never rewrites what was decided before.
 */
import type { Decisions } from './decisions.ts';
import type { Facts } from './facts.ts';

export type { IncidentClass } from './incident-class.ts';
export type { Recovery } from './decisions.ts';
export type { EndedBy, Examination, ExitFacts } from './examination.ts';
export { type AgentChoice, adapterName, type RunOptions } from './run-options.ts';
export type { CheckpointFact, CheckResult, PartialWork } from './work.ts';

/** 2: blockers with fields, answers with `answer_applied`. Version 1 is read by `journal-v1/`. */
export const EVENT_VERSION = 2;

type Union<T> = { [K in keyof T]: { readonly type: K; readonly at: number } & T[K] }[keyof T];
/** `chance`: random letters, drawn when the fact is journaled; absent in older journals. Marks around quoted text are made of it. */
export type Fact = Union<Facts> & { readonly chance?: string };
export type Decision = Union<Decisions>;
export type RunEvent = Fact | Decision;
