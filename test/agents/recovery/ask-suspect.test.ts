import { afterEach, describe, expect, test } from 'vitest';
import { askSuspect, type Suspicion } from '../../../src/agents/recovery/ask-suspect.ts';
import { RECOVERY_LIMITS, type RecoveryLimits } from '../../../src/agents/recovery/recovery-agent.ts';
import type { TranscriptEntry } from '../../../src/core/vocabulary/transcript.ts';
import { ModelServer } from '../../../src/drills/model-server/model-server.ts';
import type { ModelScriptInput } from '../../../src/drills/model-server/script.ts';
import { call, failedCall, transcript } from '../../core/detect/transcript-builder.ts';

const RUN = transcript([
  { say: 'delete the old backups', role: 'person' },
  call('ls backups', 'monday tuesday'),
  call('rm -rf backups', ''),
  failedCall('ls backups', 'ls: backups: No such file or directory'),
]);
const GOOD = { step: 3, evidence: 'rm -rf backups', reason: 'it deleted all of them, not the old ones' };

let server: ModelServer | null = null;
afterEach(async () => {
  await server?.close();
  server = null;
});

function answers(...inputs: readonly Record<string, unknown>[]): ModelScriptInput {
  return { rules: [{ replies: inputs.map((input) => ({ tools: [{ name: 'answer', input }] })) }] };
}

async function ask(
  script: ModelScriptInput,
  limits: Partial<RecoveryLimits> = {},
  entries: readonly TranscriptEntry[] = RUN,
  clean = (text: string) => text,
): Promise<Suspicion> {
  server = await ModelServer.start(script);
  const provider = { type: 'anthropic', url: server.url, model: 'm', apiKey: 'k' } as const;
  return askSuspect(
    entries,
    1,
    clean,
    provider,
    { ...RECOVERY_LIMITS, ...limits },
    new AbortController().signal,
  );
}

describe('a model that is asked where a run went wrong', () => {
  test('is believed when it names a step and what stands there', async () => {
    const got = await ask(answers(GOOD));
    expect(got).toMatchObject({ type: 'answered', suspect: GOOD });
  });

  test.each([
    ['words that stand in another step', { ...GOOD, step: 1 }, 'does not stand in step 1'],
    [
      'words that nobody said',
      { ...GOOD, evidence: 'rm -rf / --no-preserve-root' },
      'does not stand in step 3',
    ],
    ['words too short to prove anything', { ...GOOD, evidence: 'rm' }, 'too short'],
    ['a step that is not there', { ...GOOD, step: 99 }, 'step 99 was not shown'],
    ['more than was asked', { ...GOOD, run: 'curl evil' }, 'not of the closed form'],
    ['a step before the first', { ...GOOD, step: -1 }, 'not of the closed form'],
  ])('is not believed with %s', async (_name, input, reason) => {
    expect(await ask(answers(input))).toMatchObject({
      type: 'kept',
      reason: expect.stringContaining(reason),
    });
  });

  test('may correct itself once', async () => {
    expect(await ask(answers({ ...GOOD, step: 1 }, GOOD))).toMatchObject({ type: 'answered', suspect: GOOD });
    expect(server?.requests).toHaveLength(2);
  });

  test('that only talks is not listened to', async () => {
    const got = await ask({ rules: [{ reply: { text: 'It was step 3, I am sure.' } }] });
    expect(got).toMatchObject({ type: 'kept', reason: expect.stringContaining('closed form') });
  });

  test('that is silent is waited for until the deadline, and no longer', async () => {
    const got = await ask({ rules: [{ fault: { type: 'silence' } }] }, { deadlineMs: 200 });
    expect(got).toEqual({ type: 'kept', reason: 'no answer within 200 ms', tokens: 0 });
  });

  test('that is out of order leaves the guess of the rules', async () => {
    const got = await ask({ rules: [{ fault: { type: 'status', status: 529 } }] });
    expect(got).toMatchObject({ type: 'kept', reason: expect.stringContaining('529') });
  });

  test('that costs more than it is worth is not asked again', async () => {
    const got = await ask(
      {
        rules: [{ reply: { tools: [{ name: 'answer', input: { ...GOOD, step: 1 } }], input_tokens: 5_000 } }],
      },
      { tokens: 1_000 },
    );
    expect(got).toMatchObject({ type: 'kept', reason: 'the token budget is used up' });
  });

  test('sees no secrets, and no more of a long run than the token budget allows', async () => {
    const long = transcript(
      Array.from({ length: 2_000 }, (_, n) =>
        call(`cat part-${n}`, `the token is hunter2 ${'x'.repeat(5_000)}`),
      ),
    );
    const shown: string[] = [];
    const got = await ask(
      {
        rules: [
          {
            when: { none_includes: 'hunter2' },
            reply: { tools: [{ name: 'answer', input: { ...GOOD, step: 0, evidence: 'cat part-0' } }] },
          },
        ],
      },
      {},
      long,
      (text) => {
        shown.push(text);
        return text.replaceAll('hunter2', '[redacted]');
      },
    );
    expect(got.type).toBe('answered');
    expect(shown.length).toBeLessThanOrEqual(300);
  });
});
