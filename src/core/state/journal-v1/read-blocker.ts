/**
 * `readBlocker`: reads a blocker that a version-1 journal described in sentences, and finds the fields that its answer still needs.
 * Frozen. A blocker whose fields do not give exactly the same sentences again keeps its text.
 */
import { blocker, isBlockerCode } from '../../vocabulary/blockers/blocker.ts';
import type { Blocker, BlockerCode, Finding, Said } from '../../vocabulary/blockers/blocker-rule.ts';
import { blockerEvidence } from '../../vocabulary/blockers/blocker-evidence.ts';

export type TextBlocker = Pick<Blocker, 'code' | 'stage' | 'returnsTo' | 'resolutions'> & {
  readonly evidence: readonly string[];
};

export function readBlocker({ code, stage, returnsTo, resolutions, evidence }: TextBlocker): Blocker {
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
