/** `Opinions`: what models were asked about a run and answered, apart from what is proven; nothing where none was asked. */
import type { RunJson } from '../../src/core/view/run-json.ts';

export function Opinions({ run: { opinions } }: { readonly run: RunJson }) {
  if (opinions.length === 0) return null;
  return (
    <section class="proof" aria-label="Opinions">
      {opinions.map(({ at, line, says, opinion }) =>
        opinion === null ? (
          <p key={at} class="second">
            {line}
          </p>
        ) : (
          <details key={at}>
            <summary>
              {says} <span class="second">{line}</span>
            </summary>
            <ul>
              {opinion.quotes.map(({ entry, text }) => (
                <li key={entry}>
                  <q>{text}</q>
                </li>
              ))}
            </ul>
          </details>
        ),
      )}
    </section>
  );
}
