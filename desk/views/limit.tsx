/** `LimitAhead`: the limit that the run meets next, in words and as a bar that fills. */
import { minutes } from '../../src/core/text/minutes.ts';
import type { LineDocument } from '../../src/http/line-document.ts';
import type { RunAct } from '../../src/http/live-acts.ts';
import { actNow } from '../store.ts';
import { clock, moment, ms, shortCount, span } from '../time.ts';

interface Nearest {
  readonly share: number;
  readonly text: string;
}

function nearest(line: LineDocument, now: number): Nearest | null {
  const act = actNow(line);
  const silent = act === null ? [] : [{ share: (now - act.at) / act.limit_ms, text: silence(act, now) }];
  const all = line.limits.flatMap((limit): Nearest[] => {
    if (!('until' in limit)) {
      const share = limit.of > 0 ? limit.used / limit.of : 1;
      switch (limit.kind) {
        case 'working_time':
          return [{ share, text: `${span(limit.used)} of ${span(limit.of)} work` }];
        case 'cost_usd':
          return [{ share, text: `$${limit.used.toFixed(2)} of $${limit.of}` }];
        case 'tokens':
          return [{ share, text: `${shortCount(limit.used)} of ${shortCount(limit.of)} tokens` }];
        case 'turns':
          return [{ share, text: `${limit.used} of ${limit.of} turns` }];
      }
    }
    const [from, until] = [ms(limit.from), ms(limit.until)];
    if (from === null || until === null) return [];
    const share = (now - from) / Math.max(until - from, 1);
    if (limit.kind === 'goes_on') return [{ share, text: goesOn(until, now) }];
    if (limit.kind === 'not_before')
      return until <= now ? [] : [{ share, text: `not before ${moment(until, now)}` }];
    return [{ share, text: `attempt ${span(now - from)} of ${span(until - from)}` }];
  });
  return [...silent, ...all].toSorted((a, b) => b.share - a.share)[0] ?? null;
}

/** `silent 71 of 90 s`. */
function silence({ at, limit_ms }: RunAct, now: number): string {
  // Rounded as in the sentence beside it: one row has one clock.
  const [used, of] = [minutes(Math.max(0, now - at)), minutes(limit_ms)];
  const unit = of.replace(/^\d+/, '');
  return `silent ${used.endsWith(unit) ? used.slice(0, -unit.length) : used} of ${of}`;
}

function goesOn(until: number, now: number): string {
  if (until <= now) return 'another run tries first';
  return until - now < NEAR_MS ? `goes on in ${span(until - now)}` : `goes on at ${clock(until, now)}`;
}

const HOT = 0.75;
/** Further away the time of day says more than a count of minutes. */
const NEAR_MS = 60 * 60_000;

export function LimitAhead({ line, now }: { readonly line: LineDocument; readonly now: number }) {
  const limit = nearest(line, now);
  if (limit === null) return <div class="limit" />;
  const share = Math.min(Math.max(limit.share, 0), 1);
  return (
    <div class="limit">
      <span>{limit.text}</span>
      <svg class={share >= HOT ? 'bar hot' : 'bar'} width="100%" height="4" aria-hidden="true">
        <rect class="all" width="100%" height="4" />
        <rect class="used" width={`${share * 100}%`} height="4" />
      </svg>
    </div>
  );
}
