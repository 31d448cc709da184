/**
 * `RunEvent`: a line of a run's journal. There are two kinds:
 *   `Fact`      comes from outside (the world, people, time, outcomes of commands); `step` is called with it
 *   `Decision`  is what the core decided; it is journaled with the fact that caused it, and a replay only folds it
 * Therefore a new version of the deciding code never changes what was decided before.
 */
import type { Decisions } from './decisions.ts';
import type { Facts } from './facts.ts';

export type { IncidentClass } from '../classes/incident-class.ts';
export type { Recovery } from './decisions.ts';
export type { EndedBy, Examination, ExitFacts } from './examination.ts';
export { type AgentChoice, adapterName, type RunOptions } from '../run-options.ts';
export type { CheckpointFact, CheckResult, PartialWork } from '../work.ts';

/** Version 2 has blockers with fields, and `answer_applied` after answers. `journal-v1/` reads version 1. */
export const EVENT_VERSION = 2;

type Union<T> = { [K in keyof T]: { readonly type: K; readonly at: number } & T[K] }[keyof T];
/** `chance`: random letters, drawn when the fact is journaled; absent in older journals. They make the marks around quoted text. */
export type Fact = Union<Facts> & { readonly chance?: string };
export type FactOf<T extends Fact['type']> = Extract<Fact, { type: T }>;
export type Decision = Union<Decisions>;
export type RunEvent = Fact | Decision;
