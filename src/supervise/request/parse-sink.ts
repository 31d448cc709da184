/** `parseSink`: turns the text of `--sink` into data. */
import { resolve } from 'node:path';
import { isBranchName, type SinkSpec } from '../../core/vocabulary/task.ts';
import { usageError } from '../../platform/mayday-error.ts';

/**
 * `from`: where relative paths begin. `named`: a person typed it; a sink that only a file names must stay in the repository.
 * `what`: how an error names it.
 */
export function parseSink(text: string, runId: string, from: string, named: boolean, what: string): SinkSpec {
  const place = named ? {} : ({ confined: true } as const);
  const [kind, rest] = split(text);
  switch (kind) {
    case 'none':
      return { type: 'none' };
    case 'pr':
      return { type: 'pull_request' };
    case 'branch':
      if (text === 'branch') return { type: 'branch', name: `mayday/${runId}` };
      if (rest !== '') return { type: 'branch', name: branchName(rest) };
      break;
    case 'merge':
      if (rest !== '') return { type: 'merge', branch: branchName(rest) };
      break;
    case 'dir':
      if (rest !== '') return { type: 'directory', path: resolve(from, rest), ...place };
      break;
    case 'patch':
      if (rest !== '') return { type: 'patch', file: resolve(from, rest), ...place };
      break;
    default:
  }
  throw usageError('WRONG_SINK', `${what} names no sink`, [
    ['do', 'branch:NAME, none, dir:PATH, patch:FILE, merge:BRANCH or pr'],
  ]);
}

function split(text: string): [string, string] {
  const colon = text.indexOf(':');
  return colon === -1 ? [text, ''] : [text.slice(0, colon), text.slice(colon + 1)];
}

/** A first check. Git checks the name again when the branch is made. */
function branchName(name: string): string {
  if (!isBranchName(name))
    throw usageError('WRONG_BRANCH', `${JSON.stringify(name.slice(0, 80))} cannot be the name of a branch`, [
      ['do', 'letters, digits, dots, dashes and single slashes always serve, e.g. --sink branch:fix/login'],
    ]);
  return name;
}
