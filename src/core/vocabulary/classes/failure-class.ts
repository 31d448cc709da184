/** `FAILURE_CLASSES`, `isFailureClass`: what can fail in a run, one row per class. */
import type { ClassRule } from './class-rule.ts';
import { CONDUCT_CLASSES } from './conduct.ts';
import { MACHINE_CLASSES } from './machine.ts';
import { SUPPLY_CLASSES } from './supply.ts';
import { WORK_CLASSES } from './work.ts';

const ROWS = { ...WORK_CLASSES, ...SUPPLY_CLASSES, ...MACHINE_CLASSES, ...CONDUCT_CLASSES };

export type FailureClass = keyof typeof ROWS;

export const FAILURE_CLASSES: Readonly<Record<FailureClass, ClassRule>> = ROWS;

export const FAILURE_CLASS_NAMES = Object.keys(ROWS) as readonly FailureClass[];

export function isFailureClass(name: string): name is FailureClass {
  return Object.hasOwn(ROWS, name);
}
