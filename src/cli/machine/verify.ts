/** `mayday verify`: checks journal, evidence, anchors and checkpoints. It exits with 0 only if all of them hold. */
import { verifyCheckpoint } from '../../act/checkpoint/verify-checkpoint.ts';
import { crossCheck } from '../../supervise/cross-check.ts';
import { type Erasure, readErasures } from '../../supervise/erase-evidence.ts';
import { loadState } from '../../supervise/run-journal.ts';
import type { Invocation } from '../command.ts';
import { plain } from '../render/plain.ts';
import { type Opened, withRecord } from '../with-record.ts';

interface Problem {
  readonly run_id: string | null;
  readonly problem: string;
}

export function run(invocation: Invocation): Promise<number> {
  return withRecord(invocation, (opened) => verify(invocation, opened), { evenIfLost: true });
}

async function verify(invocation: Invocation, { home, record }: Opened): Promise<number> {
  const stored = [...(await record.verify()), ...(await crossCheck(record))];
  const erased = await readErasures(record);
  const problems: Problem[] = stored.map(({ runId, problem }) => ({
    run_id: runId,
    problem,
  }));
  const rows = await record.rows();
  let checkpoints = 0;
  for (const { runId } of rows) {
    for (const { number } of (await loadState(record, runId)).checkpoints) {
      checkpoints += 1;
      const { holds, problems: found } = await verifyCheckpoint({ home, runId, number });
      if (!holds)
        problems.push({ run_id: runId, problem: `checkpoint ${number}: ${found[0] ?? 'does not hold'}` });
    }
  }
  const { stdout, json } = invocation;
  if (json)
    stdout.write(
      `${JSON.stringify({ holds: problems.length === 0, runs: rows.length, checkpoints, erased: erased.map(erasureJson), problems })}\n`,
    );
  else {
    for (const { ledgerId, by, note } of erased)
      stdout.write(`· erased: ${plain(`${ledgerId} by ${by}: ${note}`)}\n`);
    for (const { run_id, problem } of problems) stdout.write(`! ${run_id ?? 'record'}: ${problem}\n`);
    stdout.write(
      problems.length === 0
        ? `all holds: ${rows.length} runs, ${checkpoints} checkpoints\n`
        : `${problems.length} problems\n`,
    );
  }
  return problems.length === 0 ? 0 : 1;
}

function erasureJson({ ledgerId, run, seq, by, note, at }: Erasure) {
  return { ledger_id: ledgerId, run_id: run, seq, by, note, at: new Date(at).toISOString() };
}
