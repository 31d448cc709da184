/** `falseSuccess`: notices that the agent says it is done although something observable contradicts it. */
import type { Signal } from '../../../vocabulary/signal.ts';
import type { TranscriptEntry } from '../../../vocabulary/transcript.ts';
import { type Detector, quote } from '../../detector.ts';
import { changes } from '../../staleness.ts';
import type { AgentTurn } from '../../agent-turn.ts';

interface Work {
  readonly changed: boolean;
  /** The last test run, if it failed. */
  readonly failedTest: AgentTurn | null;
  readonly gatesFailing: boolean | null;
}

type Result = Extract<TranscriptEntry, { type: 'result' }>;

export const falseSuccess: Detector<Work> = {
  name: 'false success',
  init: { changed: false, failedTest: null, gatesFailing: null },
  next: (work, { entry, turn, step }) => {
    if (entry.type === 'tick')
      return [{ ...work, gatesFailing: entry.gatesFailing ?? work.gatesFailing }, []];
    if (entry.type === 'progress') return [{ ...work, changed: true }, []];
    if (turn !== null) {
      const changed = work.changed || changes(turn);
      if (turn.kind !== 'test') return [{ ...work, changed }, []];
      return [{ ...work, changed, failedTest: turn.failed ? turn : null }, []];
    }
    if (entry.type !== 'result' || entry.isError) return [work, []];
    const doubts = doubtsAbout(entry, work);
    return [work, doubts.length === 0 ? [] : [signal(entry, doubts, step)]];
  },
};

interface Doubt {
  readonly text: string;
  readonly sure: boolean;
}

function doubtsAbout(result: Result, work: Work): readonly Doubt[] {
  const doubts: Doubt[] = [];
  if (work.gatesFailing === true) doubts.push({ text: 'the gates still fail', sure: true });
  if (result.deniedTools.length > 0 && !work.changed) {
    doubts.push({
      text: `nothing was changed; denied: ${result.deniedTools.slice(0, 5).join(', ')}`,
      sure: true,
    });
  }
  if (result.usage !== undefined && result.usage.outputTokens === 0) {
    doubts.push({ text: 'the model produced no tokens', sure: true });
  }
  if (work.failedTest !== null) {
    doubts.push({ text: `the last test run failed: ${work.failedTest.errorLine}`, sure: false });
  }
  return doubts;
}

function signal(result: Result, doubts: readonly Doubt[], step: number): Signal {
  const sure = doubts.some((doubt) => doubt.sure);
  return {
    type: 'false_success',
    severity: sure ? 'critical' : 'warning',
    reason: `says it is done, but ${quote((doubts[0] as Doubt).text)}`,
    sinceAt: result.at,
    at: result.at,
    atStep: step,
    evidence: [...doubts.map((doubt) => quote(doubt.text)), quote(result.text)],
    confidence: sure ? 0.9 : 0.6,
    suggestedAction: 'run the checks; resume the agent with what they say',
    disproof: 'every check passes',
  };
}
