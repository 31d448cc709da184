/** `mayday init`: writes a starter configuration from what the project shows. It asks at most four questions, none with --yes. */
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { CLI_AGENTS, findAdapter } from '../../agents/registry.ts';
import { detectProject, type ProjectProposal } from '../../act/project/detect-project.ts';
import { inspectRepository } from '../../act/workspace/inspect-repository.ts';
import { agentEnvironment } from '../../platform/process/environment.ts';
import { usageError } from '../../platform/mayday-error.ts';
import { findCommand } from '../../platform/container/startable.ts';
import { assertPersonHere } from '../../supervise/mail/assert-person.ts';
import { CONFIG_FILE, loadConfig } from '../../supervise/request/config.ts';
import type { Config } from '../../supervise/request/read-config.ts';
import { trustConfig } from '../../supervise/request/config-trust.ts';
import { maydayHome } from '../../supervise/home.ts';
import type { Invocation } from '../command.ts';
import { type Ask, converse } from '../conversation.ts';
import { print } from '../print.ts';
import { writeText } from '../write-text.ts';

const HEAD =
  '# How Mayday works on this repository and proves the work.\n# Every key: docs/reference/configuration.md of Mayday\n';
const OPINION =
  '# opinion: claude    # who is asked for an opinion by runs, diagnose and autopsy; none: nobody (docs/reference/opinions.md)\n';
const EXAMPLE = '# checks: [npm test]\n# setup: npm ci\n# agent: claude\n';

/** Any other program is named after `--`. */
const OFFERED = CLI_AGENTS.filter((name) => !name.endsWith('-acp'));

export async function run(invocation: Invocation): Promise<number> {
  const { cwd, env, options, json, stdout } = invocation;
  const home = maydayHome(env);
  // The configuration that `init` writes or finds is trusted from now on.
  await assertPersonHere(home, env, '`mayday init`');
  const { root, kind, head } = await inspectRepository(cwd, { home, env, needsCommit: false });
  const path = join(root, CONFIG_FILE);
  if (existsSync(path)) return await trustExisting(home, root, path, invocation);
  const project = await detectProject(root, agentEnvironment(env)['PATH'] ?? '');
  const first = firstAgent(env, root) ?? '';
  const asks = options['yes'] !== true && !json && process.stdin.isTTY;
  if (asks && project.why.length > 0) writeText(stdout, `${project.why.join('\n')}\n\n`);
  const config = asks
    ? await converse(stdout.stream, (ask) => askedConfig(ask, project, first))
    : proposedConfig(project, first);
  if (project.ignoredToCopy.length > 0) config.copy = [...project.ignoredToCopy];
  if (project.protect.length > 0) config.protect = [...project.protect];
  // A virtualenv is copied without being named here: the key would only puzzle a project without Node.
  const hasModules = existsSync(join(root, 'node_modules'));
  if (project.nodeModules !== 'setup' && hasModules) config.node_modules = project.nodeModules;
  const isEmpty = Object.keys(config).length === 0;
  const { stringify } = await import('yaml');
  writeFileSync(path, `${HEAD}${isEmpty ? EXAMPLE : stringify(config)}${OPINION}`, { flag: 'wx' });
  await trustConfig(home, await loadConfig(root));
  const why = [
    ...(kind === 'none'
      ? ['this folder is no git repository: agents edit it in place; git init gives each run a worktree']
      : []),
    ...(config.agent === undefined || asks ? [] : [`agent ${first}: it is the first one on the PATH`]),
    ...(asks ? [] : project.why),
    ...project.lacks,
    ...(config.checks === undefined
      ? ['nothing here tells how work is proven: name a command under checks, or give --check to each run']
      : []),
    ...(config.protect === undefined
      ? []
      : [
          `protect ${config.protect.join(', ')}: a change of what judges there is asked about; new tests are free`,
        ]),
    ...(config.budget === undefined ? ['no budget: --budget-usd or --budget-time limits one run'] : []),
  ];
  const start = kind === 'git' && head === null ? 'git add -A && git commit -m "start" && ' : '';
  const agent = config.agent === undefined ? '--agent NAME ' : '';
  const text = [
    `wrote ${CONFIG_FILE}`,
    ...why.map((line) => `  ${line}`),
    '',
    `next  ${start}mayday run ${agent}"what should be done"`,
    ...(agent === ''
      ? []
      : ['      any program can be the agent: mayday run "what should be done" -- COMMAND']),
  ];
  return print(invocation, { file: path, config, why }, `${text.join('\n')}\n`);
}

function proposedConfig({ checks, setup }: ProjectProposal, agent: string): Config {
  return {
    ...(agent === '' ? {} : { agent }),
    ...(checks.length === 0 ? {} : { checks: [...checks] }),
    ...(setup === null ? {} : { setup }),
  };
}

/** Enter takes what is proposed, `-` takes nothing. What cannot be meant is asked again. */
async function askedConfig(ask: Ask, project: ProjectProposal, first: string): Promise<Config> {
  const { checks, setup } = project;
  const agent = await answer(ask, `Which agent? (${OFFERED.join(', ')})`, first, isAgentName);
  const check = await answer(ask, 'Which command proves the work?', checks[0] ?? '');
  const ready = await answer(ask, 'Which command makes a fresh copy ready?', setup ?? '');
  const isPriced = findAdapter(agent)?.capabilities.measures.includes('usd') === true;
  const usd = isPriced
    ? await answer(ask, 'Hard limit of one run, in dollars?', '', (text) => Number(text) > 0)
    : '';
  const chosen = check === '' ? [] : check === checks[0] ? checks : [check];
  return {
    ...proposedConfig({ ...project, checks: chosen, setup: ready === '' ? null : ready }, agent),
    ...(usd === '' ? {} : { budget: { usd: Number(usd) } }),
  };
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
  const config = await loadConfig(root);
  await trustConfig(home, config);
  const text = `the commands in ${CONFIG_FILE} are trusted on this machine now\n`;
  return print(invocation, { file: path, config, trusted: true }, text);
}

function firstAgent(env: NodeJS.ProcessEnv, cwd: string): string | undefined {
  const path = agentEnvironment(env)['PATH'] ?? '';
  return OFFERED.find((name) => isFound(findCommand(name, cwd, path)));
}

function isFound(found: string): boolean {
  return found !== 'missing' && found !== 'not-executable';
}

function isAgentName(name: string): boolean {
  return findAdapter(name) !== null || name.startsWith('acp:');
}

async function answer(
  ask: Ask,
  question: string,
  proposed: string,
  isMeant: (said: string) => boolean = () => true,
): Promise<string> {
  const keys = proposed === '' ? 'Enter: none' : `Enter: ${proposed}, -: none`;
  for (let prompt = question; ; prompt = `Not understood. ${question}`) {
    const said = (await ask(`${prompt} [${keys}]  `)).trim();
    if (said === '-') return '';
    if (said === '' || isMeant(said)) return said || proposed;
  }
}
