/**
 * `runSetup`, `assertSetUp`: run the command that makes a fresh tree usable, and refuse a tree in which it failed. `isInstaller`,
 * `installsOnly`: what such a command does. `leftWarnings`: what does not run without a person's word.
 */
import { basename } from 'node:path';
import type { SetupLeft } from '../../core/vocabulary/run-options.ts';
import type { HiddenHome } from '../../platform/container/hide-home.ts';
import { MaydayError } from '../../platform/mayday-error.ts';
import { runCommand } from '../../platform/process/run-command.ts';
import type { SetupOutcome } from '../workspace/workspace.ts';
import type { Equipment } from './equip-tree.ts';

const TAIL_CHARACTERS = 4_000;

/** Runs the setup command of a workspace or check tree, for example `npm ci` or `uv sync`. */
export async function runSetup(
  command: string,
  cwd: string,
  { env, hidden, setupTimeoutMs, signal }: Pick<Equipment, 'env' | 'hidden' | 'setupTimeoutMs' | 'signal'>,
): Promise<SetupOutcome> {
  const result = await runCommand({
    argv: ['sh', '-c', command],
    cwd,
    env,
    timeoutMs: setupTimeoutMs,
    // Setup needs the network to install, also where checks have none.
    hidden: hidden && { ...hidden, show: [cwd], owns: [cwd], withoutNetwork: false, ...keptLayers(hidden) },
    signal,
  });
  return {
    command,
    exitCode: result.timedOut ? null : result.exitCode,
    durationMs: result.durationMs,
    outputTail: result.output.slice(-TAIL_CHARACTERS),
  };
}

/** What it brings into a cache is there for the checks. */
function keptLayers({ layers = [] }: HiddenHome): Pick<HiddenHome, 'layers'> {
  return { layers: layers.map((layer) => ({ ...layer, keeps: true })) };
}

export function isSetUp(setup: SetupOutcome | null): boolean {
  return setup === null || setup.exitCode === 0;
}

/** Refuses a tree in which nothing can work. */
export function assertSetUp(setup: SetupOutcome | null): void {
  if (setup === null || setup.exitCode === 0) return;
  const ended = setup.exitCode === null ? 'took too long' : `ended with exit code ${setup.exitCode}`;
  throw new MaydayError('SETUP_FAILED', `the set-up command \`${setup.command}\` ${ended}`, [
    ['happened', setup.outputTail.trimEnd().split('\n').slice(-SHOWN_LINES).join('\n')],
    ['did', 'no agent and no check was started in that tree'],
    ['do', 'mend it on this machine and answer retry: it runs again; or answer skip_setup'],
  ]);
}

const SHOWN_LINES = 5;

/** Says what would have made the tree usable and how to allow it; nothing where installed modules do. */
export function leftWarnings(left: SetupLeft | undefined, brought: readonly string[]): readonly string[] {
  const { untrusted, lacks = [] } = left ?? {};
  const allow = `--trust allows it in this repository from now on, --setup ${JSON.stringify(untrusted)} once, --setup none leaves it out`;
  const warning = `This repository suggests the set-up ${untrusted}; nobody allowed it here, so it did not run: ${allow}.`;
  return [
    ...(untrusted && !installsOnly(untrusted, brought) ? [warning] : []),
    ...(brought.length > 0 ? [] : lacks),
  ];
}

/** Commands that do nothing but install what manifests name, and the folders of the tree that they fill. */
const INSTALLERS: readonly (readonly [RegExp, readonly string[]])[] = [
  [/^(?:(?:npm|pnpm|yarn|bun) (?:ci|i|install)|yarn)(?: --?[\w=-]+)*$/, ['node_modules']],
  [/^(?:uv sync|poetry install|pipenv sync)(?: --?[\w=-]+)*$/, ['.venv', 'venv']],
  [/^(?:bundle install|go mod download|cargo fetch|composer install)(?: --?[\w=-]+)*$/, []],
  [/^python3? -m venv \.?venv$|^\.?venv\/bin\/pip install(?: --?[\w=-]+| -r [\w./-]+)*$/, ['.venv', 'venv']],
];

function fills(setup: string): (readonly string[] | undefined)[] {
  return setup.split('&&').map((part) => INSTALLERS.find(([installer]) => installer.test(part.trim()))?.[1]);
}

/** False: the command may run files of the tree. */
export function isInstaller(setup: string): boolean {
  return fills(setup).every((folders) => folders !== undefined);
}

/** True: the command would only install what is already linked or copied. */
export function installsOnly(setup: string, brought: readonly string[]): boolean {
  const names = new Set(brought.map((path) => basename(path)));
  return fills(setup).every((folders = []) => folders.some((name) => names.has(name)));
}
