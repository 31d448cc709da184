/** `subagentHang`: notices a subagent that has been silent for too long while its parent waits. */
import { isDelegate } from '../../call-kind.ts';
import { type Detector, quote, raise } from '../../detector.ts';
import { silentSince } from '../../tick.ts';

interface Errand {
  readonly id: string;
  readonly what: string;
  readonly heardAt: number;
  readonly raised: boolean;
}

/** The most subagents remembered at once; no agent starts that many. */
const ERRANDS = 32;

export const subagentHang: Detector<readonly Errand[]> = {
  name: 'subagent hang',
  init: [],
  next: (errands, { entry, life, step, policy }) => {
    switch (entry.type) {
      case 'tool_call': {
        const heard = hear(errands, entry.parentId, entry.at);
        if (!isDelegate(entry.tool)) return [heard, []];
        const errand: Errand = { id: entry.id, what: quote(entry.input), heardAt: entry.at, raised: false };
        return [[...heard.slice(1 - ERRANDS), errand], []];
      }
      case 'tool_result':
        return [hear(errands, entry.parentId, entry.at).filter((errand) => errand.id !== entry.id), []];
      case 'tick': {
        // The parent waits, so output that streams meanwhile is most likely the subagent's.
        const since = ({ heardAt }: Errand) =>
          silentSince(entry, heardAt, entry.partialAt ?? -1, life.socketsAt);
        const lost = errands.find(
          (errand) => !errand.raised && entry.at - since(errand) >= policy.subagent_silence_ms,
        );
        if (lost === undefined) return [errands, []];
        const next = errands.map((errand) => (errand === lost ? { ...errand, raised: true } : errand));
        return raise(next, entry, step, {
          type: 'subagent_hang',
          severity: 'critical',
          reason: `a subagent has been silent for ${Math.round((entry.at - since(lost)) / 1000)} s: ${lost.what}`,
          sinceAt: lost.heardAt,
          evidence: [lost.what],
          confidence: 0.75,
          suggestedAction: 'stop the agent and resume it with what the subagent had found so far',
          disproof: 'a call or a result of the subagent, a piece of a message, a byte on a socket',
        });
      }
      default:
        return [errands, []];
    }
  },
};

function hear(errands: readonly Errand[], parentId: string | undefined, at: number): readonly Errand[] {
  if (parentId === undefined || errands.length === 0) return errands;
  return errands.map((errand) =>
    errand.id === parentId ? { ...errand, heardAt: at, raised: false } : errand,
  );
}
