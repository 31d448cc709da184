import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { type Box, inBox } from './box.ts';

const QUICK = { backoff_ms: 200, backoff_max_ms: 300 };
/** Crashes twice, then repeats an honest call four times and delivers. */
const SCRIPT = `attempts:
  - steps: [{write: {a.txt: "A"}}, {exit: 7}]
  - steps: [{say: hi}, {exit: 7}]
  - steps: [{loop: {times: 4, steps: [{tool: {name: bash, input: make, result: no rule}}]}}, {write: {b.txt: "B"}}, {exit: 0}]
`;

interface Decided {
  readonly run_id: string;
  readonly verdict: string;
  readonly parting: { readonly would_be: readonly { readonly type: string }[] } | null;
}

async function replay(box: Box, policy: string, ...runs: string[]) {
  writeFileSync(join(box.folder, 'other.yaml'), policy);
  const args = ['replay', ...runs, '--policy', join(box.folder, 'other.yaml')];
  const { exitCode, stdout, stderr } = await box.call(...args, '--json');
  expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
  const told = await box.call(...args);
  return {
    told: told.stdout,
    said: JSON.parse(stdout) as { readonly decisions: readonly Decided[]; readonly cost: unknown },
  };
}

it('a delivered run is decided again under other policies, with what their false alarms would have cost', () =>
  inBox(async (box) => {
    box.policy(QUICK);
    writeFileSync(join(box.folder, 'script.yaml'), SCRIPT);
    const script = join(box.folder, 'script.yaml');
    const ran = await box.call('run', '--script', script, '--check', 'test -f b.txt', 'write b');
    expect(ran.exitCode).toBe(0);
    const { run_id } = await box.show();

    const same = await replay(box, 'restarts: 3\n', run_id);
    expect(same.said).toMatchObject({
      cost: { now: { false_alarms: 0 }, proposed: { false_alarms: 0 } },
      decisions: [{ run_id, verdict: 'same', parting: null, unfit: null, pauses: [] }],
    });
    expect(same.told).toContain('1 of 1 runs would have been decided the same throughout');

    const asked = await replay(box, 'restarts: 1\n', run_id);
    expect(asked.said).toMatchObject({
      cost: { proposed: { false_alarms: 1, attempts: 0, questions: 1 } },
      decisions: [{ verdict: 'false_alarm', parting: { next: { fits: false } } }],
    });
    expect(asked.told).toMatch(/recorded +resume \(phase 1\)/);
    expect(asked.told).toMatch(/would be +escalate \(phase 3\)/);
    expect(asked.told).toContain('the comparison ends: "the time of "retry" is over"');

    const hasty = await replay(box, 'loop_stop: 3\n');
    expect(hasty.said).toMatchObject({
      cost: { proposed: { false_alarms: 1, attempts: 1, questions: 0 } },
      decisions: [{ verdict: 'false_alarm', parting: { recorded: [], because: 'policy' } }],
    });
    expect(hasty.said.decisions[0]?.parting?.would_be.map(({ type }) => type)).toContain('stop_decided');

    const slower = await replay(box, 'backoff_ms: 9000\nbackoff_max_ms: 9000\n', run_id);
    expect(slower.said).toMatchObject({ decisions: [{ verdict: 'same', parting: null, unfit: null }] });

    const classes = await replay(box, 'classes:\n  crashed: {first_phase: 3}\n', run_id);
    expect(classes.said).toMatchObject({ classes: ['crashed'], decisions: [{ verdict: 'false_alarm' }] });

    const live = await replay(box, 'check_timeout_ms: 5000\n', run_id);
    expect(live.told).toContain('not replayed: check_timeout_ms');

    const nothing = await box.call('replay', run_id, '--policy', 'nowhere.yaml');
    expect({ exitCode: nothing.exitCode, said: nothing.stderr }).toMatchObject({
      exitCode: 2,
      said: expect.stringContaining('NO_POLICY_FILE'),
    });
  }));
