/**
 * `DETECTORS`: all detectors. Where several speak at one entry, the first critical signal in this order is journaled, otherwise the first
 * signal (`src/supervise/attempt-signals.ts`).
 */
import { blockerRaised } from './blocker-raised.ts';
import { budget } from './budget.ts';
import { compactionLoop } from './compaction-loop.ts';
import { cycle } from './cycle.ts';
import { deniedAgain } from './denied-again.ts';
import type { Detector } from './detector.ts';
import { editUndo } from './edit-undo.ts';
import { falseSuccess } from './false-success.ts';
import { frozen } from './frozen.ts';
import { lingering } from './lingering.ts';
import { longPoll } from './long-poll.ts';
import { monologue } from './monologue.ts';
import { noNovelty } from './no-novelty.ts';
import { overdue } from './overdue.ts';
import { retries } from './retries.ts';
import { sameCall } from './same-call.ts';
import { sameError } from './same-error.ts';
import { scopeDrift } from './scope-drift.ts';
import { stalled } from './stalled.ts';
import { subagentHang } from './subagent-hang.ts';
import { testRepeat } from './test-repeat.ts';
import { toldLoop } from './told-loop.ts';
import { toolMissing } from './tool-missing.ts';
import { waitingForInput } from './waiting-for-input.ts';

export const DETECTORS: readonly Detector<unknown>[] = [
  sameCall,
  cycle,
  sameError,
  noNovelty,
  toldLoop,
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
