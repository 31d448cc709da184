import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { FAILURE_CLASS_NAMES, type FailureClass } from '../../src/core/vocabulary/classes/failure-class.ts';
import { readScenario } from '../../src/drills/scenario.ts';

const ROOT = resolve(import.meta.dirname, '../..');
const FOLDER = join(ROOT, 'drills');
/** The promise of the ladder; more is welcome. */
const FEWEST_DRILLS = 60;

/** `once`: the trouble passes, or is lifted by an answer. `stays`: it does not, and the run waits for a person or ends. */
interface Covered {
  readonly once: string;
  readonly stays: string;
}

const DRILLS: Readonly<Record<Exclude<FailureClass, keyof typeof ELSEWHERE>, Covered>> = {
  test_failure: { once: 'tests-fail', stays: 'tests-keep-failing' },
  build_failure: { once: 'does-not-compile', stays: 'never-compiles' },
  runtime_error: { once: 'throws-once', stays: 'throws-for-ever' },
  timeout: { once: 'time-limit', stays: 'time-limit-for-ever' },
  git_conflict: { once: 'merge-conflict', stays: 'merge-conflict-again' },
  git_error: { once: 'git-lock-once', stays: 'git-lock-for-ever' },
  auth_failure: { once: 'login-expired', stays: 'login-refused-again' },
  permission_denied: { once: 'permission-denied', stays: 'permission-denied-again' },
  network_failure: { once: 'network-drops', stays: 'network-down-for-ever' },
  rate_limited: { once: 'rate-limited', stays: 'limit-for-ever' },
  overloaded: { once: 'overloaded', stays: 'overloaded-for-ever' },
  context_overflow: { once: 'context-overflow', stays: 'overflows-for-ever' },
  budget_exhausted: { once: 'over-budget', stays: 'over-budget-again' },
  missing_dependency: { once: 'dependency-missing', stays: 'dependency-missing-again' },
  environment: { once: 'port-taken', stays: 'same-stop-asked-once' },
  resource_exhausted: { once: 'out-of-memory-once', stays: 'out-of-memory-again' },
  interrupted: { once: 'interrupted-halfway', stays: 'interrupted-for-ever' },
  crashed: { once: 'crashed-once', stays: 'crashes-for-ever' },
  frozen: { once: 'frozen', stays: 'frozen-for-ever' },
  stalled: { once: 'silent-hang', stays: 'hangs-for-ever' },
  looping: { once: 'equal-calls', stays: 'loops-for-ever' },
  waiting_for_input: { once: 'blocker-raised', stays: 'asks-for-ever' },
  tool_protocol_error: { once: 'tool-call-malformed', stays: 'tool-call-malformed-for-ever' },
  false_success: { once: 'false-success', stays: 'false-success-for-ever' },
};

/** Only an agent CLI's own envelope says these, or nothing does; where they are played instead. */
const ELSEWHERE = {
  session_corrupt: ['test/agents/claude/verdict.test.ts', 'session_corrupt'],
  model_refusal: ['test/core/decide/model-refusal.test.ts', 'model_refusal'],
  // A process that ends without a word is a crash; what stays unknown is what a person takes over.
  unknown: ['test/core/decide/policy-table.test.ts', 'unknown:'],
} as const satisfies Partial<Record<FailureClass, readonly [file: string, says: string]>>;

/** `once`: that phase helped. `stays`: it did not, and the ladder went on to the state that is named. */
const PHASES: Readonly<Record<number, Covered>> = {
  1: { once: 'crashed-once', stays: 'git-lock-for-ever' },
  2: { once: 'tests-fail', stays: 'tests-keep-failing' },
  3: { once: 'login-expired', stays: 'login-refused-again' },
  4: { once: 'rescue-at-deadline', stays: 'rescue-in-vain' },
};

const drill = (name: string) => readScenario(join(FOLDER, `${name}.yaml`));
const firstOf = (value: unknown) => (Array.isArray(value) ? (value as unknown[])[0] : value);

describe('every failure class has a drill', () => {
  it.each(FAILURE_CLASS_NAMES)('%s, for trouble that passes and for trouble that stays', (name) => {
    if (name in ELSEWHERE) {
      const [file, says] = ELSEWHERE[name as keyof typeof ELSEWHERE];
      return expect(readFileSync(join(ROOT, file), 'utf8')).toContain(says);
    }
    const { once, stays } = DRILLS[name as keyof typeof DRILLS];
    expect(firstOf(drill(once).expect.class)).toBe(name);
    expect(drill(once).expect.state ?? 'delivered').toBe('delivered');
    expect(firstOf(drill(stays).expect.class)).toBe(name);
    expect(['waiting', 'abandoned']).toContain(drill(stays).expect.state);
  });
});

describe('every phase has a drill', () => {
  it.each(Object.entries(PHASES))('phase %s', (phase, { once, stays }) => {
    expect(firstOf(drill(once).expect.phase)).toBe(Number(phase));
    expect(['waiting', 'abandoned']).toContain(drill(stays).expect.state);
  });
});

describe('the drills', () => {
  const all = readdirSync(FOLDER).map((file) => drill(file.replace(/\.yaml$/, '')));

  it('are enough, and each says what must happen', () => {
    expect(all.length).toBeGreaterThanOrEqual(FEWEST_DRILLS);
    for (const { name, expect: expected } of all)
      expect(expected.state ?? expected.class, name).toBeDefined();
  });

  it('none may take longer than a minute', () => {
    for (const { name, expect: expected } of all)
      expect(expected.max_seconds ?? 0, name).toBeLessThanOrEqual(60);
  });
});
