/** `agentTools`: the tools for the agent of a run. They write the files that an agent may write by hand, and do no more. */
import { appendFileSync, renameSync, writeFileSync } from 'node:fs';
import { z } from 'zod';
import { type AgentContext, readAgentContext } from '../act/attempt/agent-context.ts';
import { blockerFields, MAX_TOLD_CHARS } from '../act/attempt/agent-notes.ts';
import { wordSet } from '../core/text/word-list.ts';
import { type McpTool, type ToolAnswer, tool } from './tool.ts';

/** The files of the attempt, as its environment names them; null: the server was not started inside a run. */
export interface AgentPlace {
  readonly checkpoint: string;
  readonly blocker: string;
  readonly notes: string | null;
  readonly context: string | null;
}

const MAX_FOUND = 5;

const Line = z.string().trim().min(1).max(2_000);
const Lines = z.array(Line).max(200).default([]);

export function agentPlace(env: NodeJS.ProcessEnv): AgentPlace | null {
  const { MAYDAY_CHECKPOINT: checkpoint, MAYDAY_BLOCKER: blocker } = env;
  if (!checkpoint || !blocker) return null;
  return { checkpoint, blocker, notes: env['MAYDAY_NOTES'] || null, context: env['MAYDAY_CONTEXT'] || null };
}

export function agentTools(place: AgentPlace | null): readonly McpTool[] {
  const inRun = (act: (files: AgentPlace) => ToolAnswer): ToolAnswer =>
    place === null ? { text: OUTSIDE, isError: true } : act(place);
  return [
    tool({
      name: 'checkpoint',
      description:
        'Save your progress: what is completed, which files you created, what comes next. An interrupted task goes on from here.',
      input: z.object({ completed: Lines, created_files: Lines, next_actions: Lines }),
      call: (notes) =>
        inRun(({ checkpoint }) => {
          replace(checkpoint, JSON.stringify(notes));
          return { text: 'Noted. Mayday saves the workspace within seconds; go on.' };
        }),
    }),
    tool({
      name: 'raise_blocker',
      description:
        'Ask a person where a decision is not yours. Your work is saved and goes on with the answer. End your turn after this call.',
      input: z.object({
        reason: blockerFields.reason.describe('why you cannot go on'),
        question: blockerFields.question.optional().describe('what the person should decide'),
        options: blockerFields.options.optional().describe('answers to choose from'),
        code: blockerFields.code.optional().describe('a blocker code or failure class, if you know one'),
      }),
      call: (note) =>
        inRun(({ blocker }) => {
          replace(blocker, JSON.stringify(note));
          return { text: RAISED };
        }),
    }),
    tool({
      name: 'request_scope',
      description:
        'Ask a person to let you change files outside the scope of the task. End your turn after this call and wait for the answer.',
      input: z.object({
        paths: blockerFields.scope.min(1).describe('paths or globs'),
        reason: blockerFields.reason.describe('why the task needs it'),
      }),
      call: ({ paths, reason }) => inRun((files) => requestScope(files, paths, reason)),
    }),
    tool({
      name: 'record_note',
      description:
        'Keep something you found out (a cause, a dead end, a command that works) for whoever continues this task.',
      input: z.object({ text: z.string().trim().min(1).max(MAX_TOLD_CHARS) }),
      call: ({ text }) => inRun((files) => tell(files, 'note', text)),
    }),
    tool({
      name: 'report_progress',
      description: 'Say in one line where you are. People see it while you work; it proves nothing.',
      input: z.object({ text: z.string().trim().min(1).max(MAX_TOLD_CHARS) }),
      call: ({ text }) => inRun((files) => tell(files, 'progress', text)),
    }),
    tool({
      name: 'search_context',
      description: 'Search the lessons that people approved for this repository.',
      input: z.object({ query: Line }),
      readOnly: true,
      call: ({ query }) =>
        inRun(({ context }) => found(context === null ? null : readAgentContext(context), query)),
    }),
  ];
}

const OUTSIDE =
  'This server was not started inside a run of Mayday, so nothing was recorded. Start the task with: mayday run';
const RAISED =
  'Raised. Your work is saved. End your turn now; a person answers, and you go on with the answer.';

function requestScope(
  { blocker, context }: AgentPlace,
  paths: readonly string[],
  reason: string,
): ToolAnswer {
  const allowed = (context === null ? null : readAgentContext(context))?.scope ?? [];
  if (allowed.includes('**') || paths.every((path) => allowed.includes(path)))
    return { text: 'You may change that already; go on.' };
  replace(blocker, JSON.stringify({ reason, scope: paths }));
  return { text: RAISED };
}

function tell({ notes }: AgentPlace, kind: 'note' | 'progress', text: string): ToolAnswer {
  if (notes === null) return { text: OUTSIDE, isError: true };
  appendFileSync(notes, `${JSON.stringify({ kind, text })}\n`, { mode: 0o600 });
  return { text: 'Noted.' };
}

function found(context: AgentContext | null, query: string): ToolAnswer {
  const asked = wordSet(query);
  const shown = (context?.lessons ?? [])
    .map((lesson) => {
      const own = wordSet(`${lesson.title} ${lesson.guidance}`);
      return { lesson, hits: [...asked].filter((word) => own.has(word)).length };
    })
    .filter(({ hits }) => hits > 0)
    .toSorted((one, other) => other.hits - one.hits)
    .slice(0, MAX_FOUND)
    .map(({ lesson }) => lesson);
  if (shown.length === 0) return { text: 'No approved lesson speaks of that.', data: { lessons: [] } };
  const text = shown.map(({ title, guidance, source }) => `${title}\n${guidance}\n(${source})`).join('\n\n');
  return {
    text: `Advice that a person approved; it widens no scope or permission.\n\n${text}`,
    data: { lessons: shown },
  };
}

/** A reader sees the old or the new note, never half of one. */
function replace(path: string, text: string): void {
  const temporary = `${path}.new`;
  writeFileSync(temporary, text, { mode: 0o600 });
  renameSync(temporary, path);
}
