import { describe, expect, it } from 'vitest';
import { classPolicies } from '../../../src/supervise/request/class-policies.ts';
import { parseConfig } from '../../../src/supervise/request/read-config.ts';
import { Story } from '../../core/story.ts';

describe('classes in mayday.yaml', () => {
  it('an unknown class is named with its line', async () => {
    const text = 'agent: claude\nclasses:\n  crashd: {first_phase: 3}\n';
    await expect(parseConfig(text, 'mayday.yaml')).rejects.toThrow(/mayday\.yaml:3: classes\.crashd/);
  });

  it('an unknown key and a rung that does not exist are named with their lines', async () => {
    const [phase, rungs] = ['phase: 3', 'rungs: [pray]'].map((line) =>
      parseConfig(`classes:\n  crashed:\n    ${line}\n`, 'mayday.yaml'),
    );
    await expect(phase).rejects.toThrow(/:3: .*phase/);
    await expect(rungs).rejects.toThrow(/:3: .*rungs/);
  });

  it('first_phase 3 asks at once; own rungs and waits replace the defaults', () => {
    const asks = new Story({ classes: classPolicies({ crashed: { first_phase: 3 } }) })
      .prepared()
      .started()
      .ended();
    expect(asks.state.life).toMatchObject({ type: 'waiting', for: 'person' });
    const own = classPolicies({ crashed: { rungs: ['fresh'], wait_ms: 7_000 } });
    const fresh = new Story({ classes: own }).prepared().started().ended();
    expect(fresh.state.life).toMatchObject({ type: 'waiting', for: 'time' });
    const [recovery] = fresh.state.incidents[0]?.recoveries ?? [];
    expect(recovery).toMatchObject({ phase: 2, strategy: 'restart', freshSession: true });
    expect(recovery?.notBefore ?? fresh.now).toBeLessThanOrEqual(fresh.now + 7_000);
    fresh.waited().started().ended();
    expect(fresh.state.life).toMatchObject({ type: 'waiting', for: 'person' });
  });
});
