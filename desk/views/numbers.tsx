/** `Numbers`: the report of a period, the same page that `mayday report` prints; each figure opens the runs behind it. */
import { counted } from '../../src/core/text/counted.ts';
import { useEffect } from 'preact/hooks';
import type { Block, Chart, Page } from '../../src/report/page/page.ts';
import { address, follow, go } from '../navigation/address.ts';
import { Told, useDocument } from '../document.tsx';
import { KeyHints } from '../navigation/hints.tsx';
import { useKeys } from '../navigation/keys.ts';
import { StateWord } from '../marks.tsx';
import { now, runs, wordNow } from '../store.ts';
import { dayAndTime, ms } from '../time.ts';

const PERIODS = [
  ['7d', '7 days'],
  ['30d', '30 days'],
  ['90d', 'quarter'],
] as const;

export function Numbers() {
  const since = address.value.query.get('since') ?? '30d';
  const { value: page } = useDocument<Page>(`/api/report/page?since=${encodeURIComponent(since)}`);
  const figure = address.value.query.get('figure');
  const choose = (period: string) => go(addressOf(period, figure), true);
  useKeys({ '1': () => choose('7d'), '2': () => choose('30d'), '3': () => choose('90d') });
  useEffect(() => {
    document.title = 'Numbers - Mayday';
  });
  return (
    <main class="page numbers" aria-busy={page === null ? 'true' : undefined}>
      <header class="heading">
        <h1>Numbers</h1>
        <p class="second">
          <Told text={page?.subtitle ?? ''} /> · the same as <code>mayday report --since {since}</code>
        </p>
      </header>
      <div class="filters" role="group" aria-label="Period">
        {PERIODS.map(([period, name]) => (
          <button key={period} type="button" aria-pressed={since === period} onClick={() => choose(period)}>
            {name}
          </button>
        ))}
      </div>
      {figure === null ? (
        <div class="sections">
          {page?.sections.map(({ title, blocks }) => (
            <section key={title} class={blocks.some(isBroad) ? 'broad' : ''}>
              <h2>{title}</h2>
              {blocks.map((block, index) => (
                <Shown key={index} block={block} since={since} />
              ))}
            </section>
          ))}
        </div>
      ) : (
        <FigureRuns
          key={figure}
          figure={figure}
          since={since}
          title={page === null ? ['', ''] : titleOf(page, figure)}
        />
      )}
      <KeyHints
        hints={[
          ['1 2 3', 'period'],
          ...(figure === null ? [] : [['Esc', 'all numbers'] as const]),
          ['?', 'all keys'],
        ]}
      />
    </main>
  );
}

/** Half of the screen has room for so many columns, a phone for fewer. */
const BROAD_COLUMNS = 6;
const NARROW_COLUMNS = 4;

function isBroad(block: Block): boolean {
  return block.type === 'table' && block.head.length > BROAD_COLUMNS;
}

/** A cell that is a number with its unit, or nothing. */
const NUMBER =
  /^(?:-|none|too few|\d+ of \d+|\d[\d.]*(?: (?:%|s|min|h|d|\([\d.]+ %\)))?(?: \d+ (?:s|min))?)$/;
/** A goal's word in the colour of its state. */
const TONES: Readonly<Record<string, string>> = { met: 'goal proven', missed: 'goal trouble' };

function Shown({ block, since }: { readonly block: Block; readonly since: string }) {
  switch (block.type) {
    case 'lines':
      return (
        <dl class="figures">
          {block.lines.map(([label, value, figure]) => (
            <div key={label}>
              <dt>{label}</dt>
              <dd>
                <Figure figure={figure} since={since} text={value} />
              </dd>
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
    case 'table': {
      const numbers = block.head.map((_, place) => block.rows.every((row) => NUMBER.test(row[place] ?? '')));
      return (
        <div class={block.head.length > NARROW_COLUMNS ? 'scroll stack' : 'scroll'} tabIndex={0}>
          <table>
            <thead>
              <tr>
                {block.head.map((name, place) => (
                  <th key={name} class={numbers[place] ? 'number' : ''}>
                    {name}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {block.rows.map((row, index) => (
                <tr key={index}>
                  {row.map((cell, place) => (
                    <td
                      key={place}
                      data-head={block.head[place]}
                      class={numbers[place] ? 'number' : (TONES[cell] ?? '')}
                    >
                      <Figure
                        figure={place === 0 ? (block.figures?.[index] ?? undefined) : undefined}
                        since={since}
                        text={cell}
                      />
                    </td>
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      );
    }
    case 'chart':
      return <Bars chart={block.chart} />;
  }
}

function Bars({ chart: { title, bars } }: { readonly chart: Chart }) {
  // One bar compares nothing.
  if (bars.length < 2) return null;
  const most = Math.max(...bars.map(({ value }) => value), 0);
  return (
    <figure class="bars">
      <figcaption class="second">{title}</figcaption>
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

interface FigureShown {
  readonly figure: string | undefined;
  readonly since: string;
  readonly text: string;
}

/** Nothing is behind a zero. */
function Figure({ figure, since, text }: FigureShown) {
  if (figure === undefined || /^0\b/.test(text)) return <>{text}</>;
  return (
    <a href={addressOf(since, figure)} onClick={follow}>
      {text}
    </a>
  );
}

function addressOf(since: string, figure: string | null): string {
  return `/numbers?${new URLSearchParams({ since, ...(figure !== null && { figure }) })}`;
}

/** The figure as the page calls it. */
function titleOf({ sections }: Page, figure: string): readonly [label: string, value: string] {
  for (const block of sections.flatMap(({ blocks }) => blocks)) {
    const line = block.type === 'lines' ? block.lines.find(([, , name]) => name === figure) : undefined;
    if (line !== undefined) return [line[0], line[1]];
  }
  return [figure.replace(':', ': ').replaceAll('_', ' '), ''];
}

interface RunsDocument {
  readonly all: number;
  readonly runs: readonly {
    readonly run_id: string;
    readonly title: string;
    readonly agent: string;
    readonly state: string;
    readonly created_at: string;
    readonly incidents: readonly string[];
    /** What the report calls each of them. */
    readonly reasons: readonly string[];
    readonly cost_usd: number;
  }[];
}

/** The list of Now is newer than the report. */
function stateOf({ run_id, state }: RunsDocument['runs'][number]): string {
  const line = runs.value.get(run_id);
  return line === undefined ? state : wordNow(line);
}

function kindOf(name: string, reason = ''): string {
  const words = name.replaceAll('_', ' ');
  return words === reason.toLowerCase() || reason === '' ? words : `${words} (${reason})`;
}

interface FigureRunsShown {
  readonly figure: string;
  readonly since: string;
  readonly title: readonly [label: string, value: string];
}

function FigureRuns({ figure, since, title }: FigureRunsShown) {
  const { value } = useDocument<RunsDocument>(
    `/api/report/runs?${new URLSearchParams({ since, figure, limit: '200' })}`,
  );
  useKeys({ Escape: () => go(addressOf(since, null)) });
  if (value === null) return null;
  return (
    <div class="sections">
      <section class="broad">
        <h2>{title[0]}</h2>
        {title[1] !== '' && <p>{title[1]}</p>}
        <p class="second">
          {counted(value.all, 'run is', 'runs are')} behind it
          {value.all > value.runs.length && `; the newest ${value.runs.length} are shown`}
          {' · '}
          <a href={addressOf(since, null)} onClick={follow}>
            all numbers
          </a>
        </p>
        <div class="scroll stack compact" tabIndex={0}>
          <table>
            <thead>
              <tr>
                <th>Began</th>
                <th>Run</th>
                <th>Agent</th>
                <th>State</th>
                <th>Incidents</th>
                <th class="number">Cost</th>
              </tr>
            </thead>
            <tbody>
              {value.runs.map((run) => (
                <tr key={run.run_id}>
                  <td data-head="Began">{dayAndTime(ms(run.created_at) ?? 0, now.value)}</td>
                  <td data-head="Run" class="first">
                    <a href={`/runs/${run.run_id}`} onClick={follow}>
                      {run.title}
                    </a>{' '}
                    <code>{run.run_id}</code>
                  </td>
                  <td data-head="Agent">{run.agent}</td>
                  <td data-head="State">
                    <StateWord word={stateOf(run)} />
                  </td>
                  <td data-head="Incidents">
                    {run.incidents.length > 0 && `${run.incidents.length}: `}
                    {run.incidents.map((name, at) => kindOf(name, run.reasons[at])).join(', ') || '–'}
                  </td>
                  <td data-head="Cost" class="number">
                    {run.cost_usd > 0 ? `$${run.cost_usd.toFixed(2)}` : '–'}
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      </section>
    </div>
  );
}
