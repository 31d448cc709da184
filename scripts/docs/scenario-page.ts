/** The scenario format of drills, from its schema. */
import { z } from 'zod';
import { Scenario } from '../../src/drills/scenario.ts';
import { table } from './table.ts';

const EXAMPLE = `name: interrupted-halfway
task: {text: "write a.txt and b.txt", checks: ["test -f a.txt && test -f b.txt"]}
agent:
  attempts:
    - steps: [{write: {a.txt: "A"}}, {checkpoint: {completed: [a.txt], next_actions: [b.txt]}}, {signal: SIGINT}]
    - when: {brief_includes: "b.txt"}
      steps: [{write: {b.txt: "B"}}, {exit: 0}]
policy: {backoff_ms: 100}
expect: {state: delivered, class: interrupted, strategy: resume, attempts: 2, lost: 0}`;

const STEPS: readonly (readonly [string, string])[] = [
  ['say: TEXT', 'a message of the agent'],
  ['tool: {name, input, result, error}', 'a tool call and its result in the transcript'],
  ['write, append: {PATH: TEXT}; delete: [PATH]', 'changes in the workspace'],
  ['run: COMMAND', 'a shell command'],
  ['sleep: S; hang: S; spin: S', 'waiting, silent waiting, burning processor time'],
  ['loop: {times, steps}', 'steps again and again'],
  ['flood: {bytes, line_bytes}', 'output without end'],
  ['spawn: COMMAND', 'a child in a session of its own that would outlive the agent'],
  ['ignore: [SIGNAL]; signal: NAME; exit: CODE', 'deaf to signals; a signal to itself; the end'],
  ['usage: {tokens, cost_usd}', 'adds to what was used'],
  ['checkpoint: {completed, created_files, next_actions}', 'progress notes of the agent'],
  ['blocker: {reason, code, question, options}', 'the agent raises the flag itself'],
  ['error: TEXT; claim: TEXT', 'a line on standard error; the agent says that it is done'],
];

export function scenarioPage(): string {
  const schema = z.toJSONSchema(Scenario, { io: 'input', unrepresentable: 'any' }) as {
    properties: Record<string, { properties?: Record<string, unknown> }>;
    required?: readonly string[];
  };
  const rows = Object.entries(schema.properties).map(([key, { properties }]) => [
    `\`${key}\``,
    schema.required?.includes(key) ? 'yes' : '',
    Object.keys(properties ?? {})
      .map((name) => `\`${name}\``)
      .join(', '),
  ]);
  return `# Drill scenarios

A task, an agent that breaks in a known way, and what must happen. \`mayday drill FILE\` plays it with real processes, a repository
and a record of its own; \`mayday drill\` plays the bundled ones.

\`\`\`yaml
${EXAMPLE}
\`\`\`

${table(['key', 'required', 'inside'], rows)}

Left out of \`expect\`: not checked. \`class\`, \`strategy\`, \`phase\` and \`return_to\` are those of the first incident, or a list for all.
\`lost\` counts files that an attempt wrote and that neither the delivered tree, the workspace nor a checkpoint still holds.
\`policy\` takes any key of [policy.md](policy.md); \`people\` answer questions by a word that \`match\`es.

The agent plays one script per attempt, the last one repeats. An attempt whose \`when\` is unmet says so and exits 1.

${table(
  ['step', ''],
  STEPS.map(([step, does]) => [`\`${step}\``, does]),
)}`;
}
