/**
 * `touchPoints`, `gitTouched`: changed paths that steer other people's work or the judging itself (CI, owners, Mayday's rules, git's
 * configuration). A change of them must be recorded, unless the task names them.
 */
import { blocker } from '../vocabulary/blockers/blocker.ts';
import type { Blocker } from '../vocabulary/blockers/blocker-rule.ts';
import { matchesAny } from '../text/glob.ts';
import type { RunState } from '../state/run-state.ts';

const TOUCH_POINTS: readonly string[] = [
  '.github/workflows/**',
  '.github/actions/**',
  '.github/CODEOWNERS',
  'CODEOWNERS',
  '.gitlab-ci.yml',
  '.gitlab/ci/**',
  '.circleci/**',
  '.buildkite/**',
  'azure-pipelines.yml',
  'bitbucket-pipelines.yml',
  'Jenkinsfile',
  '.drone.yml',
  '.woodpecker.yml',
  '.woodpecker/**',
  '.ci/**',
  'mayday.yaml',
  '.mayday/policies/**',
  '.mayday/decisions/**',
];

export function touchPoints(changed: readonly string[], owned: readonly string[]): string[] {
  return changed.filter((path) => matchesAny(path, TOUCH_POINTS) && !matchesAny(path, owned));
}

/** The repository's own git configuration and hooks: the person's git would run them next. They are never part of a task. */
export function gitTouched({ attempts }: RunState): Blocker[] {
  const { configChanged = [], configUndo = [] } = attempts.at(-1)?.examination ?? {};
  if (configChanged.length === 0) return [];
  return [blocker('touch_point_unrecorded', { source: 'git', files: configChanged, undo: configUndo })];
}
