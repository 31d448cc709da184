import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type Box, inBox } from './box.ts';

const FILL = 'git -c protocol.file.allow=always submodule update --quiet --init';

/** Another repository inside this one, filled in every workspace by the set-up command. */
function withSubmodule(box: Box, origin = join(box.folder, 'origin')): void {
  const git = (...args: string[]) =>
    execFileSync('git', ['-c', 'user.name=T', '-c', 'user.email=t@localhost', ...args], { cwd: origin });
  mkdirSync(origin);
  git('init', '--quiet', '--initial-branch=main');
  writeFileSync(join(origin, 'README.md'), 'as it was\n');
  git('add', '--all');
  git('commit', '--quiet', '-m', 'other');
  box.git('-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'add', origin, 'sm');
  box.git('commit', '--quiet', '-m', 'with a submodule');
  mkdirSync(box.home, { recursive: true });
  writeFileSync(join(box.home, 'mayday.yaml'), `setup: ${FILL}\n`);
}

type Run = {
  run_id: string;
  state: string;
  blockers: { code: string; evidence: string[] }[];
  questions: { id: string; text: string; options: { id: string }[] }[];
  delivered: { files: string[] } | null;
  proof: { files: { path: string; standing: string }[] };
};

const shell = (script: string) => ['--', 'sh', '-c', script];

const COMMIT_INSIDE =
  'cd sm && echo changed >> README.md && git -c user.name=A -c user.email=a@localhost commit --quiet --all -m inside';

describe('a repository with a submodule', () => {
  it('is proposed the set-up that fills it, and not warned when it is filled', () =>
    inBox(async (box) => {
      withSubmodule(box);
      const filled = await box.call(
        'run',
        '--check=test -s sm/README.md',
        'add it',
        ...shell('echo mine > mine.txt'),
      );
      expect(filled.exitCode).toBe(0);
      expect(filled.stdout + filled.stderr).not.toContain('The repository has submodules');
      const proposed = await box.call('init', '--yes', '--json');
      expect(proposed.stdout).toContain('git submodule update --init --recursive');
    }));
});

describe('a submodule at another published commit', () => {
  it('is delivered without a question, and verify --rerun finds it as it was judged', () =>
    inBox(async (box) => {
      // Of the temporary folder a check sees only its own repository.
      const origin = join(box.repository, '.git/origin');
      withSubmodule(box, origin);
      writeFileSync(join(origin, 'README.md'), 'changed\n');
      const newest = 'git -c user.name=T -c user.email=t@localhost commit --quiet --all -m newer';
      execFileSync('sh', ['-c', newest], { cwd: origin });
      const { stdout } = await box.call(
        'run',
        '--json',
        '--check=grep -q changed sm/README.md',
        'take the newest',
        ...shell('git -C sm checkout --quiet origin/main'),
      );
      const run = JSON.parse(stdout) as Run;
      expect(run).toMatchObject({ state: 'delivered', questions: [], delivered: { files: ['sm'] } });
      expect(run.proof.files).toMatchObject([{ path: 'sm', standing: 'judge' }]);
      const tip = execFileSync('git', ['rev-parse', 'main'], { cwd: origin, encoding: 'utf8' }).trim();
      expect(box.git('rev-parse', `mayday/${run.run_id}:sm`).trim()).toBe(tip);
      const again = await box.call('verify', '--json', '--rerun', run.run_id);
      const found = JSON.parse(again.stdout) as { rerun: { problems: string[]; remarks: string[] } };
      expect(found.rerun).toMatchObject({ problems: [], remarks: [] });
      expect(again.exitCode).toBe(0);
    }));
});

describe('work inside a submodule', () => {
  it.each([
    ['changed there', 'echo changed >> sm/README.md'],
    ['committed there', COMMIT_INSIDE],
  ])('is not delivered as if it had been checked: %s', (_, agent) =>
    inBox(async (box) => {
      withSubmodule(box);
      const check = 'grep -q changed sm/README.md';
      const { exitCode, stdout } = await box.call(
        'run',
        '--json',
        `--check=${check}`,
        'change it',
        ...shell(agent),
      );
      const run = JSON.parse(stdout) as Run;
      expect({ exitCode, delivered: run.delivered }).toEqual({ exitCode: 3, delivered: null });
      expect(run.blockers).toMatchObject([{ code: 'scope_exceeded', evidence: ['sm/README.md'] }]);
      expect(run.questions[0]?.text).toContain('sm/README.md lies in a submodule');
      expect(run.questions[0]?.options.map(({ id }) => id)).toEqual(['revise_work', 'abandon']);
    }),
  );

  it('can be left out: the rest is checked without it and delivered', () =>
    inBox(async (box) => {
      withSubmodule(box);
      const agent = 'echo changed >> sm/README.md; echo mine > mine.txt';
      const asked = await box.call('run', '--json', '--check=test -f mine.txt', 'add it', ...shell(agent));
      const [question] = (JSON.parse(asked.stdout) as Run).questions;
      const answered = await box.call('answer', '--json', question?.id ?? '', 'split_work');
      expect(answered.exitCode).toBe(0);
      const run = await box.until('the rest is delivered', async () => {
        const shown = (await box.show()) as unknown as Run;
        return shown.state === 'working' ? undefined : shown;
      });
      expect(run).toMatchObject({ state: 'delivered', delivered: { files: ['mine.txt'] } });
      expect(box.git('ls-tree', '-r', `mayday/${run.run_id}`, 'sm')).toContain('160000');
    }));
});
