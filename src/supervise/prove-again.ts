/**
 * `proveAgain`: checks that a delivery is what its record says. It reads from the record what was delivered and how it was proven, and
 * repeats the proof on the commit itself, in a clean place. It does not use chains, checksums or the fold: a record that was forged
 * as a whole must still fail here. A person's word counts only with its signature.
 */
import { findWorkspace } from '../act/workspace/workspace.ts';
import { hiddenFrom } from '../act/hidden-from.ts';
import { type RerunCheck, rerunDelivery } from '../act/rerun-delivery.ts';
import type { RunEvent } from '../core/vocabulary/events/event.ts';
import { usageError } from '../platform/mayday-error.ts';
import type { RunRecord } from '../record/contract.ts';
import { isSignedWord } from './mail/mail.ts';
import { personKeyOrNull } from './mail/person-key.ts';

type Of<T extends RunEvent['type']> = Extract<RunEvent, { type: T }>;

export interface Testimony {
  readonly runId: string;
  readonly commit: string;
  readonly tree: string;
  readonly checks: readonly (RerunCheck & { readonly recordedPassed: boolean })[];
  readonly problems: readonly string[];
  readonly remarks: readonly string[];
}

export async function proveAgain(
  { home, record }: { readonly home: string; readonly record: RunRecord },
  runId: string,
  { env, signal }: { readonly env: NodeJS.ProcessEnv; readonly signal?: AbortSignal },
): Promise<Testimony> {
  const events = (await record.events(runId)).map(({ body }) => JSON.parse(body) as RunEvent);
  const all = <T extends RunEvent['type']>(type: T) =>
    events.filter((event): event is Of<T> => event.type === type);
  const created = all('run_created')[0];
  const delivered = all('work_delivered').findLast(({ salvage }) => !salvage);
  const base = all('work_rebased').at(-1) ?? all('workspace_prepared').at(-1);
  const commit = delivered?.commit ?? null;
  const baseCommit = base?.baseCommit ?? null;
  if (created === undefined || base === undefined || baseCommit === null || commit === null)
    throw usageError(
      'NOTHING_TO_RERUN',
      `run ${runId} has delivered no commit that could be looked at again`,
      [['do', `mayday show ${runId} says what became of it; mayday verify checks its record`]],
    );
  const { task, options, policy, repository } = created;
  const answers = all('answer_applied');
  const applied = events.flatMap((event) =>
    event.type === 'answer_applied' || event.type === 'gate_passed' ? (event.changes ?? []) : [],
  );
  const allowed = applied.findLast(({ scope }) => scope !== undefined)?.scope?.allowed ?? task.scope;
  const scope = allowed.length === 0 ? ['**'] : allowed;
  const commands = applied.findLast(({ checks }) => checks !== undefined)?.checks ?? task.checks;
  const tree = delivered?.tree ?? all('delivery_decided').at(-1)?.tree ?? '';
  const { checks, problems, remarks } = await rerunDelivery({
    home,
    repository,
    commit,
    tree,
    scope,
    commands,
    env,
    signal,
    baseCommit,
    baseTree: base.baseTree,
    workspace: await findWorkspace({ home, runId }),
    folder: options.checkFolder ?? '',
    setup: applied.some(({ setup }) => setup === null) ? null : options.setup,
    setupTimeoutMs: policy.setup_timeout_ms,
    ignoredToCopy: options.ignoredToCopy,
    nodeModules: options.nodeModules,
    environment: options.environment,
    timeoutMs: policy.check_timeout_ms,
    ...hiddenFrom({ home, state: { runId, policy, options } }, []),
  });
  const results = all('checks_finished')
    .filter((fact) => fact.purpose === 'gate')
    .flatMap((fact) => fact.results);
  const recorded = new Set(
    results
      .filter((result) => result.tree === tree && result.variant === 'candidate' && result.passed)
      .map(({ command }) => command),
  );
  const key = personKeyOrNull(home);
  const said = [...all('question_answered'), ...all('accept_requested')];
  const unsigned = said.filter((word) => !isSignedWord(key, runId, word));
  const answered = new Set(all('question_answered').map(({ question }) => question));
  const unsaid = answers.filter(({ question }) => !answered.has(question));
  // A person may have accepted work whose checks did not pass: that explains the record. Whether they pass now is another question.
  const isWaived =
    applied.some(({ approval, accepted }) => approval?.tree === tree || accepted !== undefined) ||
    all('accept_requested').length > 0;
  const failed = checks.filter(({ passed }) => !passed);
  const unproven = (isWaived ? [] : commands).filter((command) => !recorded.has(command));
  return {
    runId,
    commit,
    tree,
    checks: checks.map((check) => ({ ...check, recordedPassed: recorded.has(check.command) })),
    problems: [
      ...problems,
      ...failed.map(
        ({ command, exitCode }) =>
          `${command}: exit ${exitCode ?? 'none, it took too long'} on the delivered commit`,
      ),
      ...unproven.map(
        (command) => `${command}: the record does not say that it passed on the delivered tree`,
      ),
      ...unsigned.map(({ by, type }) => `${type} by ${by}: not signed with the person's key`),
      ...unsaid.map(
        ({ question, option }) => `${option} was applied to ${question}, which no person answered`,
      ),
    ],
    remarks: [...remarks, ...(commands.length === 0 ? ['no check is required: nothing was run again'] : [])],
  };
}
