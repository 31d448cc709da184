/** `Hosts`: the machines that work: mode, load, last sign of life, their runs; a person drains one or lets it work again. */
import { useSignal } from '@preact/signals';
import { Fragment } from 'preact';
import { useEffect } from 'preact/hooks';
import type { HostJson, HostsDocument } from '../../src/report/host-json.ts';
import { say } from '../api.ts';
import { useDocument } from '../document.tsx';
import { useFocus } from '../navigation/focus.ts';
import { KeyHints } from '../navigation/hints.tsx';
import { RunLink } from './holds.tsx';
import { follow } from '../navigation/address.ts';
import { useKeys } from '../navigation/keys.ts';
import { shownAs } from '../marks.tsx';
import { isOwner, show } from '../store.ts';
import { span } from '../time.ts';

/** Hosts give a sign of life every few seconds, without a change of any run. */
const LOOK_MS = 5_000;
const GB = 1024 ** 3;

/** The state of a host in words of its own: a run works, a host takes runs. */
const MODES: Readonly<Record<string, string>> = {
  working: 'takes runs',
  draining: 'draining: takes no more runs',
  maintenance: 'maintenance: gives its runs away',
  lost: 'lost',
};

/** What a person may say to a host, and what it does then. */
const WORDS = [
  { mode: 'working', verb: 'Let it work', key: 'y', effect: 'it takes runs again' },
  { mode: 'draining', verb: 'Drain', key: 'x', effect: 'it finishes its runs and takes no more' },
  { mode: 'maintenance', verb: 'Maintenance', key: '', effect: 'it gives its runs to other hosts' },
] as const;
const COLOURS: Readonly<Record<string, string>> = {
  working: 'working',
  draining: 'waiting',
  lost: 'trouble',
};

export function Hosts() {
  const { value, again } = useDocument<HostsDocument>('/api/hosts', LOOK_MS);
  const asked = useSignal('');
  const hosts = value?.hosts ?? [];
  const current = useFocus(hosts, ({ id }) => id, '/hosts?host=');
  const maySpeak = isOwner.value;
  const set = async (host: HostJson | undefined, mode: string) => {
    if (host === undefined || !maySpeak || host.mode === mode) return;
    const word = `${host.id} ${mode}`;
    if (asked.value !== word) {
      asked.value = word;
      return;
    }
    asked.value = '';
    await say('POST', `/api/hosts/${host.id}/mode`, { mode }).catch(show);
    again();
  };
  useKeys({
    y: () => void set(current, 'working'),
    x: () => void set(current, 'draining'),
    Escape: () => (asked.value = ''),
  });
  useEffect(() => {
    document.title = 'Hosts - Mayday';
  });
  if (value === null) return <main class="page" aria-busy="true" />;
  if (!value.fleet) return <OnlyMachine document={value} />;
  return (
    <main class="page">
      <header class="heading">
        <h1>Hosts</h1>
        <p class="second">the machines on which agents work</p>
      </header>
      {hosts.length === 0 && (
        <div class="below">
          <p class="second">
            No host has worked for this store yet. <code>mayday work</code> makes one of a machine.
          </p>
        </div>
      )}
      <ul class="sheet">
        {hosts.map((host) => (
          <li key={host.id} class={host === current ? 'focus' : ''} aria-current={host === current}>
            <div class="line">
              <span class={`state ${COLOURS[host.lost ? 'lost' : host.mode] ?? 'quiet'}`}>
                {MODES[host.lost ? 'lost' : host.mode] ?? host.mode}
              </span>
              <b>{host.name}</b>
              {host.is_this && <span class="second">this host</span>}
              <code class="third">{host.id.slice(0, 8)}</code>
            </div>
            <p class="run-links">
              <b>
                {host.runs} of {host.concurrency}
              </b>{' '}
              runs
              {host.lost && ', which other hosts take over'}
              {host.run_ids.length > 0 && ': '}
              {host.run_ids.map((id) => (
                <RunLink key={id} id={id} />
              ))}
            </p>
            <p class="second">
              heard of {span(value.at - host.seen_at)} ago · labels: {host.labels.join(', ') || 'none'} ·
              agents: {host.agents.join(', ') || 'none'}
            </p>
            {host.is_this && <Left machine={value.machine} />}
            <div class="acts">
              {WORDS.filter(({ mode }) => mode !== host.mode).map(({ mode, verb, key, effect }) => (
                <button
                  key={mode}
                  type="button"
                  class="button"
                  disabled={!maySpeak}
                  title={effect}
                  onClick={() => void set(host, mode)}
                >
                  {asked.value === `${host.id} ${mode}` ? `${verb}: ${effect}. Sure?` : verb}{' '}
                  {host === current && key !== '' && <kbd>{key}</kbd>}
                </button>
              ))}
            </div>
          </li>
        ))}
      </ul>
      <KeyHints
        hints={[
          ['j k', 'move'],
          ['x', 'drain (asks once)'],
          ['y', 'let it work (asks once)'],
          ['?', 'all keys'],
        ]}
      />
    </main>
  );
}

function OnlyMachine({ document: { only, ...rest } }: { readonly document: HostsDocument }) {
  if (only === null) return null;
  return (
    <main class="page">
      <header class="heading">
        <h1>Hosts</h1>
        <p class="second">the machines on which agents work</p>
      </header>
      <ul class="sheet">
        <li>
          <div class="line">
            <span class="state working">{MODES['working']}</span>
            <b>{only.name}</b>
            <span class="second">this machine</span>
          </div>
          <p>
            {only.words.length === 0 && 'no run is under way'}
            {only.words.map(({ word, runs }, at) => (
              <Fragment key={word}>
                {at > 0 && ', '}
                <a href={word === 'needs_you' ? '/inbox' : `/?show=${word}`} onClick={follow}>
                  <b>{runs}</b> {word === 'needs_you' && runs > 1 ? 'need you' : shownAs(word).word}
                </a>
              </Fragment>
            ))}
          </p>
          {only.run_ids.length > 0 && (
            <p class="run-links">
              at work here:{' '}
              {only.run_ids.map((id) => (
                <RunLink key={id} id={id} />
              ))}
            </p>
          )}
          <Left machine={rest.machine} />
        </li>
      </ul>
      <div class="below">
        <h2>More machines</h2>
        <p class="second">
          Journal and checkpoints of the runs lie on this machine alone. Machines that share one PostgreSQL
          database take over each other's runs; here each can then be drained: it finishes its runs and takes
          no more. On each of them:
        </p>
        <pre tabIndex={0}>{'export MAYDAY_STORE=postgres://USER@HOST/DB\nmayday work'}</pre>
        <p class="second">The password belongs into ~/.pgpass or PGPASSWORD, not into a command line.</p>
      </div>
      <KeyHints
        hints={[
          ['g n', 'now'],
          ['?', 'all keys'],
        ]}
      />
    </main>
  );
}

/** What the machine has left. Amber: more work waits for a core than there are cores. */
function Left({ machine }: Pick<HostsDocument, 'machine'>) {
  const gb = (bytes: number) => `${(bytes / GB).toFixed(bytes < 10 * GB ? 1 : 0)} GB`;
  return (
    <p class="second">
      <span class={machine.strain === null ? '' : 'goal trouble'}>
        load {machine.load_1m.toFixed(1)} on {machine.cores} cores
        {machine.strain !== null && ` · ${machine.strain}`}
      </span>{' '}
      · memory {gb(machine.memory_free_bytes)} free of {gb(machine.memory_bytes)} · disk{' '}
      {gb(machine.disk_free_bytes)} free of {gb(machine.disk_bytes)}
    </p>
  );
}
