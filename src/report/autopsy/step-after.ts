/** `stepAfter`: what to do next after an autopsy, the same at every door. */
import type { Autopsy } from '../../core/detect/autopsy/autopsy.ts';
import { surestOf } from '../../core/detect/autopsy/autopsy-cause.ts';
import { adviceOfClass } from '../../core/diagnose/advice.ts';

/** Null for a run without trouble. */
export function stepAfter({ next, diagnosis, signals, class: failureClass }: Autopsy): string | null {
  if (failureClass === null) return null;
  return (
    // What repeated tells better what to do than the place of the last failure.
    next.startHere ??
    diagnosis?.humanInstructions ??
    diagnosis?.suggestedActions[0] ??
    surestOf(signals.filter((signal) => signal.severity === 'critical'))?.suggestedAction ??
    adviceOfClass(failureClass)
  );
}
