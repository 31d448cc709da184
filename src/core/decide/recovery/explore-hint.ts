/** `exploreHint`: tells an exploring agent to look, change nothing, and propose. */
import type { RunState } from '../../state/run-state.ts';

const PROPOSAL = [
  '"scope": ["globs of what must change"]',
  '"checks": ["commands that would prove it"]',
  '"decisions": [{"question": "...", "options": ["..."]}]',
  '"summary": "..."',
];
const EXPLORE = `Do not change any file yet. Look at the repository and find out what this task needs, then write JSON
{${PROPOSAL.join(', ')}}
to the file in $MAYDAY_PROPOSAL and stop. A person confirms it before the work begins.`;

export function exploreHint({ explore }: RunState, hint: string | null): string | null {
  if (explore !== 'looking') return hint;
  return hint === null ? EXPLORE : `${EXPLORE}\n${hint}`;
}
