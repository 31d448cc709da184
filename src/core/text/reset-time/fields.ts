/** `fieldResets`, `headerResets`: reset times in fields: JSON bodies, HTTP headers, protobuf text. */
import { wordList } from '../word-list.ts';
import { type ResetTime, type Clock, readInstant } from './instant.ts';

/** Compared without case, `_` and `-`. */
const RESET_FIELDS: ReadonlySet<string> = new Set(
  wordList(`
    resetsat resetat resetson resettime resettimestamp quotaresettimestamp quotaresetdelay ratelimitresetsat
    resetsinseconds resetinseconds resetafterseconds secondsuntilreset resetsinms`),
);
const RETRY_FIELDS: ReadonlySet<string> = new Set(
  wordList('retryafter retryafterseconds retryafterms retrydelay retryat'),
);
/** The value is looked at, not consumed: it may hold the next field. Names start at a word, so the scan is linear. */
const FIELD =
  /(?<![A-Za-z0-9_-])([A-Za-z][A-Za-z0-9_-]{3,60})\\?["']?\s{0,3}[:=]\s{0,3}\\?["']?(?=([^"'\\\n\r{}]{1,48}))/g;
const PROTOBUF_DELAY = /retry_delay\s{0,3}\{\s{0,8}seconds\s{0,3}:\s{0,3}(\d{1,9})/gi;
/** anthropic-ratelimit-tokens-reset, x-ratelimit-reset, x-ratelimit-reset-requests, ratelimit-reset... */
const RATE_HEADER = /^(?:anthropic-|x-)?rate-?limit-(?:[a-z-]{0,40}-)?reset(?:-[a-z-]{1,40})?$/;
/** Many fields in one text: the last ones are about the last limit. */
const MAX_FIELDS = 20_000;

export function fieldResets(text: string, clock: Clock): readonly ResetTime[] {
  let reset: ResetTime | null = null;
  let retry: ResetTime | null = null;
  for (const [source, name, value] of fields(text)) {
    const key = name.replaceAll(/[_-]/g, '').toLowerCase();
    if (!RESET_FIELDS.has(key) && !RETRY_FIELDS.has(key)) continue;
    // A bare small value counts seconds, unless the name says otherwise.
    const at = readInstant(value, clock, key.endsWith('ms') ? 1 : 1000);
    if (at === null) continue;
    if (RESET_FIELDS.has(key)) reset = { at, source };
    else retry = { at, source };
  }
  const delay = [...text.matchAll(PROTOBUF_DELAY)].at(-1);
  if (delay !== undefined) retry = { at: clock.nowMs + Number(delay[1]) * 1000, source: delay[0] };
  return [reset, retry].filter((found) => found !== null);
}

/** Headers come for every limit, also for those that still have room: only the exhausted ones count, if we know. */
export function headerResets(text: string, clock: Clock): readonly ResetTime[] {
  const resets: { readonly name: string; readonly found: ResetTime }[] = [];
  const remaining = new Map<string, number>();
  for (const [source, rawName, value] of fields(text)) {
    const name = rawName.toLowerCase();
    if (/rate-?limit/.test(name) && name.includes('remaining'))
      remaining.set(name.replace('remaining', ''), Number.parseFloat(value));
    if (!RATE_HEADER.test(name)) continue;
    const at = readInstant(value, clock, 1000);
    if (at !== null) resets.push({ name: name.replace('reset', ''), found: { at, source } });
  }
  const exhausted = resets.filter(({ name }) => remaining.get(name) === 0);
  const unknown = resets.filter(({ name }) => !remaining.has(name));
  return (exhausted.length > 0 ? exhausted : unknown).map(({ found }) => found);
}

function* fields(text: string): Generator<readonly [source: string, name: string, value: string]> {
  let count = 0;
  for (const match of text.matchAll(FIELD)) {
    if (++count > MAX_FIELDS) return;
    const value = match[2] as string;
    yield [`${match[0]}${value}`.trimEnd(), match[1] as string, value];
  }
}
