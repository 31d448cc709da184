/** Paths that decide over other people's work or over the judging itself: changing them needs a record, unless the task names them. */
import { matchesAny } from '../glob.ts';

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
