/** `Causes`: what went wrong in many runs, by cause; and the page of one: when, whom it hit, what helped, what was learned. */
import { took } from '../../src/core/view/rescue-times.ts';
import { useEffect } from 'preact/hooks';
import { counted } from '../../src/core/text/counted.ts';
import type { Cause, CauseDocument } from '../../src/report/causes.ts';
import { address, follow, go } from '../navigation/address.ts';
import { AnswerLink } from '../inbox/answer-link.tsx';
import { Spoken, useDocument } from '../document.tsx';
import { useFocus } from '../navigation/focus.ts';
import { KeyHints } from '../navigation/hints.tsx';
import { useKeys } from '../navigation/keys.ts';
import { inbox, now } from '../store.ts';
import { clock, ms } from '../time.ts';

export function Causes() {
  const open = address.value.query.get('open');
  useEffect(() => {
    document.title = 'Causes - Mayday';
  });
  return open === null ? <CauseList /> : <CausePage key={open} id={open} />;
}

function CauseList() {
  const { value } = useDocument<{ causes: Cause[]; all: number }>('/api/causes');
  const causes = value?.causes ?? [];
  const current = useFocus(causes, ({ id }) => id, '/causes?cause=');
  const hasCost = causes.some(isCost);
  useKeys({ Enter: () => current && go(`/causes?open=${current.id}`) });
  if (value === null) return <main class="page" aria-busy="true" />;
  if (causes.length === 0)
    return (
      <main class="page empty">
        <h1>Nothing went wrong in 30 days</h1>
        <p>Each incident has a cause. Runs that meet the same one stand together here, with what helped.</p>
      </main>
    );
  return (
    <main class="page list">
      <header class="heading">
        <h1>Causes</h1>
        <p class="second">
          {counted(value.all, 'cause')} of incidents in 30 days, latest first
          {value.all > causes.length && `; ${causes.length} are shown`}
        </p>
      </header>
      <div class="scroll stack compact" tabIndex={0}>
        <table>
          <thead>
            <tr>
              <th>Cause</th>
              <th class="number">Incidents</th>
              <th class="number">Runs</th>
              <th class="number">Also held</th>
              <th class="number">Rescued</th>
              <th class="number">Open</th>
              {hasCost && <th class="number">Cost stuck</th>}
              <th>Last seen</th>
              <th>Lesson</th>
            </tr>
          </thead>
          <tbody>
            {causes.map((cause) => (
              <tr key={cause.id} class={cause === current ? 'focus' : ''} aria-current={cause === current}>
                <td class="first">
                  <a href={`/causes?open=${cause.id}`} onClick={follow}>
                    <b>{cause.cause || words(cause.class)}</b>
                  </a>
                  <span class="second">
                    {[words(cause.class), categoryWords(cause), cause.agents.join(', ')]
                      .filter(Boolean)
                      .join(' · ')}
                    <span class="wide"> · </span>
                    <code>{cause.id}</code>
                  </span>
                </td>
                <Count head="Incidents" count={cause.incidents} />
                <Count head="Runs" count={cause.runs.length} />
                <Count head="Also held" count={cause.held.length} />
                <Count head="Rescued" count={cause.rescued} />
                <Count head="Open" count={cause.open} />
                {hasCost && (
                  <Count head="Cost stuck" count={isCost(cause) ? `$${cause.cost_usd.toFixed(2)}` : 0} />
                )}
                <td data-head="Last seen" class="time">
                  {at(cause.last_at)}
                </td>
                <td data-head="Lesson">{cause.lesson === null ? 'none yet' : cause.lesson.status}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <KeyHints
        hints={[
          ['j k', 'move'],
          ['Enter', 'open'],
          ['?', 'all keys'],
        ]}
      />
    </main>
  );
}

function CausePage({ id }: { readonly id: string }) {
  const { value: cause } = useDocument<CauseDocument>(`/api/causes/${encodeURIComponent(id)}`);
  useKeys({ Escape: () => go('/causes') });
  if (cause === null) return <main class="page" aria-busy="true" />;
  const shared = inbox.value.questions.find(({ runs }) => runs.some((run) => cause.runs.includes(run)));
  return (
    <main class="page cause">
      <header>
        <p>
          <a href="/causes" onClick={follow}>
            All causes
          </a>
        </p>
        <h1>
          <Spoken text={cause.cause || words(cause.class)} machine={cause.evidence} />
        </h1>
        <p class="second">
          {words(cause.class)} · first seen {at(cause.first_at)}, last seen {at(cause.last_at)} ·{' '}
          <code>{cause.id}</code>
        </p>
        {cause.category !== null && (
          <p class="second">
            {cause.category === 'unknown'
              ? 'what kind of cause it is, is not known'
              : `${cause.category_assumed ? 'is assumed to be' : 'counts as'} ${words(cause.category)}`}
            {cause.category_reason && `: ${cause.category_reason}`}
          </p>
        )}
      </header>
      <dl class="sums">
        <Sum figure={cause.incidents} label={cause.incidents === 1 ? 'incident' : 'incidents'} />
        <Sum figure={cause.runs.length} label={cause.runs.length === 1 ? 'run' : 'runs'} />
        {cause.held.length > 0 && <Sum figure={cause.held.length} label="also held by it" />}
        {cause.rescued > 0 && <Sum figure={cause.rescued} label="rescued" />}
        {cause.open > 0 && <Sum figure={cause.open} label="still open" />}
        {cause.asked > 0 && <Sum figure={cause.asked} label="with a person" />}
        <Sum figure={took(cause.stuck_ms)} label="stuck until resumed" />
        {isCost(cause) && <Sum figure={`$${cause.cost_usd.toFixed(2)}`} label="spent without progress" />}
      </dl>
      {shared !== undefined && (
        <p class="line">
          <AnswerLink question={shared.id} />
          <span>
            <Spoken text={shared.text.split('\n')[0] ?? ''} />
          </span>
        </p>
      )}
      <h2>Runs</h2>
      <p class="second">each time counts from the last sign of life before the trouble</p>
      <div class="scroll stack" tabIndex={0}>
        <table>
          <thead>
            <tr>
              <th>When</th>
              <th>Run</th>
              <th>Agent</th>
              <th>What was done</th>
              <th>Noticed after</th>
              <th>Resumed after</th>
              <th>Progress again after</th>
              <th>Outcome</th>
            </tr>
          </thead>
          <tbody>
            {cause.events.map((event) => (
              <tr key={event.incident}>
                <td data-head="When">{at(event.at)}</td>
                <td data-head="Run">
                  <a href={`/runs/${event.run_id}`} onClick={follow}>
                    {event.title}
                  </a>{' '}
                  <code>{event.run_id}</code>
                </td>
                <td data-head="Agent">{event.agent}</td>
                <td data-head="What was done">{event.strategy === null ? '–' : words(event.strategy)}</td>
                <td data-head="Noticed after">{took(event.noticed_ms)}</td>
                <td data-head="Resumed after">{afterBegin(event, event.unblocked_ms)}</td>
                <td data-head="Progress again after">{afterBegin(event, event.recovered_ms)}</td>
                <td data-head="Outcome">
                  {event.outcome === 'resolved' ? 'rescued' : (event.outcome ?? 'open')}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <h2>Lesson</h2>
      {cause.lesson === null ? (
        <p class="second">No lesson yet: a rescue mission proposes one, or mayday context add.</p>
      ) : (
        <p>
          <a href={`/lessons?lesson=${encodeURIComponent(cause.lesson.id)}`} onClick={follow}>
            {cause.lesson.title}
          </a>{' '}
          <span class="second">{cause.lesson.status}</span>
        </p>
      )}
      {cause.hypotheses.length > 0 && (
        <>
          <h2>Explanations</h2>
          <div class="scroll stack" tabIndex={0}>
            <table>
              <thead>
                <tr>
                  <th>State</th>
                  <th>Explanation</th>
                  <th>What would show it</th>
                  <th>What was seen</th>
                </tr>
              </thead>
              <tbody>
                {cause.hypotheses.map(({ cause: maybe, test, state, evidence }) => (
                  <tr key={maybe}>
                    <td data-head="State">{state === 'open' ? 'not tested' : state}</td>
                    <td data-head="Explanation">{maybe}</td>
                    <td data-head="Shown by">{test}</td>
                    <td data-head="Seen">{evidence.at(-1) ?? '–'}</td>
                  </tr>
                ))}
              </tbody>
            </table>
          </div>
        </>
      )}
      <h2>Evidence</h2>
      {cause.evidence.length === 0 ? (
        <p class="second">Nothing was written down.</p>
      ) : (
        <pre>{cause.evidence.join('\n')}</pre>
      )}
      <KeyHints
        hints={[
          ['Esc', 'all causes'],
          ['?', 'all keys'],
        ]}
      />
    </main>
  );
}

/** From the beginning of the trouble, as every time of the page. */
function afterBegin({ noticed_ms }: CauseDocument['events'][number], after: number | null): string {
  return after === null ? '–' : took(noticed_ms + after);
}

/** A kind that was judged by conduct is told on the page of the cause, which says whether it is only assumed. */
function categoryWords({ category, by_conduct }: Cause): string {
  if (category === 'unknown') return 'kind not known';
  return by_conduct ? '' : words(category ?? '');
}

/** Less than a cent is told by nobody. */
function isCost({ cost_usd }: Pick<Cause, 'cost_usd'>): boolean {
  return cost_usd >= 0.01;
}

/** A zero says nothing. */
function Count({ head, count }: { readonly head: string; readonly count: number | string }) {
  return (
    <td data-head={head} class={count === 0 ? 'number none' : 'number'}>
      {count === 0 ? '–' : count}
    </td>
  );
}

function Sum({ figure, label }: { readonly figure: number | string; readonly label: string }) {
  return (
    <div>
      <dt>{label}</dt>
      <dd>{figure}</dd>
    </div>
  );
}

function at(iso: string): string {
  return clock(ms(iso) ?? 0, now.value);
}

function words(name: string): string {
  return name.replaceAll('_', ' ');
}
