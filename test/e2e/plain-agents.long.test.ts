import { resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { inBox } from './box.ts';

const RECORDINGS = resolve(import.meta.dirname, '../recordings');

/** Prints what the real CLI printed, event by event. */
const plays = (recording: string) =>
  `while IFS= read -r line; do printf '%s\\n' "$line"; sleep 0.02; done <'${RECORDINGS}/${recording}.jsonl'`;

describe('an agent CLI that is started as a plain command', () => {
  it.each(['codex', 'opencode'])('%s in an endless loop is stopped, and the next attempt delivers', (agent) =>
    inBox(async (box) => {
      box.policy({ backoff_ms: 20, stop_soft_ms: 300, stop_term_ms: 300 });
      const script = `if [ "$MAYDAY_ATTEMPT" = 1 ]; then ${plays(`${agent}/loop`)}; sleep 600; fi; echo x > a.txt`;
      const { exitCode, stderr } = await box.call(
        'run',
        '--check',
        'test -f a.txt',
        '--',
        'sh',
        '-c',
        script,
      );
      expect(exitCode, stderr).toBe(0);
      const { attempts, incidents } = await box.show();
      expect(attempts).toHaveLength(2);
      expect(attempts[0]).toMatchObject({ ended_by: 'mayday' });
      expect(incidents).toMatchObject([{ class: 'looping' }]);
    }),
  );

  it('codex that works is left alone', () =>
    inBox(async (box) => {
      const script = `${plays('codex/ok')}; echo x > a.txt`;
      const { exitCode } = await box.call('run', '--check', 'test -f a.txt', '--', 'sh', '-c', script);
      expect(exitCode).toBe(0);
      expect(await box.show()).toMatchObject({ attempts: [{ number: 1 }], incidents: [] });
    }));
});
