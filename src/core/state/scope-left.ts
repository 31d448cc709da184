/** `scopeLeft`: the part of the scope that still exists. */
import type { RunState } from './run-state.ts';

export function scopeLeft({ scope, staleScope }: RunState): readonly string[] {
  return scope.allowed.filter((glob) => !staleScope.includes(glob));
}
