/** `rescueTimes`, `took`: how long a rescue took, from noticed to resumed (MTTU) and to the proof that the run gets on. */
import { minutes } from '../text/minutes.ts';

interface RescueMoments {
  readonly detected: number | null;
  readonly resumed: number | null;
  readonly verified: number | null;
}

export function rescueTimes({ detected, resumed, verified }: RescueMoments): readonly string[] {
  if (detected === null) return [];
  return [
    ...(resumed === null ? [] : [`resumed in ${took(resumed - detected)}`]),
    ...(verified === null ? [] : [`progress again in ${took(verified - detected)}`]),
  ];
}

/** A tenth of a second counts below a minute: 3.4 s and 3.9 s are not both 3 s. */
export function took(ms: number): string {
  const seconds = Math.max(0, ms) / 1_000;
  return seconds < 59.95 ? `${seconds.toFixed(1)} s` : minutes(ms);
}
