/** `proofJson`, `proofLines`, `judgesText`, `belongingText`: how far a delivery is proven, and what judges was changed. */
import { isProven, notProven } from '../gates/delivery-proof.ts';
import type { RunState } from '../state/run-state.ts';
import { counted } from '../text/counted.ts';
import { oneLine } from '../text/quote-fenced.ts';
import { type ChangedJudge, type FileProof, opinionText, type UnrelatedFile } from '../vocabulary/proof.ts';

/** A line names as many; the document names all. */
const JUDGES_NAMED = 5;

export function proofJson(state: RunState) {
  const { judges, unrelated, proof, checks } = state;
  const tree = state.delivery.passed?.tree ?? checks.findLast(({ purpose }) => purpose === 'gate')?.tree;
  return {
    /** Delivered, every required check passed on exactly that, and no gate was waived. */
    proven: isProven(state),
    /** Why not, in sentences; empty: it is proven. */
    not_proven: notProven(state),
    /** What judges the work and was changed by it, as the last gate saw it; `opinion_of`: not observed, a model adds it. */
    changed_judges: judges.map((judge) => ({
      path: judge.path,
      why: judgeWhy(judge),
      ...(judge.opinion === undefined ? {} : { opinion_of: judge.by }),
    })),
    /** The changed files that the task does not explain, in the opinion of a model. */
    unrelated: unrelated.map(({ path, by, says }) => ({ path, why: `opinion of ${by}: ${says}` })),
    proof: {
      checks: checks
        .filter((one) => one.purpose === 'gate' && one.tree === tree && one.variant === 'candidate')
        .map(({ command, passed, ledgerId }) => ({ command, passed, ledger_id: ledgerId })),
      files: proof.map((file) => ({ path: file.path, standing: file.standing, why: fileWhy(file, judges) })),
    },
  };
}

export function proofLines({ judges, unrelated, proof }: RunState): readonly string[] {
  const observed = judgesText(judges);
  const added = belongingText(judges, unrelated);
  const files = (standing: FileProof['standing']) =>
    proof.filter((file) => file.standing === standing).length;
  const parts = [
    [files('read'), 'read by passing checks'],
    [files('judge'), 'part of what judges'],
    [files('unread'), 'read by no check'],
    [files('not_observed'), 'not observed: this machine does not show what a check reads'],
  ] as const;
  const counts = parts
    .filter(([count]) => count > 0)
    .map(([count, how]) => `${counted(count, 'file')} ${how}`);
  return [
    ...(observed === '' ? [] : [`What judges was changed: ${observed}`]),
    ...(added === '' ? [] : [`Not observed, but the ${added}`]),
    ...(counts.length === 0 ? [] : [`Proof: ${counts.join(', ')}`]),
  ];
}

/** Empty: none was observed. */
export function judgesText(judges: readonly ChangedJudge[]): string {
  const observed = judges.filter(({ opinion }) => opinion === undefined);
  return few(observed.map((judge) => `${oneLine(judge.path)} (${judgeWhy(judge)})`));
}

/** Empty: nobody has an opinion, or it adds nothing. */
export function belongingText(judges: readonly ChangedJudge[], unrelated: readonly UnrelatedFile[]): string {
  const by = new Set(
    [...judges.filter(({ opinion }) => opinion !== undefined), ...unrelated].map((one) => one.by),
  );
  const texts = judges.flatMap(({ path, opinion }) =>
    opinion === undefined
      ? []
      : [
          `${oneLine(path)} ${opinion.weakens ? 'weakens what judges' : 'judges'} (“${oneLine(opinion.quote)}”)`,
        ],
  );
  const paths = unrelated.map(({ path }) => oneLine(path));
  const parts = [
    ...(texts.length === 0 ? [] : [few(texts)]),
    ...(paths.length === 0 ? [] : [`the task does not explain ${few(paths)}`]),
  ];
  return parts.length === 0 ? '' : `opinion of ${[...by].join(', ')}: ${parts.join('; ')}`;
}

function few(texts: readonly string[]): string {
  const more = texts.length - JUDGES_NAMED;
  return `${texts.slice(0, JUDGES_NAMED).join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}

function judgeWhy({ why, by = '', opinion }: ChangedJudge): string {
  switch (why) {
    case 'protected':
      return `protected by ${oneLine(by)}`;
    case 'check_line':
      return 'the check line names it';
    case 'loaded':
      return by === '' ? 'the check finds it by itself' : `${oneLine(by)} loads it`;
    case 'test':
      return 'it is a test';
    case 'configuration':
      return 'it decides what runs';
    case 'no_longer_read':
      return 'the check read it before the work and no longer does';
    case 'opinion':
      return opinion === undefined ? '' : `${oneLine(opinionText(by, opinion))}: ${opinion.says}`;
  }
}

function fileWhy({ path, standing, by = 'a check' }: FileProof, judges: readonly ChangedJudge[]): string {
  switch (standing) {
    case 'read':
      return `${oneLine(by)} read it and passed`;
    case 'judge': {
      const judge = judges.find((one) => one.path === path);
      return judge === undefined ? 'it is part of what judges' : `it judges: ${judgeWhy(judge)}`;
    }
    case 'unread':
      return 'no check read it';
    case 'not_observed':
      return 'this machine does not show which files a check reads';
  }
}
