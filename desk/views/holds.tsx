/** `Holds`: what keeps several runs from starting agents, until when, who waits; a person may release it. */
import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import type { accountRows, HoldJson } from '../../src/report/hold-json.ts';
import { counted } from '../../src/core/text/counted.ts';
import { follow } from '../navigation/address.ts';
import { say } from '../api.ts';
import { AnswerLink } from '../inbox/answer-link.tsx';
import { Spoken, Told, useDocument } from '../document.tsx';
import { useFocus } from '../navigation/focus.ts';
import { KeyHints } from '../navigation/hints.tsx';
import { useKeys } from '../navigation/keys.ts';
import { now, mayAct, runs, show } from '../store.ts';
import { moment, ms, span } from '../time.ts';

type AccountRow = ReturnType<typeof accountRows>[number];

export function Holds() {
  const { value, again } = useDocument<{ holds: HoldJson[]; accounts: AccountRow[] }>('/api/holds');
  const releasing = useSignal('');
  const holds = value?.holds ?? [];
  const current = useFocus(holds, ({ id }) => id, '/holds?hold=');
  const mayRelease = mayAct.value;
  const release = async (hold: HoldJson | undefined) => {
    if (hold === undefined || !mayRelease) return;
    if (releasing.value !== hold.id) {
      releasing.value = hold.id;
      return;
    }
    releasing.value = '';
    await say('POST', `/api/holds/${hold.id}/release`, { note: 'at the desk' }).catch(show);
    again();
  };
  useKeys({ r: () => void release(current), Escape: () => (releasing.value = '') });
  useEffect(() => {
    document.title = 'Holds - Mayday';
  });
  if (value === null) return <main class="page" aria-busy="true" />;
  if (holds.length === 0)
    return (
      <main class="page empty">
        <h1>Nothing is held</h1>
        <p>
          A usage limit, a lost login, a lost network or a full disk is not a run's own fault. Runs that share
          it wait here together; one of them tries first when it is over.
        </p>
        <Accounts rows={value.accounts} />
      </main>
    );
  return (
    <main class="page">
      <header class="heading">
        <h1>Holds</h1>
        <p class="second">trouble that no run caused itself; the runs that share it wait together</p>
      </header>
      <ul class="sheet">
        {holds.map((hold) => (
          <li key={hold.id} class={hold === current ? 'focus' : ''} aria-current={hold === current}>
            <div class="line">
              <span class="state waiting">{hold.name}</span>
              <b>
                <Told text={hold.reason} />
              </b>
              <code class="third">{hold.id}</code>
            </div>
            <p>
              {hold.question === null ? (
                <Told text={hold.ends} />
              ) : (
                <>
                  ends with the answer to <RunLink id={hold.owner} />
                </>
              )}
              {hold.question === null && <Left until={ms(hold.tries_at)} />}
            </p>
            <p class="second">
              since {moment(ms(hold.since) ?? 0, now.value)} for {hold.binds} ·{' '}
              {hold.tries_first === null ? (
                <>
                  first met by <RunLink id={hold.owner} />
                </>
              ) : (
                <>
                  <RunLink id={hold.tries_first} /> tries first
                </>
              )}
            </p>
            {hold.spares !== null && <p class="second">{hold.spares}</p>}
            <p class="second run-links">
              {hold.waiting.length === 0 ? (
                'no run waits for it now'
              ) : (
                <>{counted(hold.waiting.length, 'run waits', 'runs wait')}: </>
              )}
              {hold.waiting.map((id) => (
                <RunLink key={id} id={id} />
              ))}
            </p>
            <div class="acts">
              {hold.question !== null && <AnswerLink question={hold.question} />}
              <button type="button" class="button" disabled={!mayRelease} onClick={() => void release(hold)}>
                {releasing.value === hold.id ? 'It may be met again. Release?' : 'Release now'}{' '}
                {hold === current && <kbd>r</kbd>}
              </button>
              <span class="second">
                <Told text={hold.release} />
              </span>
            </div>
          </li>
        ))}
      </ul>
      <Accounts rows={value.accounts} />
      <KeyHints
        hints={[
          ['j k', 'move'],
          ['r', 'release (asks once)'],
          ['?', 'all keys'],
        ]}
      />
    </main>
  );
}

/** Only where a run tries then: to nothing else a person can look forward. */
function Left({ until }: { readonly until: number | null }) {
  if (until === null || until <= now.value) return null;
  return <> (in {span(until - now.value)})</>;
}

/** Every account that was held once, and how it stands now. */
function Accounts({ rows }: { readonly rows: readonly AccountRow[] }) {
  if (rows.length === 0) return null;
  return (
    <section class="accounts">
      <h2>Accounts</h2>
      <dl class="figures">
        {rows.map(({ account, held, says, hint }) => (
          <div key={account}>
            <dt>
              {account}{' '}
              <span class="second">
                <Spoken text={hint} machine={['MAYDAY_ACCOUNT']} />
              </span>
            </dt>
            <dd class={held ? 'waiting' : ''}>
              <Told text={says} />
            </dd>
          </div>
        ))}
      </dl>
    </section>
  );
}

export function RunLink({ id }: { readonly id: string }) {
  const title = runs.value.get(id)?.title;
  return (
    <a class="run-link" href={`/runs/${id}`} onClick={follow}>
      {title !== undefined && `${title} `}
      <code>{id}</code>
    </a>
  );
}
