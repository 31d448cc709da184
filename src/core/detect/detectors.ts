/** `DETECTORS`: all detectors. Of several signals at one entry the first critical one in this order is journaled, else the first. */
import { blockerRaised } from './detectors/silence/blocker-raised.ts';
import { budget } from './detectors/limits/budget.ts';
import { compactionLoop } from './detectors/loops/compaction-loop.ts';
import { cycle } from './detectors/loops/cycle.ts';
import { deniedAgain } from './detectors/loops/denied-again.ts';
import type { Detector } from './detector.ts';
import { editUndo } from './detectors/loops/edit-undo.ts';
import { falseSuccess } from './detectors/limits/false-success.ts';
import { flatResults } from './detectors/loops/flat-results.ts';
import { frozen } from './detectors/silence/frozen.ts';
import { lingering } from './detectors/silence/lingering.ts';
import { longPoll } from './detectors/silence/long-poll.ts';
import { monologue } from './detectors/loops/monologue.ts';
import { noNovelty } from './detectors/loops/no-novelty.ts';
import { oneAnswer } from './detectors/loops/one-answer.ts';
import { overdue } from './detectors/limits/overdue.ts';
import { refusedAgain } from './detectors/loops/refused-again.ts';
import { repeatedLines } from './detectors/loops/repeated-lines.ts';
import { retries } from './detectors/limits/retries.ts';
import { sameCall } from './detectors/loops/same-call.ts';
import { sameError } from './detectors/loops/same-error.ts';
import { scopeDrift } from './detectors/limits/scope-drift.ts';
import { stalled } from './detectors/silence/stalled.ts';
import { subagentHang } from './detectors/silence/subagent-hang.ts';
import { testRepeat } from './detectors/loops/test-repeat.ts';
import { cliReportedLoop } from './detectors/loops/cli-reported-loop.ts';
import { toolMissing } from './detectors/loops/tool-missing.ts';
import { waitingForInput } from './detectors/silence/waiting-for-input.ts';

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
  repeatedLines,
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
