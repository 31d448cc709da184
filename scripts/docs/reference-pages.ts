/** The pages of docs/reference, made from the data that the program itself uses. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { COMMANDS } from '../../src/cli/commands.ts';
import { BLOCKERS } from '../../src/core/vocabulary/blockers/blocker.ts';
import { AGENT_LIMITS, DETECT_KEYS } from '../../src/core/vocabulary/agent-limits.ts';
import { rungs } from '../../src/core/decide/recovery/ladder.ts';
import { FAILURE_CLASS_NAMES, FAILURE_CLASSES } from '../../src/core/vocabulary/classes/failure-class.ts';
import { DETECTORS } from '../../src/core/detect/detectors.ts';
import { type PolicyKey, POLICY_RULES, policyText } from '../../src/core/vocabulary/policy.ts';
import { SIGNALS } from '../../src/core/vocabulary/signal.ts';
import { configSchema } from '../../src/supervise/request/read-config.ts';
import { type ErrorPage, errorPages } from './error-codes.ts';
import { EXIT_CODES } from './exit-codes.ts';
import { opinionsPage } from './opinions-page.ts';
import { scenarioPage } from './scenario-page.ts';
import { table } from './table.ts';

const MADE = '<!-- made by `npm run docs`; edit the data, not this page -->\n\n';

/** Path below docs/reference and its text. */
export function referencePages(root: string): ReadonlyMap<string, string> {
  const errors = errorPages(root);
  const pages: readonly (readonly [string, string])[] = [
    ['README.md', indexPage()],
    ['cli.md', cliPage()],
    ['configuration.md', configurationPage()],
    ['policy.md', policyPage()],
    ['classes.md', classesPage()],
    ['blockers.md', blockersPage()],
    ['signals.md', signalsPage(root)],
    ['exit-codes.md', exitCodesPage()],
    ['errors.md', errorsPage(errors)],
    ['drills.md', scenarioPage()],
    ['opinions.md', opinionsPage()],
    ...errors.map((page) => [`errors/${page.code}.md`, errorPage(page)] as const),
  ];
  return new Map(pages.map(([path, text]) => [path, `${MADE}${text.trim()}\n`]));
}

function indexPage(): string {
  return `# Reference

[Command line](cli.md) · [Configuration](configuration.md) · [Policy: every limit](policy.md) · [Failure classes](classes.md) ·
[Blockers](blockers.md) · [Signals](signals.md) · [Exit codes](exit-codes.md) · [Errors](errors.md) · [Drill scenarios](drills.md) ·
[Diagnosis: what is recognised](diagnose.md) · [Opinions](opinions.md)`;
}

function cliPage(): string {
  const sections = COMMANDS.map(({ name, takes, summary, options }) => {
    const rows = options.map(({ name: option, type, value, help, multiple }) => [
      `\`--${option}${type === 'string' ? ` ${value ?? 'TEXT'}` : ''}\``,
      `${help}${multiple ? ' (repeatable)' : ''}`,
    ]);
    const body = rows.length === 0 ? '' : `\n${table(['option', ''], rows)}\n`;
    return `## mayday ${name}\n\n\`mayday ${`${name} ${takes.usage}`.trim()}\`: ${summary}\n${body}`;
  });
  return `# Command line\n\nEvery command takes \`--json\` (one JSON document on standard output and nothing else) and \`--help\`.
A failure is one too: \`{type, title, code, happened, did, do, exit_code}\`, with the same words on standard error.
Logs and progress go to standard error. Exit codes: [exit-codes.md](exit-codes.md).\n\n${sections.join('\n')}`;
}

function configurationPage(): string {
  const schema = z.toJSONSchema(configSchema, { io: 'input' }) as { properties: Record<string, JsonType> };
  const rows = Object.entries(schema.properties).map(([key, type]) => [
    `\`${key}\``,
    typeWords(type),
    type.description ?? '',
  ]);
  return `# Configuration

\`mayday.yaml\` in the repository and in \`MAYDAY_HOME\` (default \`~/.mayday\`). The repository's
file wins for what it names. Everything in the repository's file counts only once you trust it (\`mayday run --trust\` or \`mayday init --yes\`), except what can only narrow the work or cost time: \`scope\`, \`budget\`, \`agent_policy\`, \`classes\`, and the thresholds, restarts and time limits under \`policy\`. A budget of your own is never raised by it, and its sink stays inside the repository. An unknown key
or a wrong value is an error with its line. \`mayday init\` writes a first one.

${table(['key', 'value', ''], rows)}

Any limit of [policy.md](policy.md) goes under \`policy:\`.

Who is asked for opinions, and what is sent, stands in [opinions.md](opinions.md).`;
}

interface JsonType {
  readonly description?: string;
  readonly type?: string;
  readonly enum?: readonly string[];
  readonly const?: string;
  readonly oneOf?: readonly JsonType[];
  readonly anyOf?: readonly JsonType[];
  readonly items?: JsonType;
  readonly properties?: Record<string, JsonType>;
  readonly additionalProperties?: JsonType | boolean;
}

function typeWords(one: JsonType): string {
  const { type, enum: words, items, properties, additionalProperties: rest } = one;
  const either = one.oneOf ?? one.anyOf;
  if (either !== undefined) return either.map(typeWords).join('; or ');
  if (one.const !== undefined) return `\`${one.const}\``;
  if (words !== undefined) return words.map((word) => `\`${word}\``).join(', ');
  if (type === 'array') return `list of ${items === undefined ? 'values' : typeWords(items)}`;
  if (properties !== undefined)
    return Object.entries(properties)
      .map(([key, value]) => `\`${key}\` (${typeWords(value)})`)
      .join(', ');
  if (typeof rest === 'object') return `name: ${typeWords(rest)}`;
  return type === 'string' ? 'text' : (type ?? 'value');
}

function policyPage(): string {
  const rows = Object.entries(POLICY_RULES).map(([key, { value, why }]) => [
    `\`${key}\``,
    `${policyText(key as PolicyKey, value)}${key.endsWith('_ms') && value >= 1000 ? ` (${time(value)})` : ''}`,
    why,
  ]);
  return `# Policy: every limit, and why

Set any of them under \`policy:\` in \`mayday.yaml\`, in a drill, or in a file for \`mayday replay --policy\`. \`mayday doctor --policy\` prints
this table.

${table(['key', 'default', 'why'], rows)}

## Thresholds per agent and model

They are the same for every agent and model, except where a measurement supports a difference:

${table(
  ['agent', 'model', 'key', 'value', 'why'],
  AGENT_LIMITS.map(({ agent, model, key, value, why }) => [
    agent,
    model ?? 'all',
    `\`${key}\``,
    `${policyText(key as PolicyKey, value)}${key.endsWith('_ms') ? ` (${time(value)})` : ''}`,
    why,
  ]),
)}

Your own go under \`agent_policy:\` in \`mayday.yaml\`, by agent or by agent and a part of the model's name; what is said about the
model wins, and all of it wins over \`policy:\`. Keys: ${DETECT_KEYS.map((key) => `\`${key}\``).join(', ')}.

\`\`\`yaml
agent_policy:
  claude: { loop_stop: 4 }
  claude/haiku: { stale_stop: 1.5 }
\`\`\``;
}

function time(ms: number): string {
  const units = [
    [86_400_000, 'd'],
    [3_600_000, 'h'],
    [60_000, 'min'],
    [1_000, 's'],
  ] as const;
  const [size, unit] = units.find(([unitMs]) => ms >= unitMs && ms % unitMs === 0) ?? [1, 'ms'];
  return `${ms / size} ${unit}`;
}

function classesPage(): string {
  const rows = FAILURE_CLASS_NAMES.map((name) => {
    const rule = FAILURE_CLASSES[name];
    const ladder = rungs({ class: name, diagnosis: null }).map(({ strategy, fresh }) =>
      fresh ? 'fresh session' : strategy,
    );
    return [
      `\`${name}\``,
      rule.sign,
      rule.transient ? 'yes' : '-',
      rule.recoverable ? 'yes' : 'no',
      `${rule.firstPhase} ${rule.strategy}`,
      [...ladder, 'ask'].join(', '),
      rule.returnTo ?? '-',
      rule.scope,
      rule.category,
      rule.concern,
    ];
  });
  const head = [
    'class',
    'sign',
    'transient',
    'without a person',
    'first phase',
    'rungs',
    'returns to',
    'hits',
    'category',
    'concern',
  ];
  return `# Failure classes

What happened, out of a fixed list, and what is tried by default. "Rungs" are climbed one per failed attempt; causes that are waited
for (\`rate_limited\`, \`network_failure\`, \`overloaded\`) cost no rung. \`unknown\` is an honest answer.

${table(head, rows)}`;
}

function blockersPage(): string {
  const rows = Object.entries(BLOCKERS).map(([code, { stage, returnsTo, says, resolutions }]) => [
    `\`${code}\``,
    stage,
    returnsTo,
    says,
    resolutions.map((resolution) => `\`${resolution}\``).join(', '),
  ]);
  return `# Blockers

Named reasons why work may not leave its stage. Failure classes block too, under their own name.

${table(['code', 'stage', 'returns to', 'means', 'ways out'], rows)}`;
}

/** A detector is told by the sentence that opens its file. */
/** A detector with the types of signals that its file raises, and the first sentence of the file. */
function readDetectors(root: string) {
  const folder = join(root, 'src/core/detect/detectors');
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts'))
    .map((file) => readFileSync(join(folder, file), 'utf8'));
  return DETECTORS.map(({ name }) => {
    const file = files.find((text) => text.includes(`name: '${name}'`)) ?? '';
    const opening = file.slice(0, file.indexOf('*/')).replaceAll(/\s*\n \*\s?/g, ' ');
    const [, says = ''] = /`\w+`: (.*?\.)(?:\s|$)/s.exec(opening) ?? [];
    const types = [...file.matchAll(/type: '(\w+)',\s*severity/g)].map(([, type]) => type);
    return { name, says, types };
  });
}

function signalsPage(root: string): string {
  const detectors = readDetectors(root);
  const rows = Object.entries(SIGNALS).map(([type, rule]) => [
    `\`${type}\``,
    detectors
      .filter(({ types }) => types.includes(type))
      .map(({ name }) => name)
      .join(', '),
    rule.neverStops === true ? 'people are told' : `the attempt is stopped: \`${rule.class}\``,
    rule.nudge ?? '',
  ]);
  return `# Signals

What Mayday can notice while an agent works, by the type that journals, documents and notices carry. A warning only tells people; the table says
what a critical signal does. The agent is told the words of the last column once, before it is stopped.

${table(['type', 'raised by', 'if critical', 'the agent is told first'], rows)}

## Detectors

Each has a file in \`src/core/detect/detectors/\`. Their order is precedence; the limits are [policy values](policy.md). Before you write a new
one, see whether one of these is enough.

${table(
  ['detector', 'what it notices'],
  detectors.map(({ name, says }) => [name, says]),
)}`;
}

function exitCodesPage(): string {
  const rows = EXIT_CODES.map(({ code, means, script }) => [`${code}`, means, script]);
  return `# Exit codes

A contract: scripts may rely on it. \`test/e2e/exit-codes.test.ts\` holds every row.

${table(['code', 'means', 'a script should'], rows)}`;
}

function errorsPage(errors: readonly ErrorPage[]): string {
  const rows = errors.map(({ code, exitCode, says }) => [
    `[${code}](errors/${code}.md)`,
    `${exitCode}`,
    says[0] ?? '',
  ]);
  return `# Errors

The world failed Mayday, or the command line was wrong. Every error says what happened, what Mayday did and what you can do now, and
has a code in brackets. What goes wrong inside an agent is no error but a [failure class](classes.md).

${table(['code', 'exit', 'says'], rows)}`;
}

function errorPage({ code, exitCode, says, advice, files }: ErrorPage): string {
  const told =
    advice.length > 0 ? advice : ([['do', 'mend what the message names; mayday COMMAND --help']] as const);
  const lines = told.map(([label, text]) => `* **${label}**: ${text}`);
  const source = files.map((file) => `[${file}](../../../${file})`).join(', ');
  return [
    `# ${code}`,
    '',
    ...says.map((text) => `> ${text}\n`),
    ...lines,
    '',
    `Exit code ${exitCode}${exitCode === 2 ? ' (wrong usage; nothing was changed)' : ''}.${source === '' ? '' : ` Said by ${source}.`}`,
  ].join('\n');
}
