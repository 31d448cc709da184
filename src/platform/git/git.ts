/**
 * `guardedGit`, `closedGit`: run git. No git of Mayday reads a configuration, attributes or hooks that an agent could have written: on the
 * person's repository `guardedGit` is the door, on Mayday's own ones `shadowGit` (shadow-git.ts). Where programs of the person must run
 * (filters, ssh), they are named by settings from before the agent and run inside the cover.
 * `expectGit`: throws if a call failed. `lineOf`: its one line of output.
 */
import { homedir } from 'node:os';
import { join } from 'node:path';
import { isFolder } from '../file/file-kind.ts';
import { MaydayError } from '../mayday-error.ts';
import { commandFolder, removeCommandFolder } from '../process/command-folder.ts';
import { SYSTEM_PATH } from '../process/system-program.ts';
import { diskFull, exhausted, pathOf, tooManyFiles } from '../storage-error.ts';
import { CLOSED, NO_HOME } from './closed-environment.ts';
import { type GitPlace, gitFolderAt, locateRepository } from './locate-repository.ts';
import { makeStandIn } from './stand-in.ts';
import { type GitCall, type GitResult, runCovered, runGit } from './start-git.ts';

export type GitSettings = readonly (readonly [key: string, value: string])[];

/**
 * Git on the person's repository, at any time: the only door to it. Git reads a stand-in (stand-in.ts), an empty environment and these
 * settings.
 */
export async function guardedGit(call: GitCall, settings: GitSettings = []): Promise<GitResult> {
  const { GIT_DIR: named, ...gitEnv } = call.gitEnv ?? {};
  const place = named === undefined ? locateRepository(call.cwd) : gitFolderAt(named);
  return await withStandIn(call, place, async (standIn) => {
    const own = {
      GIT_DIR: standIn,
      ...(place === null ? {} : { GIT_INDEX_FILE: join(place.gitDir, 'index') }),
      ...(place === null || place.workTree === null ? {} : { GIT_WORK_TREE: place.workTree }),
      ...gitEnv,
    };
    const cover = call.cover && { ...call.cover, show: [standIn, ...call.cover.show] };
    const attributes = ['core.attributesFile', join(standIn, 'attributes')] as const;
    const ownIndex = gitEnv['GIT_INDEX_FILE'];
    return await closedGit({ ...call, cover, ownIndex, gitEnv: own }, [...settings, attributes], NO_REMOTE);
  });
}

/** A stand-in that is there while it is used; an empty folder where there is no repository. */
export async function withStandIn<T>(
  { cover, home, env, attributes }: Pick<GitCall, 'cover' | 'home' | 'env' | 'attributes'>,
  place: GitPlace | null,
  use: (standIn: string) => Promise<T>,
): Promise<T> {
  const folder = await commandFolder(cover?.home ?? home ?? homeThatIs(env), null);
  try {
    const standIn = join(folder, 'git');
    if (place !== null) makeStandIn(standIn, place, attributes);
    return await use(standIn);
  } catch (error) {
    // What is used up cannot be seen any more once the folder is removed.
    throw exhausted(error, pathOf(error));
  } finally {
    await removeCommandFolder(folder);
  }
}

/** Git with these settings and no other; without a cover, only with those that name no program. */
export async function closedGit(
  call: GitCall,
  settings: GitSettings,
  more: GitSettings = [],
): Promise<GitResult> {
  const isCovered = call.cover !== undefined;
  const given = isCovered
    ? settings
    : [...settings.filter(([key]) => CONVERSION.test(key) || DATA.test(key)), ...more];
  const own = { ...CLOSED, ...settingsEnvironment([...given, ...GUARDS]), ...call.gitEnv };
  if (call.cover !== undefined) return await runCovered(call, { ...personVariables(call.env), ...own });
  return await runGit({ ...call, env: { PATH: call.env['PATH'] ?? SYSTEM_PATH, ...NO_HOME, ...own } });
}

/** Mayday's folder as the environment names it, where it is there. Elsewhere no agent of this person has worked. */
function homeThatIs({ MAYDAY_HOME }: NodeJS.ProcessEnv): string | undefined {
  const home = MAYDAY_HOME || join(homedir(), '.mayday');
  return isFolder(home) ? home : undefined;
}

/** The variables that the person's own programs get: neither git's nor Mayday's. */
function personVariables(env: NodeJS.ProcessEnv): Record<string, string> {
  const kept = Object.entries(env).filter(([name]) => !/^(?:GIT|MAYDAY)_/.test(name));
  return Object.fromEntries(kept.flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])));
}

/** Settings that override every configuration file, in a form that also allows keys with `=` in them. */
export function settingsEnvironment(settings: GitSettings): Record<string, string> {
  const variables: Record<string, string> = { GIT_CONFIG_COUNT: String(settings.length) };
  for (const [index, [key, value]] of settings.entries()) {
    variables[`GIT_CONFIG_KEY_${index}`] = key;
    variables[`GIT_CONFIG_VALUE_${index}`] = value;
  }
  return variables;
}

/** Settings that decide what bytes a file has. None of them can name a program. */
export const CONVERSION =
  /^core\.(?:autocrlf|eol|safecrlf|symlinks|filemode|ignorecase|precomposeunicode|checkroundtripencoding|sparsecheckout(?:cone)?)$/i;
const DATA = /^core\.(?:excludesfile|attributesfile|fsync|fsyncmethod)$/i;

const GUARDS: GitSettings = [
  ['core.hooksPath', '/dev/null'],
  ['core.fsmonitor', 'false'],
  // They say again what objects say, and are not compared with them.
  ['core.commitGraph', 'false'],
  ['core.multiPackIndex', 'false'],
  ['gc.auto', '0'],
  ['maintenance.auto', 'false'],
  ['submodule.recurse', 'false'],
];
const NO_REMOTE: GitSettings = [['protocol.allow', 'never']];

/** Throws when git failed, for callers that do not handle a failure themselves. */
export function expectGit(result: GitResult, doing: string): GitResult {
  if (result.exitCode === 0) return result;
  throw gitFailed(result, doing);
}

export function gitFailed(result: GitResult, doing: string): MaydayError {
  const line = firstLine(result.stderr);
  const [path = 'what git has to write'] = /\/[^:'"]+/.exec(line) ?? [];
  if (/No space left on device|Disk quota exceeded/.test(result.stderr)) return diskFull(path, line);
  if (/Too many open files/.test(result.stderr)) return tooManyFiles('EMFILE', line);
  const how = result.killedBy ? `was ended by ${result.killedBy}` : `ended with ${result.exitCode}`;
  const advice = /Permission denied/.test(result.stderr)
    ? 'check the owner and mode of what git names'
    : 'read the message of git above; run `mayday doctor` if it names no cause';
  return new MaydayError('GIT_FAILED', `git ${how} while ${doing}: ${line}`, [
    ['did', 'nothing was changed by this step beyond what git had finished'],
    ['do', advice],
  ]);
}

function firstLine(text: string): string {
  const line = text.split('\n').find((candidate) => candidate.trim() !== '') ?? 'no message';
  return line.trim().slice(0, 500);
}

/** The output of a command that prints one line, without its line end. */
export function lineOf(result: GitResult): string {
  return result.stdout.toString('utf8').replace(/\n$/, '');
}
