/** `LimitAhead`: what comes next for a run and when, in words and as a bar that fills. */
import { counted } from '../../src/core/text/counted.ts';
import type { LineDocument } from '../../src/http/line-document.ts';
import type { RunAct } from '../../src/http/live-acts.ts';
import { actNow } from '../store.ts';
import { clock, moment, ms, shortCount, span } from '../time.ts';

interface Nearest {
  readonly share: number;
  readonly text: string;
  /** What it means, where the words are short. */
  readonly title?: string;
}

function nearest(line: LineDocument, now: number): Nearest | null {
  const act = actNow(line);
  const silent = act === null ? [] : [silence(act, now)];
  const all = line.limits.flatMap((limit): Nearest[] => {
    if (!('until' in limit)) {
      const share = limit.of > 0 ? limit.used / limit.of : 1;
      const left = Math.max(limit.of - limit.used, 0);
      switch (limit.kind) {
        case 'working_time':
          return [{ share, text: `${span(left)} of work left` }];
        case 'cost_usd':
          return [{ share, text: `$${left.toFixed(2)} of $${limit.of} left` }];
        case 'tokens':
          return [{ share, text: `${shortCount(left)} tokens left` }];
        case 'turns':
          return [{ share, text: `${counted(left, 'turn')} left` }];
      }
    }
    const [from, until] = [ms(limit.from), ms(limit.until)];
    if (from === null || until === null) return [];
    const share = (now - from) / Math.max(until - from, 1);
    if (limit.kind === 'goes_on') return [{ share, text: goesOn(until, now) }];
    if (limit.kind === 'not_before')
      return until <= now ? [] : [{ share, text: `not before ${moment(until, now)}` }];
    return [{ share, text: `timeout in ${span(Math.max(until - now, 0))}`, title: TIMEOUT }];
  });
  return [...silent, ...all].toSorted((a, b) => b.share - a.share)[0] ?? null;
}

const TIMEOUT = 'an attempt that takes longer is stopped and resumed';
const STALL = 'an agent that stays silent so long is stopped and resumed';

function silence({ at, limit_ms }: RunAct, now: number): Nearest {
  // In whole seconds of its age, as in the sentence beside it: one row has one clock.
  const aged = Math.round(Math.max(0, now - at) / 1_000) * 1_000;
  const left = Math.max(limit_ms - aged, 0);
  return { share: aged / limit_ms, text: left === 0 ? 'stall now' : `stall in ${span(left)}`, title: STALL };
}

function goesOn(until: number, now: number): string {
  if (until <= now) return 'another run tries first';
  return until - now < NEAR_MS ? `goes on in ${span(until - now)}` : `goes on at ${clock(until, now)}`;
}

/** Where no time is known. */
function afterwards({ run_id, word, waits_for }: LineDocument) {
  if (word === 'preparing') return <span>its agent starts</span>;
  if (word !== 'waiting' || waits_for === null || waits_for === run_id) return null;
  return (
    <span>
      the answer to <code>{waits_for}</code>
    </span>
  );
}

const HOT = 0.75;
/** Further away the time of day says more than a count of minutes. */
const NEAR_MS = 60 * 60_000;

export function LimitAhead({ line, now }: { readonly line: LineDocument; readonly now: number }) {
  const limit = nearest(line, now);
  if (limit === null) return <div class="limit">{afterwards(line)}</div>;
  const share = Math.min(Math.max(limit.share, 0), 1);
  return (
    <div class="limit">
      <span title={limit.title}>{limit.text}</span>
      <svg class={share >= HOT ? 'bar hot' : 'bar'} width="100%" height="4" aria-hidden="true">
        <rect class="all" width="100%" height="4" />
        <rect class="used" width={`${share * 100}%`} height="4" />
      </svg>
    </div>
  );
}
