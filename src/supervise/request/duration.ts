/** `parseDuration`: turns a text like `90s`, `20m`, `1h30m` or `2d` into milliseconds. */
import { usageError } from '../../platform/mayday-error.ts';

const UNITS: Readonly<Record<string, number>> = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 };
/** A year: longer than any run waits. */
const MAX_MS = 366 * 86_400_000;

export function parseDuration(text: string, what: string): number {
  const parts = [...text.trim().matchAll(/(\d+(?:\.\d+)?)(ms|s|m|h|d)/g)];
  const whole = parts.map(([part]) => part).join('') === text.trim() && parts.length > 0;
  const ms = parts.reduce((sum, [, amount, unit]) => sum + Number(amount) * (UNITS[unit ?? ''] ?? 0), 0);
  if (!whole || ms <= 0 || ms > MAX_MS) {
    throw usageError('WRONG_DURATION', `${what} ${JSON.stringify(text.slice(0, 40))} is not a duration`, [
      ['do', 'write it like 90s, 20m, 2h or 1h30m, at most a year'],
    ]);
  }
  return Math.round(ms);
}
