/** What the source alone does not tell: codes that are put together at run time, and words for where a call has no advice. */
import type { ErrorPage } from './error-codes.ts';

function note(code: string, exitCode: 1 | 2, says: string, todo: string): ErrorPage {
  return { code, exitCode, says: says === '' ? [] : [says], advice: [['do', todo]], files: [] };
}

export const notes: readonly ErrorPage[] = [
  note(
    'AGENT_UNUSABLE',
    1,
    'the program answers, but not like the agent it should be',
    'call it by hand; mayday doctor',
  ),
  note('LOGIN_MISSING', 1, 'the agent CLI has no login', 'log in with the agent itself, then run again'),
  note(
    'UNSUPPORTED_RUNTIME',
    1,
    'Mayday needs Node 24 or newer, and Linux or macOS',
    'install Node 24; on Windows use WSL 2',
  ),
  note(
    'INTERNAL',
    1,
    "a promise of Mayday's own code was broken",
    'report it; mayday verify tells whether the record holds',
  ),
  note('AGENT_NOT_NAMED', 2, '', 'mayday run -- COMMAND, or --agent NAME'),
  note('ARGUMENT_HAS_NUL', 2, '', 'take the NUL byte out of the command line'),
  note(
    'ATTEMPT_FORBIDDEN',
    1,
    '',
    'nothing: another keeper has taken the run over; mayday show RUN tells its story',
  ),
  note('CONFIG_TOO_LARGE', 2, '', 'split out what is no configuration'),
  note('NO_TASK_FILE', 2, 'cannot read the task file', 'check the path that follows --task-file'),
  note(
    'SESSION_NOT_FOUND',
    2,
    'there is no such session',
    'mayday autopsy without a path looks for the latest session',
  ),
  note(
    'NO_POLICY_FILE',
    2,
    'cannot read the policy',
    'write the limits to try as YAML, for example: loop_stop: 4',
  ),
  note(
    'INPUT_TOO_LARGE',
    2,
    'the input is too large to be read, or has no end',
    'tail -c 100M FILE | mayday diagnose',
  ),
  note('SESSION_TOO_LARGE', 2, 'the session file is too large to be read', 'name another file'),
  note('UNKNOWN_AGENT', 2, '', 'mayday doctor lists the agents; own names go under agents: in mayday.yaml'),
  note('UNKNOWN_OPTION', 2, '', 'one of the options that are printed'),
  note('WRONG_BRANCH', 2, '', 'a name that git accepts (git check-ref-format --branch NAME)'),
  note(
    'BUDGET_NOT_MEASURED',
    2,
    'the agent does not tell what it uses, so the limit would be void',
    '--budget-time works for every agent; Claude Code tells tokens, dollars and turns',
  ),
  note(
    'WRONG_VARIABLE',
    2,
    '',
    '--env NAME or --env NAME=VALUE; the names of Mayday itself are not for agents',
  ),
  note(
    'VARIABLE_NOT_SET',
    2,
    'the agent would start without it and fail late',
    'export it, or give --env NAME=VALUE or --env-file FILE',
  ),
  note(
    'NO_ENV_FILE',
    2,
    'cannot read the file with variables',
    'a text file with one NAME=VALUE or NAME in a line',
  ),
  note('WRONG_NUMBER', 2, '', 'a plain number, as in --budget-usd 5'),
  note('WRONG_OPTION', 2, '', 'mayday COMMAND --help'),
  note('WRONG_SCENARIO', 2, '', 'mend the named key; docs/reference/drills.md has the format'),
  note('WRONG_SCRIPT', 2, '', 'mend the named key; docs/reference/drills.md has the steps'),
];
