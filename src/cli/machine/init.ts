/** `mayday init`: writes a starter configuration from what the project shows. It asks at most four questions, none with --yes. */
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline/promises';
import { stringify } from 'yaml';
import { AGENT_NAMES, findAdapter } from '../../agents/registry.ts';
import { detectProject } from '../../act/project/detect-project.ts';
import { inspectRepository } from '../../act/workspace/inspect-repository.ts';
import { agentEnvironment } from '../../platform/process/environment.ts';
import { usageError } from '../../platform/mayday-error.ts';
import { findCommand } from '../../platform/container/startable.ts';
import { assertPersonHere } from '../../supervise/mail/assert-person.ts';
import { CONFIG_FILE, type Config, loadConfig } from '../../supervise/request/config.ts';
import { trustConfig } from '../../supervise/request/config-trust.ts';
import { maydayHome } from '../../supervise/home.ts';
import type { Invocation } from '../command.ts';
import { print } from '../print.ts';

const HEAD =
  '# Mayday: how this repository is worked on and proven. Every key: docs/reference/configuration.md\n';
const EXAMPLE = '# checks: [npm test]\n# setup: npm ci\n# agent: claude\n';

type Ask = (question: string, proposed: string) => Promise<string>;

export async function run(invocation: Invocation): Promise<number> {
  const { cwd, env, options, json, stdout } = invocation;
  const home = maydayHome(env);
  const { root, kind, head } = await inspectRepository(cwd, { home, env, needsCommit: false });
  const path = join(root, CONFIG_FILE);
  // The configuration that `init` writes or finds is trusted from now on.
  await assertPersonHere(home, env, '`mayday init`');
  if (existsSync(path)) return await trustExisting(home, root, path, invocation);
  const project = await detectProject(root);
  const ask = options['yes'] === true || json || !process.stdin.isTTY ? null : prompter();
  const config: Config = {};
  const agent = await answer(ask?.ask, 'Which agent?', firstAgent(env, root) ?? '');
  if (agent !== '') config.agent = agent;
  const checks = await answer(ask?.ask, 'Which command proves the work?', project.checks[0] ?? '');
  if (checks !== '') config.checks = checks === project.checks[0] ? [...project.checks] : [checks];
  const setup = await answer(ask?.ask, 'What makes a fresh copy usable?', project.setup ?? '');
  if (setup !== '') config.setup = setup;
  const isPriced = findAdapter(agent)?.capabilities.measures.includes('usd') === true;
  const usd = isPriced
    ? Number(await answer(ask?.ask, 'Hard limit per run in dollars? (empty: none)', ''))
    : 0;
  if (usd > 0) config.budget = { usd };
  ask?.close();
  if (project.ignoredToCopy.length > 0) config.copy = [...project.ignoredToCopy];
  if (project.nodeModules !== 'setup') config.node_modules = project.nodeModules;
  const isEmpty = Object.keys(config).length === 0;
  writeFileSync(path, `${HEAD}${isEmpty ? EXAMPLE : stringify(config)}`, { flag: 'wx' });
  await trustConfig(home, loadConfig(root));
  const why = [
    ...(agent === ''
      ? []
      : [`agent ${agent}: ${ask === null ? 'it is the first one on the PATH' : 'you chose it'}`]),
    ...project.why,
    ...(config.checks === undefined
      ? ['nothing here tells how work is proven: name a command under checks, or give --check to each run']
      : []),
    ...(config.budget === undefined ? ['no budget: --budget-usd or --budget-time limits one run'] : []),
  ];
  if (json) stdout.write(`${JSON.stringify({ file: path, config, why })}\n`);
  else {
    const start = kind === 'git' && head === null ? 'git add -A && git commit -m "start" && ' : '';
    const next = `next  ${start}mayday run ${agent === '' ? '--agent NAME ' : ''}"what should be done"`;
    stdout.write([`wrote ${CONFIG_FILE}`, ...why.map((line) => `  ${line}`), '', next, ''].join('\n'));
  }
  return 0;
}

/** With `init --yes` over a file that another person wrote, the person says: I read it and trust it. */
async function trustExisting(
  home: string,
  root: string,
  path: string,
  invocation: Invocation,
): Promise<number> {
  if (invocation.options['yes'] !== true)
    throw usageError('CONFIG_EXISTS', `${path} is there already`, [
      ['do', 'edit it; or mayday init --yes to trust the commands in it'],
    ]);
  const config = loadConfig(root);
  await trustConfig(home, config);
  const text = `the commands in ${CONFIG_FILE} are trusted on this machine now\n`;
  return print(invocation, { file: path, config, trusted: true }, text);
}

function firstAgent(env: NodeJS.ProcessEnv, cwd: string): string | undefined {
  const path = agentEnvironment(env)['PATH'] ?? '';
  return AGENT_NAMES.find(
    (name) => name !== 'command' && name !== 'rehearsal' && isFound(findCommand(name, cwd, path)),
  );
}

function isFound(found: string): boolean {
  return found !== 'missing' && found !== 'not-executable';
}

async function answer(ask: Ask | undefined, question: string, proposed: string): Promise<string> {
  return ask === undefined ? proposed : await ask(question, proposed);
}

function prompter(): { readonly ask: Ask; readonly close: () => void } {
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  return {
    ask: async (question, proposed) =>
      (await terminal.question(`${question}${proposed === '' ? '' : ` [${proposed}]`} `)).trim() || proposed,
    close: () => terminal.close(),
  };
}
