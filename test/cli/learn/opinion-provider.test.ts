import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import type { Invocation } from '../../../src/cli/command.ts';
import { opinionProvider } from '../../../src/cli/learn/opinion-provider.ts';
import { opinionFinding } from '../../../src/cli/machine/doctor-opinion.ts';
import { temporaryDirectory } from '../../temporary-directory.ts';

const TOKEN = `ghp_${'A1b2'.repeat(9)}`;

async function atHand(options: Invocation['options'], { home = '', here = '' } = {}) {
  const [own, cwd] = [temporaryDirectory(), temporaryDirectory()];
  writeFileSync(join(own, 'mayday.yaml'), home);
  writeFileSync(join(cwd, 'mayday.yaml'), here);
  const env = { PATH: process.env['PATH'], HOME: own, MAYDAY_HOME: own };
  const hand = await opinionProvider({ options, env, cwd } as unknown as Invocation);
  return { hand, finding: await opinionFinding(own, cwd) };
}

it('nobody is asked by a command unless the person or their configuration says so', async () => {
  expect((await atHand({})).hand).toMatchObject({ type: 'nobody', why: 'no model is asked' });
  const { hand } = await atHand({}, { home: 'opinion: claude\n' });
  expect(hand).toMatchObject({
    type: 'provider',
    provider: { name: 'claude' },
    limits: { deadlineMs: 60_000 },
  });
});

it('--opinion names who is asked, and none always wins', async () => {
  const { hand } = await atHand({ opinion: `command:cat > /dev/null; echo '{"a":1}'` });
  if (hand.type === 'nobody') expect.fail(hand.why);
  const reply = await hand.provider.ask('why?', new AbortController().signal);
  expect(reply).toMatchObject({ text: '{"a":1}\n', costUsd: null });
  expect(hand.redact(`token ${TOKEN}`)).not.toContain(TOKEN);
  const none = await atHand({ opinion: 'none' }, { home: 'opinion: claude\n' });
  expect(none.hand.type).toBe('nobody');
});

it('a folder that nobody trusts names nobody', async () => {
  const { hand, finding } = await atHand({}, { here: 'opinion: "command:./mine"\n' });
  expect(hand).toEqual({ type: 'nobody', why: 'the configuration of this folder is not trusted' });
  expect(finding.says).toContain('before you trust');
});

it('the doctor says who would be asked, and the most it costs', async () => {
  expect((await atHand({})).finding.says).toMatch(
    /each run of an agent CLI asks that CLI.*at most 4 a run, 60 s each, \$0\.1/,
  );
  const named = await atHand(
    {},
    { home: 'opinion: {agent: codex, model: small}\npolicy: {opinion_questions: 2}\n' },
  );
  expect(named.finding.says).toMatch(/^codex \(small\) is asked; at most 2 a run/);
  expect((await atHand({}, { home: 'opinion: none\n' })).finding.says).toBe('no model is asked');
});
