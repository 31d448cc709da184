/**
 * `chooseWay`: chooses the next step for a diagnosed incident. Order of limits: hard budget (a class of its own), restart budget,
 * futility (rungs used up), then another agent (`fallback.ts`), then a person. Runs wait for outages and limits to pass, uncounted.
 */
import { counted } from '../../text/counted.ts';
import { adapterName, type AgentChoice, type Recovery } from '../../vocabulary/events/event.ts';
import { causeKey } from '../../fleet/concerns.ts';
import type { HoldNotice } from '../../vocabulary/hold.ts';
import { type Attempt, currentAttempt, type Incident, type RunState } from '../../state/run-state.ts';
import { backoffMs, failuresInARow } from './backoff.ts';
import { futility, halfLimit, restartBudget, restartsLeft, wasUseful } from './breakers.ts';
import { minutes } from '../../text/minutes.ts';
import { ruleOf } from '../../vocabulary/classes/incident-class.ts';
import { adviceOfClass } from '../../diagnose/advice.ts';
import { isFailureClass } from '../../vocabulary/classes/failure-class.ts';
import { isExactFingerprint, lessonFor } from '../../vocabulary/lesson.ts';
import { isWaitedFor, type Rung, rungs } from './ladder.ts';
import { recovery } from './incident.ts';
import { wordList } from '../../text/word-list.ts';

/** After this many waits for an overloaded model, another agent may take over if one is allowed. */
const OVERLOAD_PATIENCE = 3;

const MANIFESTS: ReadonlySet<string> = new Set(
  wordList(
    'package.json pyproject.toml requirements.txt Cargo.toml go.mod Gemfile composer.json pom.xml build.gradle',
  ),
);

export type Way =
  | { readonly type: 'recover'; readonly recovery: Recovery }
  | { readonly type: 'ask'; readonly why: string };

export function chooseWay(state: RunState, incident: Incident, at: number): Way {
  const shared = heldFor(state, incident);
  if (shared !== null) return { type: 'recover', recovery: waitWithOthers(shared, incident) };
  if (currentAttempt(state)?.endedBy === 'host')
    return { type: 'recover', recovery: resumeUncounted(incident, HOST_LOST) };
  if (isLoginMended(state, incident))
    return { type: 'recover', recovery: resumeUncounted(incident, LOGIN_MENDED) };
  const own = state.options.classes?.[incident.class];
  // An untrusted certificate is not an outage: waiting does not mend it.
  const passes =
    incident.diagnosis === null || incident.diagnosis.recoverable || incident.diagnosis.transient;
  if (isWaitedFor(incident.class) && passes && own?.firstPhase !== 3) return waitFor(state, incident, at);
  const tried = countedSince(incident, state.forgivenAt, state);
  const ladder = rungs(incident, own);
  const rung = ladder[tried] ?? (tried === 0 ? ownRung(state, incident) : undefined);
  const other = fallbackFor(state, incident, ladder);
  // If no restart can help, the question names the failure itself, not a restart budget that it would not have used.
  if (ladder.length === 0 && rung === undefined && other === undefined)
    return { type: 'ask', why: personsDecision(incident) };
  if (isGrantedInVain(state, incident)) return { type: 'ask', why: GRANTED_IN_VAIN };
  const spent = restartBudget(state, at);
  if (spent !== null) return { type: 'ask', why: spent };
  const inVain = halfLimit(state) ?? futility(state);
  if (rung !== undefined && inVain === null && (other === undefined || keepsItsAgent(state, tried, at)))
    return { type: 'recover', recovery: climb(state, incident, rung, tried, at) };
  if (other !== undefined) return { type: 'recover', recovery: reassign(incident, other, at) };
  return {
    type: 'ask',
    why:
      inVain ?? (tried === 0 ? personsDecision(incident) : `${counted(tried, 'try', 'tries')} did not help`),
  };
}

/** A lost host, or a login that works again, says nothing about the run. */
const HOST_LOST = 'its host was lost: resumed from the checkpoint, nothing is counted against the run';
const LOGIN_MENDED =
  'its login was refused before others saw it work again: tried again, nothing is counted against the run';

function resumeUncounted({ class: name }: Incident, reason: string): Recovery {
  return recovery({ strategy: 'resume', phase: 1, returnTo: ruleOf(name).returnTo, reason });
}

/** An attempt that is examined late says nothing about the login as it is now. */
function isLoginMended(state: RunState, { class: incidentClass }: Incident): boolean {
  const endedAt = currentAttempt(state)?.endedAt ?? null;
  return incidentClass === 'auth_failure' && endedAt !== null && endedAt < state.loginLiftedAt;
}

function personsDecision({ class: incidentClass }: Incident): string {
  return incidentClass === 'budget_exhausted'
    ? 'the hard budget comes first'
    : 'Mayday tries nothing by itself here; the decision is yours';
}

/**
 * A class that goes to a person by default is tried once if a person has already said what to do: by a lesson, or by a scope that names
 * the manifest. A spent budget and a refusal always stay a person's decision.
 */
function ownRung(state: RunState, incident: Incident): Rung | undefined {
  if (incident.class === 'budget_exhausted' || incident.class === 'model_refusal') return undefined;
  const may =
    lessonFor(state.lessons, incident) !== undefined ||
    (incident.class === 'missing_dependency' && ownsManifest(state));
  return may ? { phase: 2, strategy: 'resume', fresh: false } : undefined;
}

/** True: the person named the manifest in the scope, so adding what is missing is part of the task. */
function ownsManifest({ task }: RunState): boolean {
  return task.scope.some((glob) => MANIFESTS.has(glob.slice(glob.lastIndexOf('/') + 1)));
}

/** The hold for exactly this cause, if another run found it first: one question and one probe are enough. */
function heldFor(state: RunState, incident: Incident): HoldNotice | null {
  // A full disk concerns every run, whichever run saw it first.
  const others = state.holds.filter(({ holder, kind }) => kind === 'disk' || holder !== state.runId);
  const cause = causeKey(state);
  return (
    others.find(
      ({ kind, key }) =>
        (kind === 'shared_cause' && key === cause) ||
        (kind === 'login' && incident.class === 'auth_failure') ||
        (kind === 'disk' && incident.class === 'resource_exhausted' && rungs(incident).length === 0),
    ) ?? null
  );
}

function waitWithOthers({ kind, holder }: HoldNotice, incident: Incident): Recovery {
  const until = kind === 'disk' ? 'it goes on when there is room again' : `run ${holder} asks for all`;
  return recovery({
    strategy: 'wait',
    phase: ruleOf(incident.class).firstPhase,
    returnTo: incident.diagnosis?.returnTo ?? null,
    reason: `held (${kind}): ${until}, nothing is counted against this one`,
  });
}

function waitFor(state: RunState, incident: Incident, at: number): Way {
  const { reset_skew_ms, unknown_reset_ms, wait_horizon_ms, limit_horizon_ms } = state.policy;
  if (!state.options.autoResume) return { type: 'ask', why: 'automatic resuming is off (--auto-resume no)' };
  const waits = incident.recoveries.length;
  const limited = incident.class === 'rate_limited';
  const told = incident.diagnosis?.retryAt ?? null;
  const skew = Math.min(incident.diagnosis?.retryExactToMs ?? reset_skew_ms, reset_skew_ms);
  const own = state.options.classes?.[incident.class];
  const horizon = own?.horizonMs ?? (limited ? limit_horizon_ms : wait_horizon_ms);
  // A reset in the past may just be late: the run tries again after a pause.
  const notBefore =
    told !== null && told > at - skew && limited
      ? told + skew
      : told !== null && told > at
        ? told
        : at +
          (own?.waitMs ??
            (limited ? Math.max(unknown_reset_ms, 0) : backoffMs(state.policy, waits, state.runId)));
  const other = incident.class === 'overloaded' ? nextFallback(state) : undefined;
  if (other !== undefined && (waits >= OVERLOAD_PATIENCE || notBefore - incident.detectedAt > horizon))
    return { type: 'recover', recovery: { ...reassign(incident, other, at), counted: false } };
  if (notBefore - incident.detectedAt > horizon) {
    return { type: 'ask', why: `waiting for it would take longer than ${minutes(horizon)}` };
  }
  const until =
    told === null ? 'the limit tells no reset time; trying again' : 'parked until the limit resets';
  const reason = limited
    ? `${until}, nothing is counted against the run`
    : `${incident.class.replaceAll('_', ' ')}: not this run's fault; trying again after a pause`;
  return {
    type: 'recover',
    recovery: recovery({ strategy: 'wait', phase: 1, returnTo: null, reason, notBefore }),
  };
}

function climb(state: RunState, incident: Incident, rung: Rung, tried: number, at: number): Recovery {
  const wait = state.options.classes?.[incident.class]?.waitMs;
  // The silence was pause enough: whatever had to pass has had its time.
  const isRested = ruleOf(incident.class).isSilence === true;
  const pause = (rung.phase === 1 && !isRested) || tried > 0 || wait !== undefined;
  return recovery({
    strategy: rung.strategy,
    phase: rung.phase,
    returnTo: incident.diagnosis?.returnTo ?? ruleOf(incident.class).returnTo,
    reason: rungReason(rung, currentAttempt(state)),
    notBefore: pause ? at + (wait ?? backoffMs(state.policy, failuresInARow(state, at), state.runId)) : null,
    counted: true,
    freshSession: rung.fresh,
    hint: rung.phase === 1 ? null : hintWithLesson(state, incident),
  });
}

function hintWithLesson(state: RunState, incident: Incident): string | null {
  const lesson = lessonFor(state.lessons, incident);
  const hint = hintFor(incident);
  if (lesson === undefined) return hint;
  // The title of a lesson may quote a program, so the hint names the lesson by its number.
  const first = `Follow lesson ${state.lessons.indexOf(lesson) + 1} below first.`;
  return hint === null ? first : `${hint} ${first}`;
}

function reassign(incident: Incident, agent: AgentChoice, at: number): Recovery {
  return recovery({
    strategy: 'reassign',
    phase: 2,
    returnTo: ruleOf(incident.class).returnTo,
    reason: `this agent did not get past it; ${agent.name} takes over from the checkpoint`,
    notBefore: at,
    counted: true,
    freshSession: true,
    // A refusal is never rephrased: the other model gets the task as the person wrote it.
    hint: incident.class === 'model_refusal' ? null : hintFor(incident),
    agent,
  });
}

/** Reasons appear in questions, so they use only Mayday's own words. */
function rungReason(rung: Rung, attempt: Attempt | undefined): string {
  // A program has no session: to it, both are the same.
  if (rung.phase !== 1 && attempt !== undefined && adapterName(attempt.agent) === 'command')
    return 'started again with a brief: what failed, what not to repeat and where to start';
  if (rung.fresh) return 'started a fresh agent session with a brief';
  if (rung.phase === 1) return 'resumed from the checkpoint: such an end is usually gone at the next try';
  return 'resumed with what failed, what not to repeat and where to start';
}

/** What the agent should do about the cause; null if its class says nothing about the work. The brief always adds a next step. */
function hintFor(incident: Incident): string | null {
  const { diagnosis } = incident;
  const rule = ruleOf(incident.class);
  if (rule.hint !== undefined) return rule.hint;
  if (rule.hold !== undefined || rule.advice === undefined) return diagnosis?.pattern?.recovery ?? null;
  if (diagnosis?.pattern) return diagnosis.pattern.recovery;
  // A diagnosis from text may repeat what the output says, and the brief quotes it. The hint itself uses only Mayday's own words.
  const isRead = diagnosis !== null && isExactFingerprint(diagnosis.fingerprint);
  if (isRead && isFailureClass(incident.class)) return adviceOfClass(incident.class);
  return rule.recoverable ? null : 'Mend the cause that is quoted above, then go on.';
}

const GRANTED_IN_VAIN = 'the attempt that you asked for failed alike, without progress';

/** "Once more" is one attempt: the rungs begin anew only after progress, or for another incident than the one that was asked about. */
function isGrantedInVain(state: RunState, incident: Incident): boolean {
  // A question after it may have ended without an answer, with the shared cause that it was about.
  const { answer = null, incident: askedAbout } =
    state.questions.findLast((each) => each.answer !== null) ?? {};
  if (answer === null || answer.at !== state.forgivenAt || askedAbout !== incident.id) return false;
  const granted = state.attempts.findIndex(({ plannedAt }) => plannedAt >= answer.at);
  return granted !== -1 && lastUseful(state, incident) < granted;
}

/** The number of restarts of the present agent in this incident. The attempt in which it took over is not a rung of its own ladder. */
function countedSince(incident: Incident, forgivenAt: number, state: RunState): number {
  const useful = lastUseful(state, incident);
  const agent = state.attempts.at(-1)?.agent.name;
  const first = state.attempts.find((attempt) => attempt.agent.name === agent);
  return state.attempts.filter(
    (attempt, index) =>
      attempt !== first &&
      index > useful &&
      attempt.agent.name === agent &&
      attempt.incident === incident.id &&
      attempt.counted &&
      attempt.plannedAt > forgivenAt,
  ).length;
}

/** An agent that gets on keeps its rungs. A time limit that runs out again, and work that a gate refuses again, stay the same. */
function lastUseful(state: RunState, { class: incidentClass }: Incident): number {
  const isStrict = incidentClass === 'timeout' || ruleOf(incidentClass).pastBy === 'gate';
  return isStrict ? -1 : state.attempts.findLastIndex((_, index) => wasUseful(state, index));
}

/** The agent that may take over this incident, or undefined. An empty `ladder` means that only a person can decide. */
function fallbackFor(
  state: RunState,
  { class: incidentClass }: Incident,
  ladder: readonly Rung[],
): AgentChoice | undefined {
  const may =
    incidentClass === 'model_refusal'
      ? state.policy.refusal_fallback > 0
      : ladder.length > 0 && ruleOf(incidentClass).meetsEveryAgent !== true;
  return may ? nextFallback(state) : undefined;
}

function nextFallback(state: RunState): AgentChoice | undefined {
  return unusedFallbacks(state)[0];
}

/**
 * True: the present agent may use one more restart. One restart is reserved for every fallback that has not worked yet. The first retry
 * still belongs to the present agent as long as one restart is left for a fallback, because most crashes do not happen twice.
 */
export function keepsItsAgent(state: RunState, tried: number, at: number): boolean {
  const left = restartsLeft(state, at);
  return left > unusedFallbacks(state).length || (tried === 0 && left > 1);
}

function unusedFallbacks(state: RunState): readonly AgentChoice[] {
  const used = new Set(state.attempts.map(({ agent }) => agent.name));
  return state.options.fallbacks.filter(({ name }) => !used.has(name));
}
