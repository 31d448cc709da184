import { spawnSync } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { AgentFailure } from '../../../src/agents/adapter.ts';
import { explainAttempt } from '../../../src/act/attempt/explain-attempt.ts';
import type { Attempt } from '../../../src/core/state/run-state.ts';
import { Story } from '../../core/story.ts';

const OUTPUT = 'loading plan\nthe frobnicator could not be aligned with axis 7\nbye\n';
const NO_WORK = { created: [], changed: [], deleted: [], completed: [], missing: [], delivered: false };
const ANSWER = {
  failure_class: 'environment',
  root_cause: 'axis 7 is missing in frob.cfg',
  evidence: ['the frobnicator could not be aligned with axis 7'],
  next_step: 'add axis 7 to frob.cfg',
  confidence: 0.95,
};

async function explain(
  options: object,
  env: NodeJS.ProcessEnv,
  failure: AgentFailure | null = null,
  home = tmpdir(),
) {
  const { state } = new Story().prepared().started();
  const attempt = { ...(state.attempts[0] as Attempt), exitCode: 3 };
  return await explainAttempt({
    attempt,
    verdict: { claimsDone: false, failure, deniedTools: [], usage: null },
    output: OUTPUT,
    work: NO_WORK,
    workspace: tmpdir(),
    context: {
      home,
      state: { ...state, options: { ...state.options, ...options } },
      env,
      signal: new AbortController().signal,
      now: () => 0,
    },
  });
}

describe('what the rules cannot explain', () => {
  it('is put to the allowed model, whose answer counts because its evidence is in the output', async () => {
    const server = createServer((request, response) => {
      request.resume();
      response.writeHead(200, { 'content-type': 'application/json' });
      response.end(
        JSON.stringify({
          content: [{ type: 'tool_use', id: 't1', name: 'answer', input: ANSWER }],
          usage: { input_tokens: 10, output_tokens: 5 },
        }),
      );
    });
    await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
    try {
      const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
      const recovery = { provider: 'anthropic', url, model: 'm', keyVariable: 'RECOVERY_KEY' };
      expect(await explain({ recovery }, { RECOVERY_KEY: 'k' })).toMatchObject({
        failureType: 'environment',
        rootCause: expect.stringContaining('axis 7 is missing') as string,
      });
      expect((await explain({ recovery }, {}))?.rootCause).not.toContain('axis 7 is missing in frob.cfg');
    } finally {
      server.close();
    }
  });

  it('is put to an agent CLI that reads nothing of the home, where the machine can hide it', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'mayday-explain-'));
    const [program, home] = [join(folder, 'claude'), join(folder, 'home')];
    await mkdir(home);
    await writeFile(join(home, 'person.key'), 'secret');
    const result = { type: 'result', is_error: false, num_turns: 1, structured_output: ANSWER };
    const canHide = process.getuid?.() !== 0 || spawnSync('unshare', ['--mount', 'true']).status === 0;
    const script = `cat > /dev/null; ls ${home}/person.key > ${folder}/seen; echo '${JSON.stringify(result)}'`;
    await writeFile(program, `#!/bin/sh\n${script}\n`, { mode: 0o755 });
    try {
      const recovery = { provider: 'claude', command: [program], model: null };
      expect(await explain({ recovery }, process.env, null, home)).toMatchObject({
        failureType: 'environment',
      });
      if (canHide) expect(await readFile(join(folder, 'seen'), 'utf8')).toBe('');
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  });

  it('is put to the agent CLI of this machine where that is allowed', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'mayday-explain-'));
    const program = join(folder, 'claude');
    const result = {
      type: 'result',
      is_error: false,
      num_turns: 1,
      structured_output: ANSWER,
    };
    await writeFile(program, `#!/bin/sh\ncat > /dev/null\necho '${JSON.stringify(result)}'\n`, {
      mode: 0o755,
    });
    try {
      const recovery = { provider: 'claude', command: [program], model: null };
      expect(await explain({ recovery }, { PATH: '/usr/bin:/bin' })).toMatchObject({
        failureType: 'environment',
        rootCause: 'axis 7 is missing in frob.cfg',
      });
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  });

  it('is explained by a pattern of the team before any rule', async () => {
    const pattern = {
      id: 'axis',
      title: 'an axis is missing',
      when: { says: ['could not be aligned with axis'] },
      class: 'environment',
      cause: 'frob.cfg lacks the axis',
      recovery: 'add it',
      prevention: 'check frob.cfg in CI',
    };
    expect(await explain({ patterns: [pattern] }, {})).toMatchObject({
      failureType: 'environment',
      rootCause: expect.stringContaining('frob.cfg lacks the axis') as string,
    });
  });
});

it('a limit that the agent itself tells to the second stays exact', async () => {
  const told = {
    class: 'rate_limited',
    reason: 'limit',
    evidence: ['429'],
    status: 429,
    retryAt: 40_000,
  } as const;
  expect(await explain({}, {}, { ...told, retryExactToMs: 5_000 })).toMatchObject({
    retryAt: 40_000,
    retryExactToMs: 5_000,
  });
  expect(await explain({}, {}, told)).not.toHaveProperty('retryExactToMs');
});
