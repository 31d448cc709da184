/** The story of the passwordless login, told with the real command line, real processes and a real repository. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, it } from 'vitest';
import { type Box, inBox } from './box.ts';

interface Run {
  readonly run_id: string;
  readonly state: string;
  readonly outcome_reason: string;
  readonly attempts: unknown[];
  readonly scope: { readonly allowed: string[] };
  readonly checkpoints: { readonly tree: string }[];
  readonly delivered: { readonly files: string[]; readonly ref: string } | null;
  readonly blockers: { readonly code: string; readonly returns_to: string; readonly evidence: string[] }[];
  readonly questions: {
    readonly id: string;
    readonly text: string;
    readonly options: { readonly id: string; readonly label: string }[];
  }[];
}

const POLICY = `id: rate-limited-links
policy: no account-access link without rate limiting
paths: [src/auth/**]
when_added: ['loginLink']
require: ['rateLimit']
`;

function put(box: Box, files: Readonly<Record<string, string>>): void {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(box.repository, path)), { recursive: true });
    writeFileSync(join(box.repository, path), text);
  }
  box.git('add', '--all');
  box.git('commit', '-qm', 'project');
}

async function run(
  box: Box,
  agent: string,
  scope: string,
  check: string,
): Promise<{ exitCode: number | null; run: Run }> {
  const file = join(box.folder, 'agent.sh');
  writeFileSync(file, agent);
  const args = [
    'run',
    '--json',
    '--scope',
    scope,
    '--check',
    check,
    'add passwordless login',
    '--',
    'sh',
    file,
  ];
  const { exitCode, stdout } = await box.call(...args);
  return { exitCode, run: JSON.parse(stdout) as Run };
}

async function answer(
  box: Box,
  { questions }: Run,
  option: string,
  note: string,
): Promise<{ exitCode: number | null; run: Run }> {
  const id = questions.at(-1)?.id ?? '';
  const { exitCode, stdout } = await box.call('answer', id, option, '--note', note, '--follow', '--json');
  return { exitCode, run: JSON.parse(stdout) as Run };
}

it('token storage is needed but outside the scope: Mayday blocks, asks, and goes on from the same checkpoint', () =>
  inBox(async (box) => {
    put(box, { 'src/auth/session.js': 'session\n' });
    const agent =
      'mkdir -p db; echo "tokens" > db/token_store.js; echo "loginLink(tokens)" > src/auth/login.js';
    const check = 'grep -q tokens db/token_store.js && grep -q loginLink src/auth/login.js';
    const asked = await run(box, agent, 'src/auth/**', check);
    expect(asked.exitCode).toBe(3);
    expect(asked.run.blockers).toMatchObject([
      { code: 'scope_exceeded', returns_to: 'explore', evidence: ['db/token_store.js'] },
    ]);
    expect(asked.run.questions[0]?.text).toBe(
      'db/token_store.js was changed, but is outside the scope src/auth/**. Expand the scope to include db/token_store.js?',
    );
    expect(asked.run.questions[0]?.options.map(({ id }) => id)).toEqual([
      'expand_scope',
      'revise_work',
      'split_work',
      'abandon',
    ]);
    await box.until('nothing runs, nothing burns', () => box.processes().length === 0);
    const done = await answer(box, asked.run, 'expand_scope', '');
    expect(done.exitCode).toBe(0);
    expect(done.run).toMatchObject({
      run_id: asked.run.run_id,
      state: 'delivered',
      // The time to unblock counts although nothing had to be started anew.
      incidents: [{ class: 'scope_exceeded', outcome: 'resolved', resumed_at: expect.any(String) }],
    });
    expect(done.run.attempts).toHaveLength(1);
    expect(done.run.checkpoints).toEqual(asked.run.checkpoints);
    expect(done.run.scope.allowed).toEqual(['src/auth/**', 'db/token_store.js']);
    expect(done.run.delivered?.files).toEqual(['db/token_store.js', 'src/auth/login.js']);
    expect(box.git('show', `${done.run.delivered?.ref}:db/token_store.js`)).toBe('tokens\n');
    const ledger = JSON.parse((await box.call('ledger', done.run.run_id, '--json')).stdout) as {
      holds: boolean;
      entries: { kind: string; payload: { allowed?: string[] } }[];
    };
    expect(ledger.holds).toBe(true);
    expect(ledger.entries.filter(({ kind }) => kind === 'scope').at(-1)?.payload.allowed).toContain(
      'db/token_store.js',
    );
    expect((await box.call('verify')).exitCode).toBe(0);
  }));

const FORGETFUL = `echo "loginLink(token)" > src/auth/login.js
[ "$MAYDAY_ATTEMPT" = 1 ] || { grep -q "no account-access link without rate limiting" "$MAYDAY_BRIEF" && echo "rateLimit(loginLink)" >> src/auth/login.js; }`;

async function violated(box: Box): Promise<Run> {
  put(box, { 'src/auth/session.js': 'session\n', '.mayday/policies/links.yaml': POLICY });
  const { exitCode, run: found } = await run(box, FORGETFUL, 'src/auth/**', 'test -f src/auth/login.js');
  expect(exitCode).toBe(3);
  expect(found.blockers).toMatchObject([{ code: 'policy_violated', returns_to: 'build' }]);
  expect(found.questions[0]?.text).toContain('no account-access link without rate limiting');
  expect(found.questions[0]?.options).toMatchObject([
    {
      id: 'revise_work',
      label: expect.stringMatching(/^make it hold: “no account-access link without rate limiting”$/),
    },
    { id: 'waive_with_reason', label: expect.stringContaining('exception') },
    { id: 'abandon', label: 'reject the work' },
  ]);
  return found;
}

it('a link without rate limiting: the exception is recorded as the person’s own', () =>
  inBox(async (box) => {
    const done = await answer(box, await violated(box), 'waive_with_reason', 'pilot with ten customers');
    expect(done.exitCode, 'delivered, not proven').toBe(5);
    expect(done.run).toMatchObject({
      state: 'delivered',
      proven: false,
      not_proven: [expect.stringContaining('pilot with ten customers')],
    });
    expect(done.run.outcome_reason).toContain('the change breaks a policy of the repository (waived by');
    expect(done.run.outcome_reason).toContain('pilot with ten customers');
    expect(done.run.attempts).toHaveLength(1);
    const { stdout } = await box.call('ledger', done.run.run_id);
    expect(stdout).toContain('lifts policy_violated|policy rate-limited-links');
  }));

it('a link without rate limiting: the agent adds it and the policy holds', () =>
  inBox(async (box) => {
    const done = await answer(box, await violated(box), 'revise_work', '');
    expect(done.exitCode).toBe(0);
    expect(done.run.attempts).toHaveLength(2);
    expect(box.git('show', `${done.run.delivered?.ref}:src/auth/login.js`)).toContain('rateLimit');
  }));

it('a link without rate limiting: rejected, and the work is still there', () =>
  inBox(async (box) => {
    const done = await answer(box, await violated(box), 'abandon', 'not like this');
    expect(done.exitCode).toBe(4);
    expect(done.run.outcome_reason).toContain('not like this');
    expect(box.git('show', `mayday/${done.run.run_id}-wip:src/auth/login.js`)).toContain('loginLink');
  }));
