/** `App`: the frame of every view: name, views, who you are, whether the page is live. */
import { address, follow, go } from './address.ts';
import { AllKeys } from './hints.tsx';
import { Inbox } from './inbox.tsx';
import { useKeys } from './keys.ts';
import { Now } from './now.tsx';
import { RunPage } from './run-page.tsx';
import { link, now, person, problem, waitingForMe } from './store.ts';
import { clockWithSeconds } from './time.ts';

export function App() {
  useKeys({ 'g n': () => go('/'), 'g i': () => go('/inbox') });
  const { view, name } = address.value;
  return (
    <>
      <header class="top">
        <a class="name" href="/" onClick={follow}>
          mayday
        </a>
        <nav aria-label="Views">
          <View href="/" title="Now" is={view === 'now'} />
          <View href="/inbox" title="Inbox" is={view === 'inbox'} count={waitingForMe.value} />
        </nav>
        <div class="aside">
          <span class="wide">
            {person.value.by}
            {person.value.role === 'viewer' && person.value.by !== '' && ', looking only'}
          </span>
          <span class={`link ${link.value}`}>{link.value}</span>
          <b class="clock">{clockWithSeconds(now.value)}</b>
        </div>
      </header>
      {problem.value !== null && (
        <p class="problem" role="alert">
          <b>{problem.value.title}.</b> {problem.value.do.join(' ')}
        </p>
      )}
      {view === 'inbox' ? <Inbox /> : view === 'run' ? <RunPage key={name} runId={name} /> : <Now />}
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

interface ViewShown {
  readonly href: string;
  readonly title: string;
  readonly is: boolean;
  readonly count?: number;
}

function View({ href, title, is, count = 0 }: ViewShown) {
  return (
    <a href={href} onClick={follow} aria-current={is ? 'page' : undefined}>
      {title}
      {count > 0 && (
        <span class="count">
          {count}
          <span class="unseen"> open</span>
        </span>
      )}
    </a>
  );
}
