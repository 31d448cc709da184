/** `autopsy`: how an agent session went that Mayday did not supervise: a session file, or steps in the neutral form. */
import { newChance } from '../supervise/new-chance.ts';
import { resolve } from 'node:path';
import { entriesOfSteps } from '../agents/neutral/steps.ts';
import { readSession, sessionFileAt } from '../agents/sessions/session-stores.ts';
import { autopsy as examine } from '../core/detect/autopsy/autopsy.ts';
import { diagnose } from '../core/diagnose/diagnose.ts';
import { MaydayError } from '../platform/mayday-error.ts';
import { verdictJson } from '../report/autopsy/verdict-json.ts';

export type AutopsyInput =
  | { readonly file: string }
  /** Each `{type: "action" | "observation" | "message" | "error", tool?, input?, output?, ts?}`. */
  | { readonly id?: string; readonly steps: readonly unknown[] };

export type AutopsyVerdict = ReturnType<typeof verdictJson>;

export function autopsy(input: AutopsyInput): AutopsyVerdict {
  if ('steps' in input) {
    const { entries, stepOf } = entriesOfSteps(input.steps);
    return verdictJson(examine(input.id ?? null, entries, diagnose, {}, newChance()), stepOf);
  }
  const path = resolve(input.file);
  const file = sessionFileAt(path);
  if (file === null)
    throw new MaydayError('SESSION_UNKNOWN', `${path} is no session that Mayday can read`, [
      ['do', 'give a session file of Claude Code, Codex, Gemini CLI or opencode, or steps'],
    ]);
  const session = readSession(file);
  return verdictJson(examine(session.facts.sessionId ?? path, session.entries, diagnose, {}, newChance()));
}
