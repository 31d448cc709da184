/** `nearLimits`: the limits that a run comes near, in words. `limitTexts`: with when a run that waits goes on. */
import type { LimitAhead } from '../../core/view/run-line.ts';
import type { LineDocument } from '../../http/line-document.ts';
import { clockTime, duration } from './time.ts';

/** A limit is named from this share on. */
const NEAR = 0.75;

export function nearLimits(limits: readonly LimitAhead[], now: number): string[] {
  return limits.flatMap((limit) => {
    if ('until' in limit) {
      const { kind, from, until } = limit;
      if (kind !== 'attempt_time' || now - from < (until - from) * NEAR) return [];
      return [`this attempt may take ${duration(until - now)} more`];
    }
    if (limit.used < limit.of * NEAR) return [];
    switch (limit.kind) {
      case 'working_time':
        return [`${duration(limit.used)} of ${duration(limit.of)} work`];
      case 'cost_usd':
        return [
          `$${limit.used.toFixed(2)} of $${Number.isInteger(limit.of) ? limit.of : limit.of.toFixed(2)}`,
        ];
      default:
        return [`${limit.used} of ${limit.of} ${limit.kind}`];
    }
  });
}

export function limitTexts({ limits, word }: LineDocument, now: number): string[] {
  const ahead = limits.map((limit) =>
    'until' in limit
      ? { ...limit, from: Date.parse(limit.from ?? ''), until: Date.parse(limit.until ?? '') }
      : limit,
  );
  const goesOn = ahead.flatMap((limit) => {
    if (!('until' in limit)) return [];
    const { kind, until } = limit;
    if (kind === 'goes_on')
      return until <= now ? 'another run tries first' : `goes on at ${clockTime(until)}`;
    return kind === 'not_before' && until > now ? `not before ${clockTime(until)}` : [];
  });
  return [...goesOn, ...(word === 'needs_you' ? [] : nearLimits(ahead, now))];
}
