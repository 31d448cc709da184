/** `STUCK`, `withNotePaths`: how an agent saves its progress and asks. The core knows the variables, the start of an attempt the paths. */

interface NotePaths {
  readonly checkpoint: string;
  readonly blocker: string;
}

function stuckText({ checkpoint, blocker }: NotePaths): string {
  return [
    `- Save progress: write JSON {"completed": [], "created_files": [], "next_actions": []} to ${checkpoint}`,
    '- A decision that is not yours, or something only a person can do: write JSON',
    `  {"reason": "...", "question": "...", "options": ["..."]} to ${blocker} and stop. A person answers, you go on.`,
    // Not every agent may write outside its workspace; those that may not have the tools.
    '- Instead of the files, where you have them: the tools checkpoint and raise_blocker of the MCP server mayday.',
  ].join('\n');
}

export const STUCK = stuckText({
  checkpoint: 'the file in $MAYDAY_CHECKPOINT',
  blocker: 'the file in $MAYDAY_BLOCKER',
});

/** The same brief with the paths of this attempt: not every agent may look up its environment. */
export function withNotePaths(brief: string, paths: NotePaths): string {
  const at = brief.lastIndexOf(STUCK);
  return at < 0 ? brief : `${brief.slice(0, at)}${stuckText(paths)}${brief.slice(at + STUCK.length)}`;
}
