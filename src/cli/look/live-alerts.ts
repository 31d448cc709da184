/** `liveAlerts`: the trouble of a run that is not over: its open question, and the latest sign of each kind of trouble. */
import { readableQuotes } from '../../core/text/quote-fenced.ts';
import type { RunJson } from '../../core/view/run-json.ts';

interface Sign {
  readonly type: string;
  readonly severity: string;
  readonly reason: string;
  readonly suggested_action: string;
  readonly at: string | null;
}

/** Signs of the living attempt and of trouble that is still open count; what was rescued needs no alert. */
export function liveAlerts(runId: string, { questions, incidents, attempts }: RunJson) {
  const since = incidents.find(({ outcome }) => outcome === null)?.detected_at ?? null;
  const alert = (attempt: number, agent: string, sign: Sign) => ({
    run_id: runId,
    attempt,
    agent_id: `${agent}@${runId}`,
    task_id: runId,
    ...sign,
  });
  const signs = attempts.flatMap(({ number, agent, ended_at, signals }) =>
    signals
      .filter(({ at }) => ended_at === null || (since !== null && at !== null && at >= since))
      .map(({ type, reason, severity, suggested_action, at }) =>
        alert(number, agent, { type, reason, severity, suggested_action, at }),
      ),
  );
  const last = attempts.at(-1);
  const open = questions.find(({ state }) => state === 'open');
  const asked =
    open === undefined
      ? []
      : [
          alert(last?.number ?? 0, last?.agent ?? '', {
            type: 'needs_you',
            reason: readableQuotes(open.text ?? open.kind),
            severity: 'critical',
            suggested_action: `mayday inbox shows the choices; mayday answer ${open.id} NUMBER`,
            at: open.asked_at ?? since,
          }),
        ];
  // A later sign of the same kind takes the place of an earlier one.
  return [...asked, ...new Map(signs.map((sign) => [sign.type, sign])).values()];
}
