/** `startAgent`: starts the program of a plan, in a session of its own, with its output in the spools of the attempt. */
import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import { type AttendantPlan, spoolPaths } from './attempt-files.ts';

export function startAgent(
  attemptDir: string,
  plan: AttendantPlan,
  prefix: readonly string[],
  witness: number | undefined,
): ChildProcess {
  const paths = spoolPaths(attemptDir);
  const stdin = openSync(plan.stdinFile ?? '/dev/null', 'r');
  const stdout = openSync(paths.stdout, 'a', 0o600);
  const stderr = plan.mergeOutput ? stdout : openSync(paths.stderr, 'a', 0o600);
  const isHidden = prefix.length > 0;
  const [command = '', ...args] = [...prefix, ...plan.argv];
  try {
    return spawn(command, args, {
      cwd: plan.cwd,
      env: plan.env,
      stdio: [
        stdin,
        stdout,
        stderr,
        ...(witness === undefined ? [] : [witness]),
        ...(isHidden ? ['pipe' as const] : []),
      ],
      detached: true,
    });
  } finally {
    for (const file of new Set([stdin, stdout, stderr])) closeSync(file);
  }
}
