import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type Box, inBox } from './box.ts';

const SECRET = 'f3k9x2m8-value-of-a-key';
/** Refuses to work without its key, as the real one does. */
const CODEX = `#!/bin/sh
if test -z "$OPENAI_API_KEY"; then
  echo 'ERROR: unexpected status 401 Unauthorized: Missing bearer or basic authentication in header' >&2
  exit 1
fi
echo "the key is $OPENAI_API_KEY"
echo A > a.txt
`;

function withCodex(box: Box): NodeJS.ProcessEnv {
  const folder = join(box.folder, 'bin');
  mkdirSync(folder);
  writeFileSync(join(folder, 'codex'), CODEX, { mode: 0o755 });
  return { PATH: `${folder}:${process.env['PATH']}`, OPENAI_API_KEY: SECRET };
}

/** Every file below the home that holds the text, except the agent's raw output: 0600, erased by retention. */
function filesWith(box: Box, text: string): string[] {
  return readdirSync(box.home, { recursive: true, encoding: 'utf8' }).filter((name) => {
    const path = join(box.home, name);
    if (/attempts\/\d+\/std(out|err)$/.test(name)) return false;
    return existsSync(path) && statSync(path).isFile() && readFileSync(path).includes(text);
  });
}

const CHECK = ['--check', 'test -f a.txt'];

describe('a key that nobody passed', () => {
  it('is named at the start, in the diagnosis and as an option; passed by the answer, the run delivers', () =>
    inBox(async (box) => {
      const env = withCodex(box);
      const ran = await box.start(['run', ...CHECK, '--', 'codex', 'exec'], { env }).done;
      expect(ran.exitCode).toBe(3);
      expect(ran.stderr).toContain(
        'mayday: set here and not passed to the agent: OPENAI_API_KEY; --env NAME passes one',
      );
      const { questions, incidents } = (await box.show()) as unknown as {
        questions: { id: string; text: string; recommended: string }[];
        incidents: { class: string; root_cause: string }[];
      };
      expect(incidents[0]).toMatchObject({
        class: 'auth_failure',
        root_cause: expect.stringContaining(
          'OPENAI_API_KEY is set in your shell and was not passed (--env OPENAI_API_KEY)',
        ),
      });
      expect(questions[0]).toMatchObject({ recommended: 'retry' });
      const answered = await box.start(['answer', questions[0]?.id ?? '', 'pass_env', '--follow'], { env })
        .done;
      expect({ ...answered, exitCode: answered.exitCode }).toMatchObject({ exitCode: 0 });
      expect((await box.show()).state).toBe('delivered');
      expect(filesWith(box, SECRET)).toEqual([]);
    }));

  it('reaches an agent of the configuration by itself: its program documents it', () =>
    inBox(async (box) => {
      const env = withCodex(box);
      mkdirSync(box.home, { recursive: true });
      writeFileSync(join(box.home, 'mayday.yaml'), 'agents: { mine: { command: [codex, exec] } }\n');
      const ran = await box.start(['run', '--agent', 'mine', ...CHECK, 'write a'], { env }).done;
      expect(ran).toMatchObject({ exitCode: 0, stderr: expect.not.stringContaining('not passed') });
    }));
});

describe('a value for one run', () => {
  it('outlives the keeper, is in one 0600 file while the run lives, in no argv, and nowhere after the end', () =>
    inBox(async (box) => {
      const go = join(box.folder, 'go');
      const script = `test "$MY_LOGIN" = '${SECRET}' || exit 9; echo "login $MY_LOGIN"; test -f ${go} || { touch ${go}; exit 1; }; echo A > a.txt`;
      const agent = join(box.folder, 'agent.sh');
      writeFileSync(agent, script);
      const file = join(box.folder, 'variables');
      writeFileSync(file, `MY_LOGIN=${SECRET}\n`);
      // The first life fails; the keeper is killed in the pause, and another shell, which does not know the value, goes on.
      box.policy({ backoff_ms: 60_000, backoff_max_ms: 60_000 });
      const ran = await box.call(
        'run',
        '--detach',
        '--env-file',
        file,
        ...CHECK,
        'write a',
        '--',
        'sh',
        agent,
      );
      expect(ran.exitCode).toBe(0);
      await box.until('it waits', async () => (await box.show()).state === 'waiting');
      expect(box.processes().filter(({ command }) => command.includes(SECRET))).toEqual([]);
      const holding = filesWith(box, SECRET);
      expect(holding).toEqual([expect.stringMatching(/^runs\/\w+\/environment\.json$/)]);
      expect(statSync(join(box.home, holding[0] ?? '')).mode & 0o777).toBe(0o600);
      process.kill(box.keeper() ?? 0, 'SIGKILL');
      await box.until('the keeper is gone', () => box.keeper() === undefined);
      const { run_id } = await box.show();
      await box.call('resume', run_id, '--detach');
      await box.until('it is delivered', async () => (await box.show()).state === 'delivered');
      await box.until('the value is erased', () => filesWith(box, SECRET).length === 0);
    }));
});

it('a name that is not set is refused before the run, an unknown one of a repository needs trust', () =>
  inBox(
    async (box) => {
      const unset = await box.call('run', '--env', 'NO_SUCH_NAME', 'x', '--', 'true');
      expect(unset).toMatchObject({ exitCode: 2, stderr: expect.stringContaining('VARIABLE_NOT_SET') });
      const asked = await box.call('run', '--agent', 'mine', 'x');
      expect(asked).toMatchObject({
        exitCode: 1,
        stderr: expect.stringContaining('variable AWS_SECRET_ACCESS_KEY for mine'),
      });
    },
    { 'mayday.yaml': 'agents: { mine: { command: ["true"], env: [AWS_SECRET_ACCESS_KEY] } }\n' },
  ));
