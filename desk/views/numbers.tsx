/** `Numbers`: the report of a period, the same page that `mayday report` prints. */
import { useEffect } from 'preact/hooks';
import type { Block, Chart, Page } from '../../src/report/page/page.ts';
import { address, go } from '../navigation/address.ts';
import { useDocument } from '../document.tsx';
import { KeyHints } from '../navigation/hints.tsx';
import { useKeys } from '../navigation/keys.ts';

const PERIODS = [
  ['7d', '7 days'],
  ['30d', '30 days'],
  ['90d', 'quarter'],
] as const;

export function Numbers() {
  const since = address.value.query.get('since') ?? '30d';
  const { value: page } = useDocument<Page>(`/api/report/page?since=${encodeURIComponent(since)}`);
  const choose = (period: string | undefined) => period !== undefined && go(`/numbers?since=${period}`, true);
  useKeys({ '1': () => choose('7d'), '2': () => choose('30d'), '3': () => choose('90d') });
  useEffect(() => {
    document.title = 'Numbers - Mayday';
  });
  return (
    <main class="page numbers" aria-busy={page === null ? 'true' : undefined}>
      <h1 class="unseen">Numbers</h1>
      <div class="filters" role="group" aria-label="Period">
        {PERIODS.map(([period, name]) => (
          <button key={period} type="button" aria-pressed={since === period} onClick={() => choose(period)}>
            {name}
          </button>
        ))}
        <span class="aside">
          {page?.subtitle} · the same as <code>mayday report --since {since}</code>
        </span>
      </div>
      <div class="sections">
        {page?.sections.map(({ title, blocks }) => (
          <section key={title} class={blocks.some(isBroad) ? 'broad' : ''}>
            <h2>{title}</h2>
            {blocks.map((block, index) => (
              <Shown key={index} block={block} />
            ))}
          </section>
        ))}
      </div>
      <KeyHints
        hints={[
          ['1 2 3', 'period'],
          ['?', 'all keys'],
        ]}
      />
    </main>
  );
}

/** Half of the screen has room for so many columns. */
const BROAD_COLUMNS = 6;

function isBroad(block: Block): boolean {
  return block.type === 'table' && block.head.length > BROAD_COLUMNS;
}

function Shown({ block }: { readonly block: Block }) {
  switch (block.type) {
    case 'lines':
      return (
        <dl class="figures">
          {block.lines.map(([label, value]) => (
            <div key={label}>
              <dt>{label}</dt>
              <dd>{value}</dd>
            </div>
          ))}
        </dl>
      );
    case 'list':
      return block.items.length === 0 ? (
        <p class="second">{block.empty}</p>
      ) : (
        <ul>
          {block.items.map((item) => (
            <li key={item}>{item}</li>
          ))}
        </ul>
      );
    case 'table':
      return (
        <div class="scroll" tabIndex={0}>
          <table>
            <thead>
              <tr>
                {block.head.map((name) => (
                  <th key={name}>{name}</th>
                ))}
              </tr>
            </thead>
            <tbody>
              {block.rows.map((row, index) => (
                <tr key={index}>
                  {row.map((cell, place) => (
                    <td key={place}>{cell}</td>
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      );
    case 'chart':
      return <Bars chart={block.chart} />;
  }
}

function Bars({ chart: { title, unit, bars } }: { readonly chart: Chart }) {
  const most = Math.max(...bars.map(({ value }) => value), 0);
  return (
    <figure class="bars">
      <figcaption class="second">
        {title.toLowerCase().includes(unit) ? title : `${title}, ${unit}`}
      </figcaption>
      {bars.map(({ label, value, text }) => (
        <div key={label}>
          <span>{label}</span>
          <svg height="8" width="100%" aria-hidden="true">
            <rect height="8" width={most === 0 ? '0' : `${(100 * value) / most}%`} />
          </svg>
          <span class="figure">{text}</span>
        </div>
      ))}
    </figure>
  );
}
