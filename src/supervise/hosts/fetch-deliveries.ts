/** `fetchDeliveries`: takes branches that other hosts delivered into the person's repository, which is on this host. */
import { existsSync } from 'node:fs';
import { openBundle } from '../../platform/git/bundle.ts';
import type { RunRecord } from '../../record/contract.ts';
import { loadState } from '../load-state.ts';
import { DELIVERY, repositoryGit } from './ship-run.ts';

export async function fetchDeliveries(
  home: string,
  { hosts, ...record }: RunRecord,
  say: (text: string) => void = console.error,
): Promise<void> {
  for (const runId of (await hosts?.deliveries()) ?? []) {
    const { repository } = await loadState({ hosts, ...record }, runId);
    const body = await hosts?.parcel(runId, DELIVERY);
    // Another home of the same person may have it, or the folder comes back.
    if (!body || !existsSync(repository)) continue;
    const git = repositoryGit(repository);
    for (const [ref, commit] of await openBundle(git, body)) {
      const known = await git('rev-parse', '--verify', '--quiet', ref);
      const isHere = known.stdout.toString('utf8').trim() === commit;
      const made = isHere || (await git('update-ref', ref, commit, '0'.repeat(commit.length))).exitCode === 0;
      if (!made)
        say(
          `mayday: run ${runId} was delivered as ${commit}; ${ref} of ${repository} is another commit and stays`,
        );
    }
    await hosts?.markFetched(runId);
  }
}
