import { writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type Box, inBox } from './box.ts';

const RECORDINGS = resolve(import.meta.dirname, '../recordings');

/** Prints what the real CLI printed, event by event. */
const plays = (recording: string) =>
  `while IFS= read -r line; do printf '%s\\n' "$line"; sleep 0.02; done <'${RECORDINGS}/${recording}.jsonl'`;

const runOf = (box: Box, script: string) =>
  box.call('run', '--check', 'test -f a.txt', '--', 'sh', '-c', script);

describe('an agent CLI that is started as a plain command', () => {
  it.each(['codex', 'opencode'])('%s in an endless loop is stopped, and the next attempt delivers', (agent) =>
    inBox(async (box) => {
      box.policy({ backoff_ms: 20, stop_soft_ms: 300, stop_term_ms: 300 });
      const script = `if [ "$MAYDAY_ATTEMPT" = 1 ]; then ${plays(`${agent}/loop`)}; sleep 600; fi; echo x > a.txt`;
      const { exitCode, stderr } = await runOf(box, script);
      expect(exitCode, stderr).toBe(0);
      const { attempts, incidents } = await box.show();
      expect(attempts).toHaveLength(2);
      expect(attempts[0]).toMatchObject({ ended_by: 'mayday' });
      expect(incidents).toMatchObject([{ class: 'looping' }]);
    }),
  );

  it('one that says the same words for ever in a message without an end is stopped, and the next attempt delivers', () =>
    inBox(async (box) => {
      box.policy({ backoff_ms: 20, stop_soft_ms: 300, stop_term_ms: 300 });
      const line = (fields: object) =>
        `printf '%s\\n' '${JSON.stringify({ ...fields, session_id: 's', uuid: 'u' })}'`;
      const piece = (text: string) =>
        line({
          type: 'stream_event',
          parent_tool_use_id: null,
          event: { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text } },
        });
      const begin = line({ type: 'system', subtype: 'init', model: 'm' });
      const chant = piece('I will now look at the file again. ');
      const script = `if [ "$MAYDAY_ATTEMPT" = 1 ]; then ${begin}; while :; do ${chant}; sleep 0.02; done; fi; echo x > a.txt`;
      const { exitCode, stderr } = await runOf(box, script);
      expect(exitCode, stderr).toBe(0);
      const { attempts, incidents } = await box.show();
      expect(attempts).toMatchObject([{ ended_by: 'mayday' }, { ended_by: 'itself' }]);
      const reason = expect.stringMatching(/repeated \d+ times inside one message$/);
      const signals = attempts[0]?.['signals'] as object[];
      expect(signals.at(-1)).toMatchObject({ type: 'monologue', severity: 'critical', reason });
      expect(incidents).toMatchObject([{ class: 'looping' }]);
    }));

  it('codex that works is left alone', () =>
    inBox(async (box) => {
      const script = `${plays('codex/ok')}; echo x > a.txt`;
      const { exitCode } = await runOf(box, script);
      expect(exitCode).toBe(0);
      expect(await box.show()).toMatchObject({ attempts: [{ number: 1 }], incidents: [] });
    }));
});

describe('a plain command that prints the same lines over and over', () => {
  const SHORT = {
    repeat_warn_ms: 500,
    repeat_stop_ms: 2_000,
    stop_soft_ms: 300,
    stop_term_ms: 300,
    backoff_ms: 20,
  };
  const loops = (until: string, ...lines: readonly string[]) =>
    `until ${until}; do ${lines.map((line) => `echo '${line}'; `).join('')}sleep 0.05; done`;
  const runs = (box: Box, script: string) =>
    box.start(['run', '--check', 'test -f a.txt', '--', 'sh', '-c', `${script}; echo x > a.txt`]).done;

  it('is stopped when they state a failure, and the next attempt delivers', () =>
    inBox(async (box) => {
      const script = loops('test "$MAYDAY_ATTEMPT" = 2', 'Running npm test', '1 failing: add');
      const { exitCode, stderr } = await runs(box.policy(SHORT), script);
      expect(exitCode, stderr).toBe(0);
      const { attempts, incidents } = await box.show();
      expect(attempts).toMatchObject([{ ended_by: 'mayday' }, { ended_by: 'itself', signals: [] }]);
      // A starved keeper reads many rounds at once, and has no time to warn.
      const signals = attempts[0]?.['signals'] as object[];
      const reason = expect.stringMatching(/^prints the same 2 lines over and over, .*: 1 failing: add$/);
      expect(signals.at(-1)).toMatchObject({ type: 'repeated_error', severity: 'critical', reason });
      expect(incidents).toMatchObject([{ class: 'looping' }]);
    }));

  it('is told in the list and the alerts while it is only a warning, and left alone', () =>
    inBox(async (box) => {
      const done = runs(
        box.policy({ ...SHORT, repeat_stop_ms: 3_600_000 }),
        loops(`test -f '${box.folder}/told'`, 'Running npm test', '1 failing: add'),
      );
      const alerts = await box.until('the alert', async () => {
        const { stdout } = await box.call('ps', '--alerts', '--json');
        return stdout.includes('repeated_error') && (JSON.parse(stdout) as object[]);
      });
      const reason = expect.stringMatching(
        /^prints the same 2 lines over and over, \d+ times in \d+ s: 1 failing: add$/,
      );
      expect(alerts).toMatchObject([{ type: 'repeated_error', severity: 'warning', reason }]);
      expect(await box.show()).toMatchObject({ state: 'working', why: reason });
      writeFileSync(join(box.folder, 'told'), '');
      expect((await done).exitCode).toBe(0);
    }));

  it('is left alone when they only say that it waits or lives', () =>
    inBox(async (box) => {
      const rounds = 2 * (SHORT.repeat_stop_ms / 50);
      const script = `n=0; ${loops(`test $((n += 1)) -gt ${rounds}`, 'still waiting for the build', '3 passed, 0 failed')}`;
      expect((await runs(box.policy(SHORT), script)).exitCode).toBe(0);
      expect((await box.show()).attempts).toMatchObject([{ ended_by: 'itself', signals: [] }]);
    }));
});
