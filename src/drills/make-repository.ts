/** `makeRepository`: makes the repository of a drill: its files in one commit, or in two where the scenario has a past. */
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { personGit } from '../platform/git/git.ts';
import type { Scenario } from './scenario.ts';

export async function makeRepository(
  path: string,
  { files, before }: Scenario,
  env: NodeJS.ProcessEnv,
): Promise<void> {
  mkdirSync(path, { recursive: true });
  const git = (...args: string[]) =>
    personGit({
      args: ['-c', 'user.name=Drill', '-c', 'user.email=drill@localhost', ...args],
      cwd: path,
      env,
    });
  const commit = async (content: Readonly<Record<string, string>>, message: string) => {
    for (const [name, text] of Object.entries(content)) {
      mkdirSync(dirname(join(path, name)), { recursive: true });
      writeFileSync(join(path, name), text);
    }
    await git('add', '--all');
    await git('commit', '--quiet', '--no-gpg-sign', '--message', message);
  };
  await git('init', '--quiet', '--initial-branch=main', '.');
  if (before !== undefined) {
    await commit(before, 'long before the drill');
    for (const name of Object.keys(before)) rmSync(join(path, name));
  }
  await commit(files, 'before the drill');
}
