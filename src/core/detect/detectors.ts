/**
 * `DETECTORS`: all detectors. If several raise a signal at one entry, the first critical signal in this order is journaled, otherwise the
 * first signal (`src/supervise/watch/attempt-signals.ts`).
 */
import { blockerRaised } from './detectors/blocker-raised.ts';
import { budget } from './detectors/budget.ts';
import { compactionLoop } from './detectors/compaction-loop.ts';
import { cycle } from './detectors/cycle.ts';
import { deniedAgain } from './detectors/denied-again.ts';
import type { Detector } from './detector.ts';
import { editUndo } from './detectors/edit-undo.ts';
import { falseSuccess } from './detectors/false-success.ts';
import { flatResults } from './detectors/flat-results.ts';
import { frozen } from './detectors/frozen.ts';
import { lingering } from './detectors/lingering.ts';
import { longPoll } from './detectors/long-poll.ts';
import { monologue } from './detectors/monologue.ts';
import { noNovelty } from './detectors/no-novelty.ts';
import { oneAnswer } from './detectors/one-answer.ts';
import { overdue } from './detectors/overdue.ts';
import { refusedAgain } from './detectors/refused-again.ts';
import { retries } from './detectors/retries.ts';
import { sameCall } from './detectors/same-call.ts';
import { sameError } from './detectors/same-error.ts';
import { scopeDrift } from './detectors/scope-drift.ts';
import { stalled } from './detectors/stalled.ts';
import { subagentHang } from './detectors/subagent-hang.ts';
import { testRepeat } from './detectors/test-repeat.ts';
import { cliReportedLoop } from './detectors/cli-reported-loop.ts';
import { toolMissing } from './detectors/tool-missing.ts';
import { waitingForInput } from './detectors/waiting-for-input.ts';

export const DETECTORS: readonly Detector<unknown>[] = [
  sameCall,
  cycle,
  sameError,
  oneAnswer,
  flatResults,
  refusedAgain,
  noNovelty,
  cliReportedLoop,
  monologue,
  editUndo,
  testRepeat,
  deniedAgain,
  toolMissing,
  compactionLoop,
  budget,
  retries,
  overdue,
  frozen,
  blockerRaised,
  lingering,
  stalled,
  longPoll,
  waitingForInput,
  subagentHang,
  falseSuccess,
  scopeDrift,
] as readonly Detector<unknown>[];
