/** `mayday verify`: checks journal, evidence, anchors and checkpoints; with `--rerun RUN` also the delivered commit. */
import { counted } from '../../core/text/counted.ts';
import { verifyCheckpoint } from '../../act/checkpoint/verify-checkpoint.ts';
import { problemsOf } from '../../supervise/watch/cross-check.ts';
import { type Erasure, readErasures } from '../../supervise/erase-evidence.ts';
import { loadState } from '../../supervise/load-state.ts';
import type { Testimony } from '../../supervise/prove-again.ts';
import type { Invocation } from '../command.ts';
import { plain } from '../render/plain.ts';
import { findRun, type Opened, withRecord } from '../with-record.ts';
import { writeText } from '../write-text.ts';

interface Problem {
  readonly run_id: string | null;
  readonly problem: string;
}

export function run(invocation: Invocation): Promise<number> {
  return withRecord(invocation, (opened) => verify(invocation, opened), { evenIfLost: true });
}

async function verify(invocation: Invocation, { home, record }: Opened): Promise<number> {
  const stored = await problemsOf(record);
  const erased = await readErasures(record);
  const problems: Problem[] = stored.map(({ runId, problem }) => ({ run_id: runId, problem }));
  const rows = await record.rows();
  let checkpoints = 0;
  let elsewhere = 0;
  const isSound = ({ runId }: { readonly runId: string }) =>
    stored.every((problem) => problem.runId !== runId);
  for (const { runId } of rows.filter(isSound)) {
    const place = await record.hosts?.placeOf(runId);
    if (place && place.host !== record.hosts?.id) {
      elsewhere += 1;
      continue;
    }
    for (const { number } of (await loadState(record, runId)).checkpoints) {
      checkpoints += 1;
      const { holds, problems: found } = await verifyCheckpoint({ home, runId, number });
      if (!holds)
        problems.push({ run_id: runId, problem: `checkpoint ${number}: ${found[0] ?? 'does not hold'}` });
    }
  }
  const { stdout, json } = invocation;
  const rerun = await rerunOf(invocation, { home, record });
  problems.push(...(rerun?.problems ?? []).map((problem) => ({ run_id: rerun?.runId ?? null, problem })));
  const holds = problems.length === 0;
  if (json) {
    const document = {
      holds,
      runs: rows.length,
      checkpoints,
      elsewhere,
      erased: erased.map(erasureJson),
      problems,
    };
    stdout.write(
      `${JSON.stringify({ ...document, ...(rerun === null ? {} : { rerun: rerunJson(rerun) }) })}\n`,
    );
  } else {
    for (const line of rerun === null ? [] : rerunLines(rerun)) writeText(stdout, `${plain(line)}\n`);
    for (const { ledgerId, by, note } of erased)
      writeText(stdout, `· erased: ${plain(`${ledgerId} by ${by}: ${note}`)}\n`);
    for (const { run_id, problem } of problems) writeText(stdout, `! ${run_id ?? 'record'}: ${problem}\n`);
    if (elsewhere > 0)
      writeText(
        stdout,
        `· the checkpoints of ${counted(elsewhere, 'run')} are on other hosts: mayday verify there\n`,
      );
    writeText(
      stdout,
      problems.length === 0
        ? `all holds: ${counted(rows.length, 'run')}, ${counted(checkpoints, 'checkpoint')}\n`
        : `${problems.length} problems\n`,
    );
  }
  return holds ? 0 : 1;
}

async function rerunOf({ options, env }: Invocation, { home, record }: Opened): Promise<Testimony | null> {
  const name = options['rerun'];
  if (typeof name !== 'string') return null;
  const { proveAgain } = await import('../../supervise/prove-again.ts');
  return await proveAgain({ home, record }, await findRun(record, name), { env });
}

function rerunJson({ runId, commit, tree, checks, problems, remarks }: Testimony) {
  const shown = checks.map(({ command, exitCode, passed, recordedPassed, outputTail }) => ({
    command,
    exit_code: exitCode,
    passed,
    recorded_passed: recordedPassed,
    output: outputTail,
  }));
  return { run_id: runId, commit, tree, checks: shown, problems, remarks };
}

function rerunLines({ runId, commit, checks, remarks }: Testimony): string[] {
  return [
    `run ${runId}, commit ${commit}, in a clean clone:`,
    ...checks.map(({ command, passed, exitCode }) =>
      passed ? `✓ ${command}` : `✗ ${command} (exit ${exitCode ?? 'none'})`,
    ),
    ...remarks.map((remark) => `· ${remark}`),
  ];
}

function erasureJson({ ledgerId, run, seq, by, note, at }: Erasure) {
  return { ledger_id: ledgerId, run_id: run, seq, by, note, at: new Date(at).toISOString() };
}
