import type { RunState } from './run-state.ts';

/** What of the scope is still there. */
export function scopeLeft({ scope, staleScope }: RunState): readonly string[] {
  return scope.allowed.filter((glob) => !staleScope.includes(glob));
}
