/** `AcpPlan`: what the adapter tells the client program of an attempt, by a file. */
import { z } from 'zod';

export const AcpPlan = z.object({
  /** The agent: a program that speaks ACP on its standard input and output. */
  command: z.array(z.string()).min(1).readonly(),
  workspace: z.string(),
  briefFile: z.string(),
  /** The agent session to go on with; null: a new one. */
  resume: z.string().nullable(),
  permissions: z.object({
    checks: z.array(z.string()).readonly(),
    allowedTools: z.array(z.string()).readonly(),
    skipAll: z.boolean(),
  }),
  /** Files outside the workspace that the agent may write: its notes for Mayday. */
  noteFiles: z.array(z.string()).readonly(),
  /** A message for the working agent. */
  nudge: z.object({ left: z.string(), taken: z.string() }),
  mcpServer: z
    .object({
      command: z.string(),
      args: z.array(z.string()).readonly(),
      env: z.record(z.string(), z.string()),
    })
    .nullable(),
});
export type AcpPlan = Readonly<z.infer<typeof AcpPlan>>;
