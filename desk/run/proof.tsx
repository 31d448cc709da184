/** `Proof`: what judges was changed by the work of a run, and how far its checks prove each changed file; nothing where no gate told it. */
import type { RunJson } from '../../src/core/view/run-json.ts';

/** Read first: what nobody proved. */
const STANDINGS = [
  ['judge', 'part of what judges'],
  ['unread', 'read by no check'],
  ['not_observed', 'not observed'],
  ['read', 'read by passing checks'],
] as const;

export function Proof({ run: { changed_judges, unrelated, proof } }: { readonly run: RunJson }) {
  const groups = STANDINGS.map(([standing, how]) => ({
    how,
    files: proof.files.filter((file) => file.standing === standing),
  })).filter(({ files }) => files.length > 0);
  const observed = changed_judges.filter(({ opinion_of }) => opinion_of === undefined);
  const added = changed_judges.filter(({ opinion_of }) => opinion_of !== undefined);
  if (changed_judges.length + unrelated.length + groups.length === 0) return null;
  return (
    <section class="proof" aria-label="Proof">
      <Files title="What judges was changed:" files={observed} />
      <Files title="Not observed, a model adds:" files={added} />
      <Files title="The task does not explain:" files={unrelated} />
      {groups.length > 0 && (
        <details>
          <summary>Proof: {groups.map(({ how, files }) => `${files.length} ${how}`).join(', ')}</summary>
          <ul>
            {groups.flatMap(({ files }) =>
              files.map(({ path, why }) => (
                <li key={path}>
                  <code>{path}</code> <span class="second">{why}</span>
                </li>
              )),
            )}
          </ul>
        </details>
      )}
    </section>
  );
}

type Named = RunJson['unrelated'];

function Files({ title, files }: { readonly title: string; readonly files: Named }) {
  if (files.length === 0) return null;
  return (
    <p>
      <b>{title}</b>{' '}
      {files.map(({ path, why }, index) => (
        <span key={`${path} ${why}`}>
          {index > 0 && ', '}
          <code>{path}</code> <span class="second">{why}</span>
        </span>
      ))}
    </p>
  );
}
