/** `Why`: the evidence of a decision, what else was considered, what was decided and which ways were not taken. */
import type { WayNotTaken } from '../../src/core/decide/recovery/not-chosen.ts';
import type { IncidentShown } from './story.ts';

export function Why({
  incident,
  ways,
}: {
  readonly incident: IncidentShown;
  readonly ways: readonly WayNotTaken[];
}) {
  const { evidence, hypotheses, decisions, category, concern } = incident;
  return (
    <details>
      <summary>why</summary>
      <dl>
        <dt>Kind</dt>
        <dd>{[category, concern].filter(Boolean).join(', ').replaceAll('_', ' ') || 'not named yet'}</dd>
        {evidence.length > 0 && <dt>Evidence</dt>}
        {evidence.map((line) => (
          <dd key={line}>
            <code>{line}</code>
          </dd>
        ))}
        {hypotheses.length > 0 && <dt>Considered</dt>}
        {hypotheses.map(({ cause, state, test }) => (
          <dd key={cause}>
            {cause}: {state} <span class="second">{test}</span>
          </dd>
        ))}
        <dt>Decided</dt>
        {decisions.map(({ phase, strategy, reason }, index) => (
          <dd key={index}>
            {strategy.replaceAll('_', ' ')}, phase {phase}: {reason}
          </dd>
        ))}
        {decisions.length === 0 && <dd>nothing yet</dd>}
      </dl>
      <NotChosen ways={ways} />
    </details>
  );
}

export function NotChosen({ ways }: { readonly ways: readonly WayNotTaken[] }) {
  if (ways.length === 0) return null;
  return (
    <dl>
      <dt>Not chosen</dt>
      {ways.map(({ option, reason }) => (
        <dd key={option}>
          {option} <span class="second">{reason}</span>
        </dd>
      ))}
    </dl>
  );
}
