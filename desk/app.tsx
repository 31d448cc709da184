/** `App`: the frame of every view: name, views, who you are, whether the page is live. */
import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { agentNote, moneyNote } from '../src/core/view/agent-act.ts';
import { address, follow, go } from './navigation/address.ts';
import { Causes } from './views/causes.tsx';
import { AllKeys } from './navigation/hints.tsx';
import { Holds } from './views/holds.tsx';
import { Hosts } from './views/hosts.tsx';
import { Inbox } from './views/inbox.tsx';
import { useKeys } from './navigation/keys.ts';
import { Lessons } from './views/lessons.tsx';
import { Now } from './views/now.tsx';
import { Numbers } from './views/numbers.tsx';
import { Palette } from './navigation/palette.tsx';
import { RunPage } from './run/run-page.tsx';
import { useDocument } from './document.tsx';
import {
  countToDecide,
  link,
  loaded,
  lostAt,
  now,
  person,
  problem,
  runs,
  show,
  toDecide,
  todayUsd,
  waitingForMe,
} from './store.ts';
import { clockWithSeconds, ms, zoneName } from './time.ts';
import { VIEWS } from './navigation/views.ts';

/** A lesson is proposed once in a while, at the end of a rescue. */
const COUNT_AGAIN_MS = 60_000;

const LINK_WORDS = { live: 'live', connecting: 'connecting', lost: 'reconnecting', ended: 'logged out' };

const SHOWN = {
  now: Now,
  inbox: Inbox,
  causes: Causes,
  lessons: Lessons,
  holds: Holds,
  hosts: Hosts,
  numbers: Numbers,
};

export function App() {
  useKeys(Object.fromEntries(VIEWS.map(({ keys, href }) => [keys, () => go(href)])));
  const { view, name } = address.value;
  /** On a phone: the rare views stand above the others. */
  const more = useSignal(false);
  const isRare = VIEWS.some((one) => one.view === view && one.isRare);
  useEffect(() => {
    more.value = false;
  }, [view]);
  useEffect(() => {
    if (!loaded.value) return;
    const count = () => void (document.hidden || countToDecide().catch(show));
    count();
    const every = setInterval(count, COUNT_AGAIN_MS);
    return () => clearInterval(every);
  }, [loaded.value, view]);
  const Shown = view === 'run' ? null : SHOWN[view];
  const rehearsed = agentNote([...runs.value.values()].map(({ agent }) => agent));
  return (
    <>
      <header class="top">
        <a class="name" href="/" onClick={follow}>
          mayday
        </a>
        <nav aria-label="Views" class={more.value ? 'open' : ''}>
          {VIEWS.map((one) => (
            <View
              key={one.view}
              href={one.href}
              title={one.title}
              isRare={one.isRare}
              is={view === one.view || (view === 'run' && one.view === 'now')}
              count={one.view === 'inbox' ? waitingForMe.value : one.view === 'lessons' ? toDecide.value : 0}
              isQuiet={one.view === 'lessons'}
            />
          ))}
          <button
            type="button"
            class={isRare ? 'more-views current' : 'more-views'}
            aria-expanded={more.value}
            onClick={() => (more.value = !more.value)}
          >
            More
            <Quiet count={toDecide.value} />
          </button>
        </nav>
        {rehearsed !== '' && <p class="rehearsed">{rehearsed}</p>}
        <div class="aside">
          <span class="wide">
            {person.value.by}
            {person.value.role === 'viewer' && person.value.by !== '' && ', looking only'}
          </span>
          {loaded.value && <Today />}
          <span class={`link ${link.value}`}>{LINK_WORDS[link.value]}</span>
          <span>
            <b class="clock">{clockWithSeconds(now.value)}</b> {zoneName(now.value)}
          </span>
          <Palette />
        </div>
      </header>
      {link.value === 'lost' && (
        <p class="problem" role="status">
          <b>The desk does not answer.</b> The runs go on without it. This page tries again by itself;{' '}
          {lostAt.value === null
            ? 'is mayday serve still running?'
            : `what you see is from ${clockWithSeconds(lostAt.value)}, and an answer that you give is sent when the desk is back.`}
        </p>
      )}
      {problem.value !== null && (
        <p class="problem" role="alert">
          <b>{problem.value.title}.</b> {problem.value.do.join(' ')}{' '}
          {loaded.value && (
            <button type="button" class="button" onClick={() => (problem.value = null)}>
              Close
            </button>
          )}
        </p>
      )}
      {Shown === null ? <RunPage key={name} runId={name} /> : <Shown />}
      <svg class="unseen" aria-hidden="true">
        <pattern id="hatch" width="6" height="6" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">
          <rect class="hatch-ground" width="6" height="6" />
          <rect class="hatch-line" width="2.5" height="6" />
        </pattern>
      </svg>
      <AllKeys />
    </>
  );
}

/** What the runs that began today have cost, in the zone of the viewer. */
function Today() {
  const since = new Date(now.value).setHours(0, 0, 0, 0);
  const { value } = useDocument<{ runs: number; cost_usd: number }>(`/api/today?since=${since}`);
  // The rows of Now are newer than that answer.
  const lines = [...runs.value.values()].filter(({ created_at }) => (ms(created_at) ?? 0) >= since);
  const listed = lines.reduce((all, { cost_usd }) => all + cost_usd, 0);
  useEffect(() => {
    todayUsd.value = Math.max(value?.cost_usd ?? 0, listed);
  }, [value, listed]);
  if (value === null) return null;
  // The agent of a run that is not listed any more is not known here.
  const note = lines.length < value.runs ? '' : moneyNote(lines.map(({ agent }) => agent));
  return (
    <span class="wide" title={`the runs that began today: ${value.runs}`}>
      <b>${todayUsd.value.toFixed(2)}</b> today{note && `, ${note}`}
    </span>
  );
}

interface ViewShown {
  readonly href: string;
  readonly title: string;
  readonly isRare: boolean;
  readonly is: boolean;
  readonly count: number;
  /** What it counts keeps no run waiting. */
  readonly isQuiet: boolean;
}

function Quiet({ count }: { readonly count: number }) {
  if (count === 0) return null;
  return (
    <span class="quiet-count">
      {count}
      <span class="unseen"> to decide</span>
    </span>
  );
}

function View({ href, title, isRare, is, count, isQuiet }: ViewShown) {
  return (
    <a href={href} class={isRare ? 'rare' : ''} onClick={follow} aria-current={is ? 'page' : undefined}>
      {title}
      {isQuiet && <Quiet count={count} />}
      {!isQuiet && count > 0 && (
        <span class="count">
          {count}
          <span class="unseen"> open</span>
        </span>
      )}
    </a>
  );
}
