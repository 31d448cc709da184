/** `retestOf`: why a failing test may pass when it is run again, and what to do if it does not; empty where nothing tells so. */
import { comparisonAt } from '../text/comparison.ts';
import type { CauseFacts } from './facts.ts';
import type { LineFinding } from './finding.ts';
import type { Line } from './lines/read-lines.ts';

const WAITS = /\beventually\b|\bwait(?:ed|ing)? (?:for|until)\b|\btimed? ?out\b|\bwithin \d|\bin time\b/i;
const ASKS = /\b(?:response|request|status code|connect(?:ion)?|fetch|socket|HTTP|download)\b/i;
/** `example.org` and this machine are no service that may change. */
const OUTSIDE =
  /^(?!(?:localhost|127\.|0\.0|10\.|192\.168|port ))(?!.*(?:example|\.(?:test|local|invalid))\b).+\.[a-z]{2,}/i;
const RECORD = /\[(?:debug|info|notice|warn(?:ing)?|error)\]|\b(?:DEBUG|INFO|WARN(?:ING)?|ERROR)\b/;

export function retestOf(cause: LineFinding | null, facts: CauseFacts, lines: readonly Line[]): string {
  if (cause === null) return '';
  if (WAITS.test(facts.message))
    return 'waits for something that may come late. If it fails again, lengthen the wait, or find what keeps it from coming.';
  if (ASKS.test(facts.message) && OUTSIDE.test(facts.host))
    return `asks ${facts.host}, whose answer may differ. If it fails again, compare that with what it expects, or stub the service.`;
  const compared = comparisonAt(lines, cause.at);
  if (compared !== null && /^(?:""|'')$/.test(compared.expected) && RECORD.test(compared.actual))
    return 'may have caught what another test wrote. If it fails again, find what writes it, or let it look at its own records only.';
  return '';
}
