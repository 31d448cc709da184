/** `AgentContext`: what an agent may look up through MCP while it works: approved lessons, and what it may change. */
import { z } from 'zod';
import { readState } from '../../platform/file/plain-file.ts';

/** Lessons are short; a repository with more than this has documentation. */
const MAX_BYTES = 4 * 1024 * 1024;

const AgentContext = z.object({
  scope: z.array(z.string()).readonly(),
  lessons: z.array(z.object({ title: z.string(), guidance: z.string(), source: z.string() })).readonly(),
});
export type AgentContext = Readonly<z.infer<typeof AgentContext>>;

/** Null: there is no such file, or its content is wrong. */
export function readAgentContext(path: string): AgentContext | null {
  return readState(AgentContext, path, MAX_BYTES);
}
