/** The page about removal, done to a repository in which everything happened that leaves something behind. */
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { type Box, inBox } from '../e2e/box.ts';
import { markdownBlocks } from './markdown-blocks.ts';
import { readPage } from './pages.ts';
import { ShellPage } from './shell-page.ts';

const LIMIT_MS = 240_000;
const QUICK = { backoff_ms: 1, backoff_max_ms: 1, stop_soft_ms: 300, stop_term_ms: 300, restarts: 0 };
const shell = (script: string) => ['--', 'sh', '-c', script];

function settings(box: Box): string {
  return box.git('config', '--local', '--list');
}

it(
  'removal as written leaves the repository as it was, with the delivered branches and no worktree of ours',
  () =>
    inBox(async (box) => {
      box.policy(QUICK);
      const before = settings(box);
      const onBranch = 'git checkout -q -b feature/y && touch y && git add y && git commit -qm y';
      await box.call('run', '--check=test -f y', 'x', ...shell(onBranch));
      const delivered = await box.show();
      expect(delivered.state).toBe('delivered');
      // Right away, before anything is removed.
      box.git('checkout', '-q', 'feature/y');
      box.git('checkout', '-q', 'main');
      await box.call('run', '--sink=none', '--check=true', 'x', ...shell('touch kept'));
      await box.call('run', '--check=false', 'x', ...shell('touch asks'));
      await box.call('run', '--detach', '--check=true', 'x', ...shell('touch works; sleep 600'));
      const work = join(box.home, 'work');
      await box.until('it works', () =>
        readdirSync(work).some((name) => existsSync(join(work, name, 'works'))),
      );

      const page = new ShellPage(box);
      const blocks = markdownBlocks(readPage('docs/how-to/upgrade-and-removal.md'));
      for (const { text } of blocks.filter(({ language, notRun }) => language === 'sh' && notRun === null)) {
        const { exitCode, output } = await page.run(text);
        expect(exitCode, `${text}\n${output}`).toBe(0);
        // Reading on takes a moment: keepers that end have ended.
        if (text.includes('abandon')) await box.until('all has ended', () => box.processes().length === 0);
      }
      expect(existsSync(box.home)).toBe(false);
      expect(box.processes()).toEqual([]);
      expect(box.git('worktree', 'list').trim().split('\n')).toHaveLength(1);
      expect(existsSync(join(box.repository, '.git/worktrees'))).toBe(false);
      expect(settings(box)).toBe(before);
      expect(box.git('status', '--porcelain')).toBe('');
      const refs = box.git('for-each-ref', '--format=%(refname)').trim().split('\n');
      const ours = refs.filter((ref) => /^refs\/heads\/mayday\/[a-z0-9]+(-wip)?$/.test(ref));
      expect(ours).toContain(`refs/heads/mayday/${delivered.run_id}`);
      expect(refs.filter((ref) => !ours.includes(ref))).toEqual(['refs/heads/feature/y', 'refs/heads/main']);
      box.git('checkout', '-q', 'feature/y');
    }),
  LIMIT_MS,
);
