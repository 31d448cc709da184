import { describe, expect, it } from 'vitest';
import { inBox } from './box.ts';

describe('mayday agents', () => {
  it('counts supervised agents by their runs, beside external ones', () =>
    inBox(async (box) => {
      expect((await box.call('agents')).stdout).toContain('no agents seen yet');
      const check = ['--check', 'test -f a.txt'];
      await box.call('run', ...check, '--', 'sh', '-c', 'echo A > a.txt');
      await box.policy({ restarts: 0 }).call('run', ...check, '--', 'sh', '-c', 'exit 7');
      const open = (await box.show()).questions as { id: string }[];
      await box.call('answer', open[0]?.id ?? '', 'abandon', '--follow');
      const publish = ['bus', 'publish', '--task', 't', '--agent', 'other'];
      await box.call(...publish, '--status', 'RUNNING');
      await box.call(...publish, '--status', 'FAILED', '--result', 'FAILURE', '--error', 'no space');

      const agents = JSON.parse((await box.call('agents', '--json')).stdout) as { agent_id: string }[];
      expect(agents.toSorted((a, b) => a.agent_id.localeCompare(b.agent_id))).toMatchObject([
        {
          agent_id: 'command',
          external: false,
          tasks: 2,
          attempts: 2,
          succeeded: 1,
          failed: 1,
          success_share: 0.5,
          flagged: null,
        },
        {
          agent_id: 'other',
          external: true,
          tasks: 1,
          succeeded: 0,
          failed: 1,
          success_share: 0,
          flagged: null,
        },
      ]);
      const told = (await box.call('agents')).stdout;
      expect(told).toMatch(/command +supervised +2 tasks +50 %/);
      expect(told).toMatch(/other +external +1 task +0 %/);
    }));

  it('a flag is cleared by name, once, and by nothing else', () =>
    inBox(async (box) => {
      await box.call('bus', 'publish', '--type', 'AGENT_FLAGGED', '--agent', 'odd', '--reason', 'lies');
      expect((await box.call('agents')).stdout).toContain('FLAGGED 1x: lies');
      for (const args of [['clear'], ['clear', 'nobody'], ['forgive', 'odd']]) {
        const { exitCode } = await box.call('agents', ...args);
        expect(exitCode, args.join(' ')).toBe(2);
      }
      const cleared = await box.call('agents', 'clear', 'odd', '--note', 'it was the clock', '--json');
      expect(JSON.parse(cleared.stdout)).toEqual({ agent_id: 'odd', cleared: true });
      expect((await box.call('agents', 'clear', 'odd')).stderr).toContain('NOT_FLAGGED');
      expect((await box.call('bus')).stdout).toContain('it was the clock');
    }));
});
