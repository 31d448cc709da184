/** `McpTool`, `tool`: one tool of an MCP server: its name, what it says about itself, its arguments, and what a call does. */
import { z } from 'zod';
import { safeParse } from '../platform/safe-parse.ts';

export interface ToolAnswer {
  readonly text: string;
  /** The same as data, for clients that read it. */
  readonly data?: Readonly<Record<string, unknown>>;
  readonly isError?: boolean;
}

export interface McpTool {
  readonly name: string;
  readonly description: string;
  readonly inputSchema: object;
  /** The call changes nothing. */
  readonly readOnly: boolean;
  /** Arguments that do not fit are an answer, not an exception: the model reads it and calls again. */
  call(args: unknown): Promise<ToolAnswer>;
}

interface ToolSpec<T extends z.ZodType> {
  readonly name: string;
  readonly description: string;
  readonly input: T;
  readonly readOnly?: boolean;
  readonly call: (args: z.infer<T>) => Promise<ToolAnswer> | ToolAnswer;
}

export function tool<T extends z.ZodType>(spec: ToolSpec<T>): McpTool {
  const { name, description, input, readOnly = false } = spec;
  return {
    name,
    description,
    readOnly,
    inputSchema: z.toJSONSchema(input, { io: 'input' }),
    call: async (args) => {
      const read = safeParse(input, args ?? {});
      if (!read.success) return { text: `${name}: ${z.prettifyError(read.error)}`, isError: true };
      return await spec.call(read.data);
    },
  };
}
