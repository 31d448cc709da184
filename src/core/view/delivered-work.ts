/** `deliveredTo`: where delivered work is, as text; `fetchCommand`: the command by which a person takes it. */
import type { RunState } from '../state/run-state.ts';

export function fetchCommand({ sink, delivered, runId, workspace }: RunState): string {
  const ref = delivered?.ref ?? null;
  if (ref === null) return `mayday diff ${runId}`;
  switch (sink.type) {
    case 'branch':
      // Git refuses to merge what also lies uncommitted in the checkout; the work alone applies on top of it.
      return workspace?.includesDirty === true ? `mayday diff ${runId} | git apply` : `git merge ${ref}`;
    case 'patch':
      return `git apply ${ref}`;
    case 'pull_request':
      return ref;
    case 'none':
    case 'directory':
    case 'merge':
      return `mayday diff ${runId}`;
  }
}

export function deliveredTo({ sink, delivered, workspace }: RunState): string {
  const ref = delivered?.ref ?? null;
  if (delivered === null) return 'nothing had to change';
  if (ref === null) return workspace?.path ?? '';
  switch (sink.type) {
    case 'branch':
      return `branch ${ref}`;
    case 'merge':
      return `merged into ${ref}`;
    case 'patch':
      return `patch ${ref}`;
    case 'pull_request':
      return `pull request ${ref}`;
    case 'directory':
    case 'none':
      return ref;
  }
}
