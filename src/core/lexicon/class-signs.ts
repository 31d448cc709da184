/**
 * `ROLES_OF_CLASS`: which program bears out a class that a model names. `WORK_CLASSES_ALIKE`: the classes that only the program tells
 * apart; the same is done about each.
 */
import type { FailureClass } from '../vocabulary/classes/failure-class.ts';
import type { Role } from './programs.ts';

/** What a program of a kind fails with by itself. */
export const ROLES_OF_CLASS: Readonly<Partial<Record<FailureClass, readonly Role[]>>> = {
  test_failure: ['test'],
  build_failure: ['build', 'lint', 'check'],
  runtime_error: ['runtime', 'shell', 'database'],
  git_error: ['git'],
  git_conflict: ['git'],
};

export const WORK_CLASSES_ALIKE: ReadonlySet<string> = new Set<FailureClass>([
  'test_failure',
  'build_failure',
  'runtime_error',
]);
