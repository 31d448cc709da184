import { describe, expect, it } from 'vitest';
import { exactToMs, parseResetTime } from '../../../src/core/text/reset-time/parse-reset-time.ts';
import { processorMs } from '../../processor-time.ts';

/** Thursday, 8 October 2026, 12:00 in UTC: 14:00 in Zurich, 08:00 in New York, 17:30 in Calcutta. */
const NOW = Date.UTC(2026, 9, 8, 12, 0, 0);
const ZURICH = 'Europe/Zurich';

type Row = readonly [
  text: string,
  expected: string | null,
  now?: string | undefined,
  zone?: string | undefined,
];

function check(text: string, expected: string | null, now?: string, zone?: string): void {
  const nowMs = now === undefined ? NOW : Date.parse(now);
  const found = parseResetTime(text, nowMs, zone ?? ZURICH);
  expect(found === null ? null : new Date(found.at).toISOString().replace('.000Z', 'Z')).toBe(expected);
  if (found !== null) expect(text).toContain(found.source);
}

function rows(table: readonly Row[]): void {
  for (const [text, expected, now, zone] of table)
    it(`${JSON.stringify(text)} is ${expected}${now === undefined ? '' : ` at ${now}`}`, () =>
      check(text, expected, now, zone));
}

describe('fields say exactly when a limit ends', () => {
  rows([
    ['{"error":{"type":"usage_limit_reached","resets_at":1791471600}}', '2026-10-08T15:00:00Z'],
    ['{"resets_at": "2026-10-08T15:00:00Z"}', '2026-10-08T15:00:00Z'],
    ['"resets_in_seconds": 5400', '2026-10-08T13:30:00Z'],
    ['{\\"resets_in_seconds\\":120}', '2026-10-08T12:02:00Z'],
    [
      'rate_limit_info: {"status":"rejected","resetsAt":1791471600,"rateLimitType":"five_hour"}',
      '2026-10-08T15:00:00Z',
    ],
    ['"quotaResetDelay": "4h12m33s"', '2026-10-08T16:12:33Z'],
    ['"retryDelay": "51.5s"', '2026-10-08T12:00:51.500Z'],
    ['Retry-After: 3600', '2026-10-08T13:00:00Z'],
    ['retry-after: Thu, 08 Oct 2026 15:30:00 GMT', '2026-10-08T15:30:00Z'],
    ['< retry-after: 17\n< x-ratelimit-reset-tokens: 6m0s', '2026-10-08T12:00:17Z'],
    ['retry-after: 30, resets_at: 1791471600', '2026-10-08T15:00:00Z'],
  ]);
});

describe('a length of time is no time of day, in any script', () => {
  rows([
    ['5시간 후에 다시 시도하세요', '2026-10-08T17:00:00Z'],
    ['5時間後に再試行してください', '2026-10-08T17:00:00Z'],
    ['请在5小时后重试', '2026-10-08T17:00:00Z'],
  ]);
});

describe('vendor headers count when nothing says it better', () => {
  rows([
    ['anthropic-ratelimit-requests-reset: 2026-10-08T12:01:00Z', '2026-10-08T12:01:00Z'],
    ['anthropic-ratelimit-unified-reset: 1791471600', '2026-10-08T15:00:00Z'],
    // One window of several, told whether it is exhausted or not: no answer.
    ['anthropic-ratelimit-unified-5h-reset: 1791471600', null],
    ['x-ratelimit-reset-requests: 1s\nx-ratelimit-reset-tokens: 6m0s', '2026-10-08T12:06:00Z'],
    ['x-ratelimit-reset: 1791471600', '2026-10-08T15:00:00Z'],
    [
      'x-ratelimit-remaining-requests: 9999\nx-ratelimit-reset-requests: 8h0m0s\nx-ratelimit-remaining-tokens: 0\nx-ratelimit-reset-tokens: 2m30s',
      '2026-10-08T12:02:30Z',
    ],
  ]);
});

describe('durations', () => {
  rows([
    ['You have hit your limit. Try again in 5 days 22 hours 11 minutes.', '2026-10-14T10:11:00Z'],
    ['Please try again in 1.5s. Visit the dashboard', '2026-10-08T12:00:01.500Z'],
    ['Rate limit reached, please wait 2 hours and 5 minutes', '2026-10-08T14:05:00Z'],
    ['try again in an hour', '2026-10-08T13:00:00Z'],
    ['Limit erreicht. Bitte versuchen Sie es in 2 Stunden und 15 Minuten erneut.', '2026-10-08T14:15:00Z'],
    ['请在 2小时 后重试', '2026-10-08T14:00:00Z'],
  ]);
});

describe('times of day, with and without their zone', () => {
  rows([
    ["You've hit your limit · resets 5:30am (Asia/Calcutta)", '2026-10-09T00:00:00Z'],
    ['resets 3pm', '2026-10-08T13:00:00Z'],
    ['resets 3pm', '2026-10-08T19:00:00Z', undefined, 'America/New_York'],
    ['try again at 3:15\u202fPM', '2026-10-08T13:15:00Z'],
    ['resets at 15:30 UTC', '2026-10-08T15:30:00Z'],
    ['resets 9:00 a.m. PDT', '2026-10-08T16:00:00Z'],
    ['resets at midnight (America/Los_Angeles)', '2026-10-09T07:00:00Z'],
    ['Das Limit wird um 17:00 Uhr zurückgesetzt', '2026-10-08T15:00:00Z'],
    ['午後5時にリセットされます', '2026-10-08T08:00:00Z', '2026-10-08T01:00:00Z', 'Asia/Tokyo'],
    ['resets 5am (Nowhere/Atlantis)', '2026-10-09T03:00:00Z'],
  ]);
});

describe('dates, in several languages', () => {
  rows([
    ['resets Oct 9, 5pm (Europe/Zurich)', '2026-10-09T15:00:00Z'],
    ['try again at Oct 9th, 2026 5:04 PM.', '2026-10-09T15:04:00Z'],
    ['Your limit resets on 2026-10-09 07:30', '2026-10-09T05:30:00Z'],
    ['resets Monday 9am', '2026-10-12T07:00:00Z'],
    ['resets tomorrow at 8:00', '2026-10-09T06:00:00Z'],
    ['Limit wird am 9. Oktober 2026 um 17:00 Uhr zurückgesetzt', '2026-10-09T15:00:00Z'],
    ['10月9日 17:00 にリセットされます', '2026-10-09T08:00:00Z', undefined, 'Asia/Tokyo'],
    ['resets Jan 2, 9am (UTC)', '2027-01-02T09:00:00Z', '2026-12-30T00:00:00Z'],
  ]);
});

describe('an epoch behind a bar', () => {
  rows([
    ['Claude AI usage limit reached|1791471600', '2026-10-08T15:00:00Z'],
    ['usage limit reached|1600000000', null],
  ]);
});

describe('wrong, past and ambiguous times', () => {
  rows([
    // Read some minutes late: it has just ended, not "tomorrow".
    ['resets 2pm (Europe/Zurich)', '2026-10-08T12:00:00Z', '2026-10-08T12:04:00Z'],
    ['resets 2pm (Europe/Zurich)', '2026-10-09T12:00:00Z', '2026-10-08T12:40:00Z'],
    ['"resets_at": 1600000000', null],
    ['"resets_at": 99999999999', null],
    ['resets Oct 1, 2026 5pm', null],
    ['resets Feb 30, 5pm', null],
    ['resets 13pm', null],
    ['', null],
    ['started at 15:30, finished at 16:00', null],
    ['2026-10-08T15:00:00Z ERROR limit reached, retry later', null],
    ['try again in 3 months', null],
    // Both halves of the day are possible: the next one.
    ['resets at 5', '2026-10-08T15:00:00Z'],
    ['resets at 5', '2026-10-08T03:00:00Z', '2026-10-07T23:00:00Z'],
    // 10/11 is 10 November or October 11: the nearer.
    ['resets 10/11/2026 9am (UTC)', '2026-10-11T09:00:00Z'],
    // The later of two statements: waking early wastes the resume.
    ['Retry-After: 2\nYou have hit your limit · resets 3pm (Europe/Zurich)', '2026-10-08T13:00:00Z'],
    // The last line is about the last limit.
    ['try again in 10 minutes\ntry again in 2 minutes', '2026-10-08T12:02:00Z'],
  ]);
});

describe('daylight saving', () => {
  rows([
    // Zurich goes back at 03:00 on 25 October: 02:30 happens twice, the second is UTC 01:30.
    ['resets 2:30am (Europe/Zurich)', '2026-10-25T01:30:00Z', '2026-10-24T20:00:00Z'],
    ['resets 5am (Europe/Zurich)', '2026-10-25T04:00:00Z', '2026-10-24T20:00:00Z'],
    // New York goes forward at 02:00 on 8 March: 02:30 does not exist, clocks show 03:30.
    ['resets 2:30am (America/New_York)', '2026-03-08T07:30:00Z', '2026-03-08T01:00:00Z'],
    ['resets in 24 hours', '2026-10-25T20:00:00Z', '2026-10-24T20:00:00Z'],
  ]);
});

it('hostile text is read in linear time', () => {
  const read = (part: string) => parseResetTime(part.repeat(200_000 / part.length), NOW, ZURICH);
  for (const part of ['retry ', 'a', '1', 'resets 1', '"', 'x-', '(', '1 d', '10月', '5:', 'reset=', 'at 1/'])
    expect(
      processorMs(() => read(part)),
      part,
    ).toBeLessThan(1_000);
});

describe('how exact a reset is', () => {
  const exact = (text: string) => {
    const found = parseResetTime(text, NOW, ZURICH);
    return found === null ? null : exactToMs(found);
  };

  it.each([
    'retry-after: 40',
    '{"resets_at": 1791460840}',
    'Claude AI usage limit reached|1791460840',
    'limit hit, try again in 40 seconds',
    'resets at 2026-10-08T12:00:40Z',
  ])('to the second: %s', (text) => expect(exact(text)).toBe(5_000));

  it.each([
    'limit hit, try again in 5 minutes',
    'You hit your usage limit. Upgrade, or try again at 2:08 PM.',
  ])('to the minute: %s', (text) => expect(exact(text)).toBe(60_000));

  it.each(['limit reached, resets 3pm', 'resets: 5:30pm (Europe/Zurich)', 'try again in 2 hours'])(
    'nobody knows: %s',
    (text) => expect(exact(text)).toBeUndefined(),
  );
});
