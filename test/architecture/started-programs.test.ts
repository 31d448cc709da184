/** Every file that starts a program has a row: which program, what configuration it reads, and what keeps it from believing an agent. */
import { globSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';

/**
 * - `closed`: it reads no file that an agent can write.
 * - `cover`: whatever it reads, it runs inside the cover of agents, where Mayday's own folder is hidden.
 * - `own`: Mayday itself, from its own files.
 * - `person`: a person asked for it at this moment, in their own terminal, without an agent of Mayday's.
 * - `inside`: a part of an agent, started inside its cover.
 */
type Guard = 'closed' | 'cover' | 'own' | 'person' | 'inside';

type Row = readonly [program: string, reads: string, guard: Guard];

// biome-ignore format: a row stands on one line
const STARTED_PROGRAMS: Readonly<Record<string, Row>> = {
  'platform/git/start-git.ts': ['git', 'its environment; a git directory of Mayday; filters and ssh: covered', 'closed'],
  'platform/git/git.ts': ['git', 'a stand-in and settings of before the agent', 'closed'],
  'platform/git/list-settings.ts': ['git config', 'all configuration, which it prints; it starts nothing', 'closed'],
  'platform/git/shadow-git.ts': ['git', 'the shadow repository', 'closed'],
  'act/checks/prepare-check-tree.ts': ['git', 'a git directory that Mayday has just made', 'closed'],
  'act/rerun-delivery.ts': ['git; checks again', 'a git directory of Mayday; checks read the home', 'cover'],
  'supervise/hosts/bring-run.ts': ['git clone', 'settings of now, ~/.ssh, helpers for passwords', 'cover'],
  'drills/play-drill.ts': ['git', 'the new repository of a drill', 'closed'],
  'cli/machine/doctor.ts': ['git --version; mayday', 'nothing', 'closed'],
  'act/deliver/forge/forge-gh.ts': ['gh, and its git', '~/.config/gh; a stand-in', 'cover'],
  'act/attempt/start-attempt.ts': ['the agent', 'all that is the person’s', 'cover'],
  'act/attempt/preflight.ts': ['the agent CLI, for its version', 'its settings in the home', 'cover'],
  'act/checks/verify-tree.ts': ['checks', 'the home as before the agent', 'cover'],
  'act/checks/shadowing-modules.ts': ['python3', 'Python’s start files in the home', 'cover'],
  'act/project/set-up.ts': ['set-up (npm, uv...)', 'the home as before the agent', 'cover'],
  'agents/opinion/program-provider.ts': ['an agent CLI without tools, or a command of mayday.yaml', 'its settings in the home', 'cover'],
  'supervise/notify/send-notice.ts': ['a command of mayday.yaml', 'what that command reads; the session bus stays in reach', 'cover'],
  'agents/acp/acp-client.ts': ['an ACP agent', 'all that is the person’s', 'inside'],
  'agents/rehearsal/play.ts': ['sh', 'nothing', 'inside'],
  'cli/look/attach.ts': ['the agent CLI again; --notify', 'all that is the person’s', 'person'],
  'cli/machine/bench.ts': ['node', 'nothing', 'own'],
  'supervise/start-keeper.ts': ['a keeper', 'Mayday’s own folder', 'own'],
  'platform/container/launch-attendant.ts': ['an attendant', 'Mayday’s own folder', 'own'],
  'platform/container/container.ts': ['an attendant', 'Mayday’s own folder', 'own'],
  'platform/container/start-agent.ts': ['agents and commands', 'as the row of their caller says', 'cover'],
  'platform/container/hide-home.ts': ['unshare, sh, sudo -n true', 'system files', 'closed'],
  'platform/container/cgroup.ts': ['sleep, sh, systemd-run', 'system files', 'closed'],
  'platform/container/container-level.ts': ['unshare, true', 'system files', 'closed'],
  'platform/container/spool-trim.ts': ['fallocate', 'nothing', 'closed'],
  'platform/container/witness.ts': ['mkfifo', 'nothing', 'closed'],
  'platform/process/run-command.ts': ['commands', 'as the row of their caller says', 'cover'],
  'platform/process/agent-user.ts': ['find, setpriv, sh', 'system files', 'closed'],
  'platform/process/proc-table.ts': ['ps', 'nothing', 'closed'],
  'platform/process/process-identity.ts': ['sysctl', 'nothing', 'closed'],
  'platform/process/socket-meter.ts': ['ss', 'nothing', 'closed'],
  'platform/process/system-program.ts': ['git --version', 'nothing', 'closed'],
  'platform/process/foreground.ts': ['as cli/look/attach.ts', 'all that is the person’s', 'person'],
  'platform/process/spawn.ts': ['keepers; programs inside an agent', 'as the row of their caller says', 'own'],
};

const SRC = resolve(import.meta.dirname, '../../src');
const STARTERS =
  'runCommand|startContained|spawnPiped|runInForeground|spawnDetached|runShell|spawnOutliving|runGit|closedGit|startTime';
const STARTS = new RegExp(`node:child_process|(?<![\\w.\`])(?:${STARTERS})\\(`);
const TYPES_ONLY = /import type [^;]*'node:child_process';/g;

function starters(): string[] {
  const files = globSync('**/*.ts', { cwd: SRC }).filter((file) => !file.startsWith('core/'));
  return files.filter((file) =>
    STARTS.test(readFileSync(join(SRC, file), 'utf8').replaceAll(TYPES_ONLY, '')),
  );
}

test('a file that starts a program has a row: say here what the program reads and what guards it', () => {
  expect(starters().filter((file) => !(file in STARTED_PROGRAMS))).toEqual([]);
});

test('a row belongs to a file that starts a program: delete the others here', () => {
  const all = starters();
  expect(Object.keys(STARTED_PROGRAMS).filter((file) => !all.includes(file))).toEqual([]);
});

test('a command that is covered names what is hidden from it', () => {
  const covered = Object.entries(STARTED_PROGRAMS).filter(([, [, , guard]]) => guard === 'cover');
  const open = covered.filter(
    ([file]) => !/hidden|cover|hiding/i.test(readFileSync(join(SRC, file), 'utf8')),
  );
  expect(open.map(([file]) => file)).toEqual([]);
});
