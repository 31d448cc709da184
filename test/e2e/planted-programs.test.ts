/**
 * An agent plants a program in every setting that git documents, in every place that git reads; Mayday's own programs run none of them.
 * The trap notes each time that it ran, and whether it saw the record: then it was not inside the cover.
 */
import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type Box, inBox } from './box.ts';

/** As the installed git documents them; a placeholder becomes the name that the planted attributes, or the remote, go by. */
const KEYS = execFileSync('git', ['help', '--config'], { encoding: 'utf8' })
  .split('\n')
  .filter((key) => /^[a-z]\w*\./i.test(key) && !/^include/i.test(key))
  .map((key) => key.replace('remote.<name>', 'remote.origin').replaceAll(/<[^>]+>|\*/g, 'evil'));
const NAMES_PROGRAM =
  /(?:command|cmd|program|helper|hook|driver|textconv|editor|askpass|fsmonitor|external|gitproxy|clean|smudge|vcs|uploadpack|receivepack|browser|viewer)$|^(?:alias|pager)\./i;
const NO_PROGRAM = /^(?:advice|column|commit|clean|fsck|receive|completion|gitcvs)\./i;
const PROGRAMS = [
  ...KEYS.filter((key) => NAMES_PROGRAM.test(key) && !NO_PROGRAM.test(key)),
  'filter.evil.process',
  'core.pager',
];
// biome-ignore format: names stand together
const HOOKS = [
  'applypatch-msg', 'pre-applypatch', 'post-applypatch', 'pre-commit', 'pre-merge-commit', 'prepare-commit-msg', 'commit-msg', 'post-commit',
  'pre-rebase', 'post-checkout', 'post-merge', 'pre-push', 'pre-receive', 'update', 'proc-receive', 'post-receive', 'post-update',
  'reference-transaction', 'push-to-checkout', 'pre-auto-gc', 'post-rewrite', 'sendemail-validate', 'fsmonitor-watchman', 'post-index-change',
];
const ATTRIBUTES = '* filter=evil diff=evil merge=evil\n';
/** Variables that git documents as naming a program, or a file with settings. */
// biome-ignore format: names stand together
const VARIABLES = [
  'GIT_EDITOR', 'GIT_SEQUENCE_EDITOR', 'GIT_PAGER', 'GIT_SSH', 'GIT_SSH_COMMAND', 'GIT_ASKPASS', 'GIT_PROXY_COMMAND', 'GIT_EXTERNAL_DIFF',
  'SSH_ASKPASS', 'EDITOR', 'VISUAL', 'PAGER',
];

interface Trap {
  readonly program: string;
  readonly ran: () => string;
}

function trapIn(box: Box): Trap {
  const program = join(box.folder, 'trap.sh');
  const trace = join(box.folder, 'trace');
  const sees = `[ -e '${box.home}/record.db' ] && echo 'SAW THE RECORD' >> '${trace}'`;
  writeFileSync(program, `#!/bin/sh\necho "ran $*" >> '${trace}'\n${sees}\ncat 2>/dev/null\nexit 0\n`);
  chmodSync(program, 0o755);
  return { program, ran: () => (existsSync(trace) ? readFileSync(trace, 'utf8') : '') };
}

function settings(keys: readonly string[], program: string): string {
  return keys
    .map((key) => {
      const parts = key.split('.');
      const [section = '', name = ''] = [parts[0], parts.at(-1)];
      const middle = parts.slice(1, -1).join('.');
      return `[${section}${middle === '' ? '' : ` "${middle}"`}]\n\t${name} = ${program}\n`;
    })
    .join('');
}

/** A line for `sh` that writes the texts into their files. */
function writing(files: Readonly<Record<string, string>>): string {
  const lines = Object.entries(files).map(
    ([path, text]) => `mkdir -p "$(dirname '${path}')"; cat > '${path}' <<'END'\n${text}END\n`,
  );
  return lines.join('');
}

/** The person's home, with a name for commits. */
function person(box: Box): { readonly home: string; readonly global: string } {
  const home = join(box.folder, 'person');
  mkdirSync(join(home, '.config/git'), { recursive: true });
  const global = join(home, '.gitconfig');
  writeFileSync(global, '[user]\n\tname = Pat\n\temail = pat@example.com\n');
  Object.assign(box.env, { HOME: home, XDG_CONFIG_HOME: join(home, '.config') });
  return { home, global };
}

/** What the agent writes: all keys, in all places, and the hooks. */
function plant(box: Box, keys: readonly string[], { program }: Trap): string {
  const { home, global } = person(box);
  const git = join(box.repository, '.git');
  const planted = settings(keys, program);
  const files = {
    [`${box.folder}/more.gitconfig`]: planted,
    [`${home}/all.attributes`]: ATTRIBUTES,
    [global]: `${planted}[core]\n\tattributesFile = ${home}/all.attributes\n[include]\n\tpath = ${box.folder}/more.gitconfig\n`,
    [`${home}/.config/git/config`]: planted,
    [`${home}/.config/git/attributes`]: ATTRIBUTES,
    [`${git}/config`]: `[core]\n\trepositoryformatversion = 1\n\tbare = false\n[extensions]\n\tworktreeConfig = true\n${planted}[include]\n\tpath = ${box.folder}/more.gitconfig\n`,
    [`${git}/config.worktree`]: planted,
    [`${git}/info/attributes`]: ATTRIBUTES,
    '.gitattributes': ATTRIBUTES,
  };
  const hooks = `mkdir -p ${git}/hooks; for hook in ${HOOKS.join(' ')}; do cp '${program}' ${git}/hooks/$hook; done`;
  const own = `cp ${git}/config.worktree "$(sed 's/gitdir: //' .git)/config.worktree"`;
  return `${writing(files)}${hooks}\n${own}\necho a > a.txt\necho changed > README.md\n`;
}

/** Every question is answered as the person would who accepts the work. */
async function delivered(box: Box, ...args: string[]): Promise<string> {
  const ran = await box.call('run', '--json', '--check', 'test -f a.txt', ...args);
  for (let asked = 0; asked < 5; asked += 1) {
    const { state, questions } = (await box.show()) as never as {
      state: string;
      questions: { id: string; state: string; options: { id: string }[] }[];
    };
    if (state === 'delivered') return (await box.show()).run_id;
    const open = questions.find((question) => question.state === 'open');
    expect(open, `${state}: ${ran.stdout.slice(0, 3_000)}${ran.stderr}`).toBeDefined();
    const option = open?.options.find(({ id }) => ['record_judgment', 'accept', 'approve'].includes(id));
    const said = await box.call(
      'answer',
      open?.id ?? '',
      option?.id ?? open?.options[0]?.id ?? '',
      '--note',
      'meant',
    );
    expect(said.exitCode, said.stderr).not.toBe(2);
    await box.until('it goes on', async () => {
      const now = (await box.show()) as never as {
        state: string;
        questions: { id: string; state: string }[];
      };
      return (
        now.state === 'delivered' ||
        now.questions.some(({ id, state }) => id !== open?.id && state === 'open')
      );
    });
  }
  throw new Error('it asks for ever');
}

async function everythingElse(box: Box, runId: string): Promise<void> {
  for (const words of [
    ['verify'],
    ['verify', '--rerun', runId],
    ['show', runId],
    ['diff', runId],
    ['checkpoints', runId],
    ['checkpoint', runId],
    ['restore', runId],
    ['ps', '--here'],
    ['sweep'],
    ['init', '--json'],
    ['doctor'],
  ])
    await box.call(...words);
}

const LIMIT_MS = 600_000;

describe('a program that an agent plants', () => {
  it.each([
    ['the default branch', PROGRAMS, []],
    ['a merge', PROGRAMS, ['--sink', 'merge:main']],
    ['a patch', PROGRAMS, ['--sink', 'patch:../work.patch']],
    ['a folder', PROGRAMS, ['--sink', 'dir:../out']],
    ['a branch, in every key that git documents', KEYS, []],
  ])(
    'in every setting and place of git does not run: %s',
    async (_, keys, sink) => {
      expect(PROGRAMS.length).toBeGreaterThan(30);
      await inBox(async (box) => {
        const trap = trapIn(box);
        const script = join(box.folder, 'agent.sh');
        writeFileSync(script, plant(box, keys, trap));
        const runId = await delivered(box, ...sink, 'x', '--', 'sh', script);
        await everythingElse(box, runId);
        expect(trap.ran()).toBe('');
        if (keys === PROGRAMS) {
          const env = { ...process.env, ...box.env };
          execFileSync('sh', ['-c', 'git status; git add -A; git commit -qm x || true'], {
            cwd: box.repository,
            env,
            stdio: 'ignore',
          });
          expect(trap.ran(), 'the trap works').toContain('SAW THE RECORD');
        }
      });
    },
    LIMIT_MS,
  );

  it(
    'in a variable of git, or a file that one names, does not run',
    () =>
      inBox(async (box) => {
        const trap = trapIn(box);
        const { home } = person(box);
        const file = join(home, 'by-variable.gitconfig');
        writeFileSync(file, settings(PROGRAMS, trap.program));
        writeFileSync(join(home, '.config/git/attributes'), ATTRIBUTES);
        for (const name of VARIABLES) box.env[name] = trap.program;
        Object.assign(box.env, { GIT_CONFIG_SYSTEM: file, GIT_CONFIG_GLOBAL: file, GIT_CONFIG_COUNT: '1' });
        Object.assign(box.env, { GIT_CONFIG_KEY_0: 'filter.evil.clean', GIT_CONFIG_VALUE_0: trap.program });
        const runId = await delivered(box, 'x', '--', 'sh', '-c', 'echo a > a.txt');
        await everythingElse(box, runId);
        expect(trap.ran()).toBe('');
      }),
    LIMIT_MS,
  );

  it(
    'before a run starts, by the agent of another one, runs at most inside the cover, and the record stays closed to it',
    () =>
      inBox(async (box) => {
        const trap = trapIn(box);
        const { home, global } = person(box);
        const keys = ['filter.evil.clean', 'filter.evil.smudge', 'core.fsmonitor', 'core.sshCommand'];
        writeFileSync(
          global,
          `${readFileSync(global, 'utf8')}${settings(keys, trap.program)}[core]\n\tattributesFile = ${home}/all\n`,
        );
        writeFileSync(join(home, 'all'), ATTRIBUTES);
        const runId = await delivered(box, 'x', '--', 'sh', '-c', 'echo a > a.txt');
        await everythingElse(box, runId);
        expect(trap.ran(), 'filters of the person run').toContain('ran');
        expect(trap.ran()).not.toContain('SAW THE RECORD');
      }),
    LIMIT_MS,
  );
});
