/** `mayday mcp`: an MCP server on standard input and output: for the agent of a run, and for the assistant of a person. */
import { agentPlace, agentTools } from '../../mcp/agent-tools.ts';
import { serveMcp } from '../../mcp/mcp-server.ts';
import { maydayHome } from '../../supervise/home.ts';
import type { Invocation } from '../command.ts';
import { VERSION } from '../help.ts';
import { writeText } from '../write-text.ts';

const FOR_AGENTS =
  'Mayday supervises this task. Call checkpoint after each finished part, and raise_blocker where a decision is not yours.';
const FOR_PEOPLE =
  'Mayday: what the supervised runs on this machine do and why they wait. These tools only read.';

const TYPED_BY_HAND =
  'mayday mcp speaks with an agent over standard input: name it in the settings of your agent (docs/how-to/talk-through-mcp.md).\n';

export async function run({ env, cwd, options, stdout, stderr }: Invocation): Promise<number> {
  if (process.stdin.isTTY) writeText(stderr, TYPED_BY_HAND);
  const streams = { input: process.stdin, output: stdout.stream };
  const place = agentPlace(env);
  const isForAgents = place !== null && options['read-only'] !== true;
  // Inside a run the record is out of sight, so the parts that read it are not even loaded.
  const reading = isForAgents ? [] : await readingTools(env, cwd);
  const telling = options['read-only'] === true ? [] : agentTools(place);
  const instructions = isForAgents ? FOR_AGENTS : FOR_PEOPLE;
  await serveMcp({ version: VERSION, instructions, tools: [...telling, ...reading] }, streams);
  return 0;
}

async function readingTools(env: NodeJS.ProcessEnv, cwd: string) {
  const { operatorTools } = await import('../../mcp/operator-tools.ts');
  const { openRecord } = await import('../../supervise/open-record.ts');
  return operatorTools({
    env,
    cwd,
    withRecord: async (use) => {
      const record = await openRecord(maydayHome(env), env);
      try {
        return await use(record);
      } finally {
        await record.close();
      }
    },
  });
}
