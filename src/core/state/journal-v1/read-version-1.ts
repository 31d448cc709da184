/** `readVersion1`: turns an event of a version-1 journal into today's form. Frozen: such journals are kept for ever. */
import type { Diagnosis } from '../../vocabulary/diagnosis.ts';
import type { RunEvent } from '../../vocabulary/events/event.ts';
import { blocker, isBlockerCode } from '../../vocabulary/blockers/blocker.ts';
import type { Blocker, BlockerCode, Finding, Said } from '../../vocabulary/blockers/blocker-rule.ts';
import { blockerEvidence } from '../../vocabulary/blockers/blocker-evidence.ts';

/** Then an observed cause was known by the end of its fingerprint. */
const OBSERVED = ':observed';

export function readVersion1(event: RunEvent): RunEvent {
  switch (event.type) {
    case 'blocked':
      return { ...event, blockers: event.blockers.map((one) => readBlocker(one as unknown as TextBlocker)) };
    case 'delivery_blocked':
      return { ...event, blocker: readBlocker(event.blocker as unknown as TextBlocker) };
    case 'incident_diagnosed':
      return { ...event, diagnosis: withOrigin(event.diagnosis) };
    case 'attempt_examined': {
      const { diagnosis } = event.examination;
      return diagnosis === null
        ? event
        : { ...event, examination: { ...event.examination, diagnosis: withOrigin(diagnosis) } };
    }
    case 'question_answered':
      return { ...event, version: 1 };
    default:
      return event;
  }
}

function withOrigin(diagnosis: Diagnosis): Diagnosis {
  return { ...diagnosis, origin: diagnosis.fingerprint.endsWith(OBSERVED) ? 'observed' : 'read' };
}

type TextBlocker = Pick<Blocker, 'code' | 'stage' | 'returnsTo' | 'resolutions'> & {
  readonly evidence: readonly string[];
};

function readBlocker({ code, stage, returnsTo, resolutions, evidence }: TextBlocker): Blocker {
  const said: Said = { source: 'said', said: evidence };
  const place = { code, stage, returnsTo, resolutions };
  const finding = isBlockerCode(code)
    ? findingOf(code, evidence, resolutions.includes('expand_scope'))
    : null;
  if (finding === null) return { ...place, ...said };
  const read = { ...blocker(code as BlockerCode, finding as Said), ...place } as Blocker;
  return JSON.stringify(blockerEvidence(read)) === JSON.stringify(evidence) ? read : { ...place, ...said };
}

/** Null: nothing that follows depends on more than the words. */
function findingOf(code: BlockerCode, evidence: readonly string[], canExpand: boolean): Finding | null {
  const [first = '', second = ''] = evidence;
  const policy = /^policy ([^:]*): ([^]*)$/.exec(first);
  const byPolicy = { source: 'policy', rule: policy?.[1] ?? '', says: policy?.[2] ?? '' } as const;
  switch (code) {
    case 'scope_exceeded':
      return { source: canExpand ? 'change' : 'submodule', paths: evidence };
    case 'scope_stale':
      return { source: 'base', gone: evidence };
    case 'check_not_recorded':
      return evidence.length === 1 ? { source: 'task', command: first } : requiredCheck(first, second);
    case 'decision_pending':
      return { source: 'repository', question: first, file: second.slice('open in '.length) };
    case 'judgment_missing':
      return policy === null
        ? { source: 'decision', question: first, file: second.slice('open in '.length) }
        : { ...byPolicy, paths: listed(second, 'changed: ') };
    case 'approval_missing':
      return policy === null ? proposal(evidence) : { ...byPolicy, paths: listed(second, 'paths: ') };
    case 'empty_change':
      return { source: evidence.length === 0 ? 'gate' : 'person' };
    default:
      return null;
  }
}

function requiredCheck(command: string, why: string): Finding | null {
  const [, rule, says] = /^policy ([^:]*): ([^]*)$/.exec(why) ?? [];
  return rule === undefined || says === undefined ? null : { source: 'policy', rule, says, command };
}

function proposal(evidence: readonly string[]): Finding {
  const begin = 'proposed check: ';
  const [first = '', ...rest] = evidence;
  const checks = rest.filter((line) => line.startsWith(begin)).map((line) => line.slice(begin.length));
  const scope = listed(first, 'proposed scope: ');
  return { source: 'proposal', scope, checks, summary: rest.slice(checks.length).join('') };
}

function listed(line: string, begin: string): readonly string[] {
  return line.slice(begin.length).split(', ');
}
