/** `ACP_QUIRKS`: measured habits of ACP agents that are misleading, with the versions they were measured with. */
import type { Quirk } from '../adapter.ts';

interface AcpQuirk extends Quirk {
  /** The adapters it is about. */
  readonly agents: readonly string[];
}

export const ACP_QUIRKS: readonly AcpQuirk[] = [
  {
    code: 'tool_survives_cancel',
    agents: ['codex-acp'],
    what: 'codex-acp 2.6 answers a cancel at once and leaves the tool running until it ends itself',
    answer: 'the agent is ended after the answer, and the container emptied',
  },
  {
    code: 'refusal_ends_well',
    agents: ['codex-acp'],
    what: 'codex-acp 2.6 ends a turn with end_turn when its request was refused or lost; the error is its last words',
    answer: 'last words without the id of a message of the model are an error',
  },
  {
    code: 'output_in_pieces',
    agents: ['codex-acp'],
    what: 'codex-acp 2.6 tells what a tool printed only in pieces while it runs, and a read of a file without its command',
    answer: 'the pieces are the output; the title is the call',
  },
  {
    code: 'kill_orphans_agent',
    agents: ['claude-acp', 'gemini-acp', 'opencode-acp'],
    what: 'SIGKILL leaves the agent behind the ACP program, its MCP servers or its tools alive',
    answer: 'the container is emptied after every end',
  },
  {
    code: 'stays_after_eof',
    agents: ['gemini-acp'],
    what: 'gemini 0.61 does not end when its input does',
    answer: 'it gets SIGTERM after two seconds, then SIGKILL',
  },
  {
    code: 'load_fails_after_kill',
    agents: ['gemini-acp'],
    what: 'gemini 0.61 cannot load a session that was killed ("No previous sessions")',
    answer: 'a new session in the same attempt, with the whole brief; its id is recorded',
  },
  {
    code: 'call_told_late',
    agents: ['gemini-acp'],
    what: 'gemini 0.61 tells a tool call only with its permission request',
    answer: 'the request counts as the call',
  },
  {
    code: 'call_without_arguments',
    agents: ['claude-acp', 'opencode-acp'],
    what: 'a tool call is announced before its arguments are known',
    answer: 'the call is read when its arguments come',
  },
  {
    code: 'replays_history',
    agents: ['claude-acp', 'codex-acp', 'opencode-acp'],
    what: 'session/load replays the whole conversation as updates',
    answer: 'updates before the answer to session/load are no entries of the transcript',
  },
];
